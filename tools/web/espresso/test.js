// Tests the page of the minimizer in headless Chromium: its results against the command's, and its use: node test.js FILE COMMAND

import assert from "node:assert/strict"
import {spawnSync} from "node:child_process"
import {resolve} from "node:path"
import {launch, open} from "../chromium.js"
import {has, sheets} from "./page/map.js"

const [file, command] = process.argv.slice(2).map(path => resolve(path))
const FORMATS = ["f", "eqntott", "verilog", "blif", "json"]
const OPTION = {pla: [], "truth-table": ["--truth-table"], equations: ["--equations"]}

// Pseudo-random numbers below a bound, the same in every run.
function numbers(seed) {
    let state = seed
    return bound => {
        state = Math.imul(state ^ state >>> 15, 0x2c1b3c6d) + 0x9e3779b9 | 0
        const mixed = Math.imul(state ^ state >>> 12, 0x297a2d39)
        return ((mixed ^ mixed >>> 15) >>> 0) % bound
    }
}

// Functions of all three kinds, of up to twelve inputs.
function functions(count) {
    const below = numbers(7)
    const some = (length, letters) => Array.from({length}, () => letters[below(letters.length)]).join("")
    return Array.from({length: count}, (_, number) => {
        if (number % 3 === 0) {
            const [inputs, outputs] = [1 + below(12), 1 + below(5)]
            const type = ["fd", "f", "r", "dr", "fr"][below(5)]
            const rows = Array.from({length: 1 + below(40)}, () => `${some(inputs, "01--")} ${some(outputs, "0011-")}`)
            // Rows that differ in the first input do not contradict each other.
            if (type === "fr") rows.forEach((_, i) => rows[i] = `${i & 1}${some(inputs - 1, "01--")} ${`${i & 1}`.repeat(outputs)}`)
            const phase = below(3) === 0 ? `.phase ${some(outputs, "01")}\n` : ""
            return ["pla", `.i ${inputs}\n.o ${outputs}\n.type ${type}\n${phase}${rows.join("\n")}\n.e\n`]
        }
        if (number % 3 === 1) {
            const inputs = below(9)
            return ["truth-table", Array.from({length: 1 + below(3)}, () => `${some(1 << inputs, "01-")}\n`).join("")]
        }
        const names = ["a", "b", "c", "d", "e", "g", "h"]
        const term = depth => depth === 0 || below(4) === 0 ? `${some(1, ["", "!"])}${some(1, names)}`
            : `(${term(depth - 1)} ${some(1, "&|^")} ${term(depth - 1)})`
        return ["equations", `f = ${term(5)};\nk = ${term(3)} | f;\n`]
    })
}

function told(args, input) {
    const {status, stdout, stderr, error} = spawnSync(command, args, {input, encoding: "utf8", maxBuffer: 1 << 28})
    if (error) throw error
    return {status, stdout, stderr}
}

async function agreesWithTheCommand({page}) {
    const given = functions(300)
    const answers = await page.evaluate(async given => {
        const answers = []
        for (const [number, [kind, text]] of given.entries())
            answers.push(await window.espresso.minimize(text, kind, number % 4 + 1).catch(error => ({error: error.message})))
        return answers
    }, given)
    let [maps, minima] = [0, 0]
    for (const [number, [kind, text]] of given.entries()) {
        const answer = answers[number]
        assert.equal(answer.error, undefined, text)
        for (const format of number % 10 === 0 ? FORMATS : ["f"]) {
            const {status, stdout, stderr} = told(["--effort", number % 4 + 1, "-o", format, ...OPTION[kind]], text)
            assert.equal(answer.written[format].text ?? 1, status === 0 ? stdout : status, `${text}${stderr}`)
        }
        const {inputs, outputs, rows, lower_bound: bound} = answer
        if (/\.type (fd|f|fr)\n(?!\.phase)/.test(text)) {
            const given = text.split("\n").filter(line => /^[01-]+ .*1/.test(line))
            assert.equal(answer.cubes_before, given.length, text)
        } else if (/\.type (r|dr)\n(?!\.phase)/.test(text)) assert.equal(answer.cubes_before, undefined)
        assert.equal(answer.written.f.text.split("\n").filter(line => /^[01-]+( |$)/.test(line)).length, rows.length)
        assert.ok(bound === undefined || bound <= rows.length)
        minima += bound === rows.length
        assert.equal(answer.maps.length > 0, inputs.length <= 6)
        for (const [output, map] of answer.maps.entries()) {
            const all = sheets(inputs).flatMap(({rows}) => rows.flatMap(({minterms}) => minterms))
            assert.deepEqual(all.toSorted((a, b) => a - b), [...map].map((_, minterm) => minterm))
            for (const minterm of all) {
                const isCovered = rows.some(row => has(row, inputs.length, output, minterm))
                assert.ok(map[minterm] === "-" || isCovered === (map[minterm] === "1"), `${text}${outputs[output]} at ${minterm}`)
            }
            if (kind === "truth-table") assert.equal(map, text.split("\n")[output])
            maps++
        }
    }
    assert.ok(maps > 100 && minima > 50)
    console.log(`${given.length} functions: covers are the command's; ${maps} maps are those of the functions`)
}

const text = (page, selector) => page.$eval(selector, node => node.textContent)
const saying = (page, words) => page.waitForFunction(words => new RegExp(words).test(document.getElementById("status").textContent), {timeout: 60_000}, words)

async function type(page, words) {
    await page.$eval("#text", (field, words) => {
        document.getElementById("status").replaceChildren()
        field.value = words
        field.dispatchEvent(new Event("input", {bubbles: true}))
    }, words)
}

async function byHand(browser) {
    const {page, problems} = await open(browser, file, {ready: "espresso"})
    await saying(page, "products instead of 10")
    assert.equal((await page.$$("#outputs button")).length, 7)
    assert.equal((await page.$$("#map td")).length, 16)
    // A product's minterms are highlighted.
    await page.click("#products button:nth-child(2)")
    const product = await text(page, "#products button[aria-pressed=true]")
    const lit = await page.$$eval("#map td.lit", cells => cells.map(cell => Number(cell.dataset.minterm)))
    assert.deepEqual(lit.toSorted((a, b) => a - b), Array.from({length: 16}, (_, m) => m).filter(m => has(`${product} 1`, 4, 0, m)))
    // Equations, typed on the keyboard.
    await type(page, "f = a & b | a & !b;")
    await page.focus("#text")
    await page.keyboard.down("Control")
    await page.keyboard.press("Enter")
    await page.keyboard.up("Control")
    await saying(page, "1 product instead of")
    await page.select("#format", "verilog")
    assert.match(await text(page, "#written"), /assign f = a;/)
    await page.select("#format", "f")
    // Equations go out as equations, and a table as a PLA.
    for (const [given, format] of [["0110\n", "f"], ["f = a & b | a & !b;", "eqntott"]]) {
        await type(page, given)
        await saying(page, given.startsWith("f") ? "1 product" : "2 products")
        await page.waitForFunction(format => document.getElementById("format").value === format, {}, format)
    }
    assert.match(await text(page, "#written"), /f = \(a\);/)
    await page.click("#copy")
    await page.waitForFunction(() => ["Copied", "Selected"].includes(document.getElementById("copy").textContent))
    // Errors are shown with their place; warnings are shown too.
    await type(page, ".i 2\n.o 1\n1x 1\n")
    await saying(page, "No result")
    assert.match(await text(page, "#problem"), /line 3, column 2(.|\n)* {4}1x 1\n {5}\^$/)
    await type(page, ".i 2\n.o 1\n.what\n11 1\n")
    await saying(page, "1 product instead of 1")
    assert.match(await text(page, "#warnings"), /line 3/)
    // An input of three values has no map, and no Verilog.
    await type(page, ".mv 3 1 3 1\n1 011 1\n")
    await saying(page, "1 product")
    assert.equal(await page.$eval("#map-part", part => part.hidden), true)
    await page.select("#format", "verilog")
    assert.equal(await page.$eval("#copy", button => button.disabled), true)
    assert.match(await text(page, "#written"), /multi-valued/)
    // Empty input is not an error.
    await type(page, " \n")
    await saying(page, "Nothing to minimize")
    assert.deepEqual(problems, [])
    await page.close()
}

// The address contains the function.
async function link(browser) {
    const first = await open(browser, file, {ready: "espresso"})
    await type(first.page, "01101001\n00010111 # carry\n")
    await saying(first.page, "Read as truth table")
    const there = await first.page.evaluate(() => location.hash.slice(1))
    await first.page.close()
    const {page, problems} = await open(browser, file, {ready: "espresso", link: there})
    await saying(page, "7 products instead of 7")
    assert.equal(await page.$eval("#text", field => field.value), "01101001\n00010111 # carry\n")
    assert.deepEqual(problems, [])
    await page.close()
}

// Long work can be stopped, by the button or by a new text, and the next run starts afresh; a failed worker is replaced.
async function longWork(browser) {
    const {page, problems} = await open(browser, file, {ready: "espresso"})
    const below = numbers(3)
    const rows = Array.from({length: 3000}, () => `${Array.from({length: 20}, () => "01-"[below(3)]).join("")} ${1 + below(255) .toString(2).padStart(8, "0").slice(-7)}`)
    await type(page, `.i 20\n.o 8\n${rows.join("\n")}\n`)
    await saying(page, "Minimizing")
    await page.click("#stop")
    await saying(page, "Stopped")
    const long = await page.$eval("#text", field => field.value)
    await type(page, "0001\n")
    await saying(page, "1 product instead of 1")
    await type(page, long)
    await saying(page, "Minimizing")
    await type(page, "")
    await page.click("#minimize")
    await new Promise(done => setTimeout(done, 500))
    assert.match(await text(page, "#status"), /^Nothing to minimize/)
    // Parentheses so deep that the worker's stack overflows, or that the reader refuses them.
    const deep = `f = ${"(".repeat(2_000_000)}a${")".repeat(2_000_000)};`
    const answer = await page.evaluate(text => window.espresso.minimize(text).catch(error => error.message), deep)
    assert.equal(typeof answer, "string")
    await type(page, "0110\n")
    await saying(page, "2 products instead of 2")
    assert.deepEqual(problems, [])
    await page.close()
}

// On a phone, nothing is wider than the screen.
async function phone(browser) {
    const {page, problems} = await open(browser, file, {ready: "espresso", width: 360, height: 740, isPhone: true})
    await saying(page, "products")
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
    assert.deepEqual(problems, [])
    await page.close()
}

const browser = await launch()
try {
    const opened = await open(browser, file, {ready: "espresso"})
    await agreesWithTheCommand(opened)
    assert.deepEqual(opened.problems, [])
    for (const [name, test] of Object.entries({"by hand": byHand, link, "long work": longWork, "a phone": phone})) {
        await test(browser)
        console.log(name)
    }
} finally {
    await browser.close()
}
