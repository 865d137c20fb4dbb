// Puts the parts of the page into one HTML file, and prints their sizes: node assemble.js PARTS NODE_MODULES FILE

import {readFileSync, writeFileSync} from "node:fs"
import {gzipSync} from "node:zlib"

const [parts, modules, file] = process.argv.slice(2)
const read = path => readFileSync(path, "utf8")
const squeezed = data => gzipSync(data, {level: 9})

const wasm = readFileSync(`${parts}/prober_bg.wasm`)
const packed = squeezed(wasm)
const script = read(`${parts}/page.js`)
const style = read(`${parts}/style.css`)
const pieces = read("../../src/explain/men.svg")
const escaped = text => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")
const [own, terms] = read("../../LICENSE-MIT").split(/^(?=Permission)/m)
const holders = [
    `cubebase (the MIT licence or Apache 2.0, at your option): ${own.split("\n").find(line => line.startsWith("Copyright"))}`,
    `cm-chessboard: ${read(`${modules}/cm-chessboard/LICENSE`).split("\n").find(line => line.startsWith("Copyright"))}`,
    "cozy-chess: Copyright (c) 2021 analog-hors",
    "crc32fast: Copyright (c) 2018 Sam Rijs, Alex Crichton and contributors",
    "wasm-bindgen: Copyright (c) 2014 Alex Crichton",
    "Rust's standard library: Copyright (c) The Rust Project Contributors",
]
const notices = [
    "<p>In this page are, under the MIT licence:</p><ul>", ...holders.map(line => `<li>${escaped(line)}</li>`),
    `</ul><p>The pictures of the men were drawn for it and are free for any use (CC0).</p><pre>${escaped(terms.trim())}</pre>`,
].join("")

const inserts = {
    "/*STYLE*/": style, "<!--PIECES-->": pieces, "<!--NOTICES-->": notices,
    "/*WASM*/": packed.toString("base64"), "/*SCRIPT*/": script.replaceAll("</script", "<\\/script"),
}
let page = read("page/page.html")
for (const [mark, text] of Object.entries(inserts)) {
    if (page.split(mark).length !== 2) throw new Error(`page.html must have ${mark} once`)
    page = page.replace(mark, () => text)
}
writeFileSync(file, page)

const tables = readFileSync("../../fixtures/four-men.pcb")
const sizes = [
    ["the prober with its tables, as WebAssembly", wasm], ["of these the tables", tables], ["script", script],
    ["style, pieces and notices", style + pieces + notices], [`${file}, which is all`, page],
]
console.log("bytes, and after gzip -9")
for (const [name, data] of sizes)
    console.log(`${String(Buffer.byteLength(data)).padStart(9)} ${String(squeezed(data).length).padStart(9)}  ${name}`)
