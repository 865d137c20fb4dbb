// Puts the parts of a page into one HTML file, and prints their sizes: node assemble.js PAGE PARTS NODE_MODULES FILE
// PAGE is `chess` or `espresso`.

import {readFileSync, writeFileSync} from "node:fs"
import {gzipSync} from "node:zlib"

const [name, parts, modules, file] = process.argv.slice(2)
const read = path => readFileSync(path, "utf8")
const squeezed = data => gzipSync(data, {level: 9})
const escaped = text => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")
const inScript = text => text.replaceAll("</script", "<\\/script")

const [own, terms] = read("../../LICENSE-MIT").split(/^(?=Permission)/m)
const holders = {
    chess: [
        `cm-chessboard: ${read(`${modules}/cm-chessboard/LICENSE`).split("\n").find(line => line.startsWith("Copyright"))}`,
        "cozy-chess: Copyright (c) 2021 analog-hors",
        "crc32fast: Copyright (c) 2018 Sam Rijs, Alex Crichton and contributors",
    ],
    espresso: [
        "rayon: Copyright (c) 2010 The Rust Project Developers", "either: Copyright (c) 2015",
        "crossbeam: Copyright (c) 2019 The Crossbeam Project Developers",
        "logidrom: Copyright (c) 2015-2025 Aliaksei Chapyzhenka", "tspan: Copyright (c) 2015-2020 Aliaksei Chapyzhenka",
    ],
}[name]
const notices = [
    "<p>In this page are, under the MIT licence:</p><ul>",
    ...[
        `cubebase (the MIT licence or Apache 2.0, at your option): ${own.split("\n").find(line => line.startsWith("Copyright"))}`,
        ...holders,
        "wasm-bindgen: Copyright (c) 2014 Alex Crichton",
        "Rust's standard library: Copyright (c) The Rust Project Contributors",
    ].map(line => `<li>${escaped(line)}</li>`),
    `</ul>${name === "chess" ? "<p>The pictures of the men were drawn for it and are free for any use (CC0).</p>" : ""}`,
    `<pre>${escaped(terms.trim())}</pre>`,
].join("")

const wasm = readFileSync(`${parts}/${{chess: "prober", espresso: "minimizer"}[name]}_bg.wasm`)
const packed = squeezed(wasm)
const script = inScript(read(`${parts}/page.js`))
const style = read(`${parts}/style.css`)
const tables = readFileSync("../../fixtures/four-men.pcb")
const inserts = {"/*STYLE*/": style, "<!--NOTICES-->": notices, "/*WASM*/": packed.toString("base64"), "/*SCRIPT*/": script}
const sizes = [["the WebAssembly", wasm]]
if (name === "chess") {
    inserts["<!--PIECES-->"] = read("../../src/explain/men.svg")
    sizes.push(["of these the tables", tables], ["script", script])
} else {
    inserts["/*WORKER*/"] = inScript(read(`${parts}/worker.js`))
    sizes.push(["scripts", script + inserts["/*WORKER*/"]])
}
let page = read(`${{chess: "page", espresso: "espresso/page"}[name]}/page.html`)
for (const [mark, text] of Object.entries(inserts)) {
    if (page.split(mark).length !== 2) throw new Error(`page.html must have ${mark} once`)
    page = page.replace(mark, () => text)
}
writeFileSync(file, page)

sizes.push(["style, pieces and notices", style + (inserts["<!--PIECES-->"] ?? "") + notices], [`${file}, which is all`, page])
console.log("bytes, and after gzip -9")
for (const [what, data] of sizes)
    console.log(`${String(Buffer.byteLength(data)).padStart(9)} ${String(squeezed(data).length).padStart(9)}  ${what}`)
