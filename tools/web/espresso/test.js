// Tests the page of the minimizer in headless Chromium: its results against the command's, and its use: node test.js FILE COMMAND
// If $PART names a test, no other is run.

import assert from "node:assert/strict"
import {spawnSync} from "node:child_process"
import {mkdtempSync, rmSync, writeFileSync} from "node:fs"
import {tmpdir} from "node:os"
import {join, resolve} from "node:path"
import {launch, open, text, violations} from "../chromium.js"
import {has, sheets} from "./page/map.js"
import {written} from "./page/notation.js"

const [file, command] = process.argv.slice(2).map(path => resolve(path))
const FORMATS = ["f", "eqntott", "verilog", "blif", "json"]
const OPTION = {pla: [], "truth-table": ["--truth-table"], equations: ["--equations"], csv: ["--csv"], blif: ["--blif"]}

// Pseudo-random numbers below a bound, the same in every run.
function numbers(seed) {
    let state = seed
    return bound => {
        state = Math.imul(state ^ state >>> 15, 0x2c1b3c6d) + 0x9e3779b9 | 0
        const mixed = Math.imul(state ^ state >>> 12, 0x297a2d39)
        return ((mixed ^ mixed >>> 15) >>> 0) % bound
    }
}

// Functions of all kinds but BLIF, of up to twelve inputs.
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
        if (number % 12 === 2) {
            const values = Array.from({length: 8}, (_, m) => `${[...m.toString(2).padStart(3, "0")].join()},${some(1, "01x")}\n`)
            return ["csv", `a,b,c,f\n${values.join("")}`]
        }
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

// Half of the functions that have maps are products of sums, by complements.
const isComplemented = number => number % 4 > 1

// Equations of the command with the page's names of outputs: long ones are broken at other places.
function withNames(text, outputs) {
    return text.replaceAll("\n    ", "").replace(/^v\d+\.(\d+) = /gm, (_, number) => `${outputs[number]} = `)
}

async function agreesWithTheCommand({page}) {
    const given = functions(300)
    given.push(["blif", told(["-o", "blif"], given[0][1]).stdout])
    const minimized = given => page.evaluate(async given => {
        const answers = []
        for (const input of given) answers.push(await window.espresso.minimize(...input).catch(error => ({error: error.message})))
        return answers
    }, given)
    const answers = await minimized(given.map(([kind, text], number) => [text, kind, number % 4 + 1, isComplemented(number)]))
    let [maps, minima] = [0, 0]
    for (const [number, [kind, text]] of given.entries()) {
        const answer = answers[number]
        assert.equal(answer.error, undefined, text)
        const options = ["--effort", number % 4 + 1, ...isComplemented(number) ? ["--pos"] : [], ...OPTION[kind]]
        for (const format of number % 10 === 0 ? FORMATS : ["f"]) {
            const {status, stdout, stderr} = told([...options, "-o", format], text)
            const names = format === "eqntott" ? answer.outputs : []
            const [made, wanted] = [answer.written[format].text ?? "", stdout].map(text => withNames(text, names))
            assert.equal(answer.written[format].problem ? 1 : made, status === 0 ? wanted : status, `${text}${stderr}`)
        }
        const {rows, lower_bound: bound} = answer
        if (isComplemented(number)) assert.equal(answer.cubes_before, undefined)
        else if (/\.type (fd|f|fr)\n(?!\.phase)/.test(text)) {
            const given = text.split("\n").filter(line => /^[01-]+ .*1/.test(line))
            assert.equal(answer.cubes_before, given.length, text)
        } else if (/\.type (r|dr)\n(?!\.phase)/.test(text)) assert.equal(answer.cubes_before, undefined)
        assert.equal(answer.written.f.text.split("\n").filter(line => /^[01-]+( |$)/.test(line)).length, rows.length)
        assert.ok(bound === undefined || bound <= rows.length)
        minima += bound === rows.length
        mapsAgree(answer, kind, text, number)
        maps += answer.maps.length
    }
    assert.ok(maps > 100 && minima > 50)
    // The text that a click into a map makes has the same maps.
    const mapped = answers.filter(answer => answer.maps.length > 0)
    const again = await minimized(mapped.map(answer => [written(answer, answer.maps)]))
    assert.deepEqual(again.map(answer => answer.maps), mapped.map(answer => answer.maps))
    assert.ok(again.filter(answer => answer.kind === "equations").length > 50)
    console.log(`${given.length} functions: covers are the command's; ${maps} maps are those of the functions`)
}

// The maps are those of the function and of its rows, and the primes are those of the command.
function mapsAgree(answer, kind, text, number) {
    const {inputs, outputs, rows, complemented} = answer
    assert.equal(answer.maps.length > 0, inputs.length <= 6)
    for (const [output, map] of answer.maps.entries()) {
        const all = sheets(inputs).flatMap(({rows}) => rows.flatMap(({minterms}) => minterms))
        assert.deepEqual(all.toSorted((a, b) => a - b), [...map].map((_, minterm) => minterm))
        const covered = complemented[output] ? "0" : "1"
        for (const minterm of all) {
            const isCovered = rows.some(row => has(row, inputs.length, output, minterm))
            assert.ok(map[minterm] === "-" || isCovered === (map[minterm] === covered), `${text}${outputs[output]} at ${minterm}`)
        }
        if (kind === "truth-table") assert.equal(map, text.split("\n")[output])
        if (number % 10 !== 0 || output > 0) continue
        const values = complemented[output] ? map.replace(/[01]/g, value => 1 - value) : map
        const {stdout} = told(["--truth-table", "-D", "prime_table", "--format", "json"], `${values}\n`)
        const listed = answer.primes[output].split("\n").filter(row => row !== "")
        assert.deepEqual(listed.toSorted(), JSON.parse(stdout).map(({cube}) => cube).toSorted(), text)
    }
}

const saying = (page, words) => page.waitForFunction(words => new RegExp(words).test(document.getElementById("status").textContent), {timeout: 60_000}, words)

async function type(page, words) {
    await page.$eval("#text", (field, words) => {
        document.getElementById("status").replaceChildren()
        field.value = words
        field.dispatchEvent(new Event("input", {bubbles: true}))
    }, words)
}

// The page with its first example minimized.
async function opened(browser) {
    const made = await open(browser, file, {ready: "espresso"})
    await saying(made.page, "products instead of 10")
    return made
}

async function byHand(browser) {
    const {page, problems} = await opened(browser)
    assert.equal((await page.$$("#outputs button")).length, 7)
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
        await saying(page, given.startsWith("f") ? "1 product" : "2 products: nothing to save")
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
    await saying(page, "1 product: nothing to save")
    assert.match(await text(page, "#warnings"), /line 3/)
    // An input of three values has no map, and no Verilog.
    await type(page, ".mv 3 1 3 1\n1 011 1\n")
    await saying(page, "1 product")
    assert.equal(await page.$eval("#map-part", part => part.hidden), true)
    assert.equal(await text(page, "#no-map"), "No Karnaugh map and no list of primes: both are for inputs of two values.")
    await page.select("#format", "verilog")
    assert.equal(await page.$eval("#copy", button => button.disabled), true)
    assert.match(await text(page, "#written"), /multi-valued/)
    // Outputs without a name get one that a person would give, also in equations.
    await type(page, `.i 14\n.o 1\n${"1".repeat(14)} 1\n`)
    await saying(page, "1 product")
    assert.match(await text(page, "#names"), /Output: f\.\s*$/)
    await page.select("#format", "eqntott")
    assert.match(await text(page, "#written"), /^f = \(v0&/)
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
    await saying(first.page, "Read as a truth table")
    const there = await first.page.evaluate(() => location.hash.slice(1))
    await first.page.close()
    const {page, problems} = await open(browser, file, {ready: "espresso", link: there})
    await saying(page, "7 products as before, 25 literals instead of 29")
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
    await page.focus("#stop")
    await page.keyboard.press("Enter")
    await saying(page, "Stopped")
    // The answer that was there stays, marked as that of an earlier text, and so does the place of the keyboard.
    assert.equal(await page.$eval("#result", part => part.hidden), false)
    assert.match(await text(page, "#equations"), /^a = d1·d0' /)
    assert.equal(await page.$eval("#result", part => part.className), "old")
    assert.deepEqual(await page.evaluate(() => [document.activeElement.id, document.getElementById("stop").disabled]), ["minimize", true])
    // The form can be changed, and the work of that too can be stopped: the answer says still what it is.
    await page.click("#product")
    await saying(page, "Minimizing")
    await page.keyboard.press("Escape")
    await saying(page, "Stopped")
    assert.match(await text(page, "#counts"), /products/)
    assert.match(await text(page, "#equations"), /^a = d1·d0' /)
    await page.click("#outputs button:nth-child(2)")
    await page.click("#map button")
    await page.keyboard.press("Escape")
    assert.match(await page.$eval("#text", field => field.value), /^\.i 20/)
    await page.click("#sum")
    await page.keyboard.press("Escape")
    const long = await page.$eval("#text", field => field.value)
    await type(page, "0001\n")
    await saying(page, "1 product: nothing to save")
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
    await saying(page, "2 products: nothing to save")
    assert.deepEqual(problems, [])
    await page.close()
}

// On a phone, nothing is wider than the screen.
async function phone(browser) {
    const {page, problems} = await open(browser, file, {ready: "espresso", width: 360, height: 740, isPhone: true})
    await saying(page, "products")
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
    // The number of products is on the first screen.
    assert.ok(await page.$eval("#status", node => node.getBoundingClientRect().y < innerHeight))
    assert.deepEqual(problems, [])
    await page.close()
}

const names = "abcdeg"
const letters = count => [...names.slice(0, count)]
const shown = (page, selector) => page.$eval(selector, node => node.innerText)

// The ways of textbooks to write a function, as the library reads them; the variables that were found are listed.
async function notations(browser) {
    const {page, problems} = await opened(browser)
    const cases = [
        ["f(a, b, c) = m(1, 3, 5) + d(7);", "f = c", "Inputs: a, b, c. Output: f."],
        ["f = a and not b or c;", "f = a·b' + c", "Inputs: a, b, c. Output: f."],
        ["f = a*b' + !c", "f = a·b' + c'", "Inputs: a, b, c. Output: f."],
        ["INORDER = A B C; f = AB' + C(A + B);", "f = A·B' + B·C", "Inputs: A, B, C. Output: f."],
        ["f = CLOCK & up;", "f = CLOCK·up", "Inputs: CLOCK, up. Output: f."],
        ["a,b,f\n0,0,1\n1,1,1\n", "f = a'·b' + a·b", "Inputs: a, b. Output: f."],
        ["F(A, B, C) = Σm(1, 3, 5) + d(7)", "F = C", "Inputs: A, B, C. Output: F."],
        ["F = Σm(1,3,5)+d(7)", "F = C", "Inputs: A, B, C. Output: F."],
        ["F(A,B,C) = ∏M(0,2,4,6)", "F = C", "Inputs: A, B, C. Output: F."],
        ["F(A,B,C) = PI M(0,2,4,6)", "F = C", "Inputs: A, B, C. Output: F."],
        ["F(A, B, C) = AB' + C", "F = A·B' + C", "Inputs: A, B, C. Output: F."],
        ["F = A·B' + C", "F = A·B' + C", "Inputs: A, B, C. Output: F."],
        ["a & b | !c", "f = a·b + c'", "Inputs: a, b, c. Output: f."],
        ["Σ(0, 2)", "f = B'", "Inputs: A, B. Output: f."],
        ["f = a & b;\ng = a | b", "f = a·b", "Inputs: a, b. Outputs: f, g."],
    ]
    const terms = equation => equation.slice(4).split(" + ").toSorted()
    for (const [given, equation, variables] of cases) {
        await type(page, given)
        await saying(page, "product")
        assert.deepEqual(terms(await text(page, "#equations p")), terms(equation), given)
        assert.equal((await text(page, "#names")).trim(), variables, given)
        // That inputs were not listed is a warning, and nothing else is.
        assert.equal(await text(page, "#warnings"), given.includes("Σ") && !given.includes("(A")
            ? `the inputs are not listed: ${variables.slice(8).split(".")[0]} are assumed, as many as the largest number needs` : "", given)
    }
    assert.match(await text(page, "#accepted"), /first variable, A, is the highest bit/)
    // Letters side by side are one name, and a warning says so; a button reads them as a product.
    await type(page, "F = AB + BC;")
    await saying(page, "2 products")
    assert.match(await text(page, "#warnings"), /variables found: AB, BC; letters side by side are one name/)
    assert.match(await text(page, "#names"), /^Inputs: AB, BC. Output: F. If letters side by side are a product: Read as letters A, B, C$/)
    await page.focus("#names button")
    await page.keyboard.press("Enter")
    await page.waitForFunction(() => /^F = (A·B \+ B·C|B·C \+ A·B)$/.test(document.getElementById("equations").textContent))
    assert.equal(await page.$eval("#warnings", list => list.children.length), 0)
    for (const [given, equation] of [["F = A'B + CD", "F = A'·B + C·D"], ["f = a(b + c)", "f = a·b + a·c"]]) {
        await type(page, given)
        await saying(page, "No result.*Read as letters")
        await page.click("#names button")
        await saying(page, "2 products")
        assert.deepEqual(terms(await text(page, "#equations")), terms(equation))
    }
    await type(page, "AB' + BC")
    await saying(page, "2 products")
    await page.click("#names button")
    await page.waitForFunction(() => /A·B'/.test(document.getElementById("equations").textContent))
    // Prose is refused with what is expected, and a bracket is named with its place.
    for (const prose of ["Minimize, please, the function of 0, 1 and 5; thanks.", "Hello world", "Simplify (by hand)."]) {
        await type(page, prose)
        await saying(page, "^No result.*Expected an equation F = .*, minterms F.* = Σm.*, a truth table, a PLA, CSV or BLIF")
    }
    await type(page, "f = (a & (b | c);")
    await saying(page, "^No result")
    assert.match(await text(page, "#problem"), /line 1, column 17: .* the `\(` in line 1, column 5 is not closed/)
    await type(page, "f = (a & b)) | c;")
    await saying(page, "^No result")
    assert.match(await text(page, "#problem"), /line 1, column 12: this `\)` closes no `\(`/)
    // Fewer literals in as many products, and long sums.
    await type(page, ".i 2\n.o 1\n11 1\n10 1\n01 1\n.e\n")
    await saying(page, "2 products instead of 3")
    await type(page, "f = a & b | !a & b & c | !b & c;")
    await saying(page, "2 products")
    await type(page, `out = ${Array.from({length: 12}, (_, i) => `input_${i} & other_${i}`).join(" | ")};`)
    await saying(page, "12 products: nothing to save")
    await page.select("#format", "eqntott")
    assert.match(await text(page, "#written"), /^out = (\(input_\d+&other_\d+\)( \| )?){12};$/m)
    assert.equal(await text(page, "#no-map"), "No Karnaugh map and no list of primes: this function has 24 inputs, and both are made for at most six.")
    await page.select("#format", "latex")
    assert.match(await text(page, "#written"), /^\\begin\{align\*\}\n\\mathit\{out\} &= .*\\mathit\{input\}_\{0\} \\cdot /)
    assert.deepEqual(problems, [])
    await page.close()
}

// Files of the command are read by their endings.
async function files(browser) {
    const {page, problems} = await opened(browser)
    const directory = mkdtempSync(join(tmpdir(), "espresso-"))
    const given = {"t.csv": "a;b;f\n0;0;1\n0;1;x\n1;1;0\n", "t.blif": ".model t\n.inputs a b\n.outputs f\n.names a b f\n0- 1\n.end\n"}
    for (const [name, content] of Object.entries(given)) {
        writeFileSync(join(directory, name), content)
        await (await page.$("#file")).uploadFile(join(directory, name))
        await page.waitForFunction(content => document.getElementById("text").value === content, {}, content)
        await saying(page, `Read as ${name.split(".")[1].toUpperCase()}`)
        assert.equal(await text(page, "#equations"), "f = a'")
    }
    rmSync(directory, {recursive: true})
    assert.deepEqual(problems, [])
    await page.close()
}

// Which minterms differ from one in one input: its neighbours in the map.
const neighbours = (inputs, minterm) => Array.from({length: inputs}, (_, bit) => minterm ^ 1 << bit)

// Loops are drawn around the minterms of products, open where they go on at the opposite rim, and are named as products.
async function maps(browser) {
    const {page, problems} = await opened(browser)
    const corners = "f(a, b, c, d) = m(0, 2, 8, 10, 5, 7, 13, 15);"
    await type(page, corners)
    await saying(page, "2 products")
    assert.deepEqual(await page.$$eval("#products button", all => all.map(button => button.textContent).toSorted()), ["b'·d'", "b·d"])
    const loops = await page.$$eval("#map .loop", all => all.map(loop => [Number(loop.parentNode.dataset.minterm), loop.className.split(" ").length - 1]))
    // The loop of b·d has two sides at each of its four cells, and so has that of b'·d', whose cells are the corners.
    assert.deepEqual(loops.toSorted(([a], [b]) => a - b), [0, 2, 5, 7, 8, 10, 13, 15].map(minterm => [minterm, 2]))
    const cornerSides = await page.$$eval("#map .loop", all => Object.fromEntries(all.map(loop => [loop.parentNode.dataset.minterm, loop.className])))
    assert.deepEqual([0, 2, 8, 10].map(minterm => cornerSides[minterm]), ["loop right bottom", "loop bottom left", "loop top right", "loop top left"])
    // A chosen product is lit, in the colour of no other.
    await page.click("#products button")
    const product = await text(page, "#products button[aria-pressed=true]")
    const lit = await page.$$eval("#map td.lit", cells => cells.map(cell => Number(cell.dataset.minterm)).toSorted((a, b) => a - b))
    assert.deepEqual(lit, product === "b·d" ? [5, 7, 13, 15] : [0, 2, 8, 10])
    // Cells next to each other differ in one input.
    const grid = await page.$$eval("#map tbody tr", rows => rows.map(row => [...row.querySelectorAll("button")].map(cell => Number(cell.dataset.minterm))))
    for (const [r, row] of grid.entries()) for (const [c, minterm] of row.entries())
        for (const next of [grid[(r + 1) % 4][c], row[(c + 1) % 4]]) assert.ok(neighbours(4, minterm).includes(next))
    // Six inputs are four sheets, in two rows of two.
    await type(page, `f(${letters(6).join(", ")}) = m(0, 63);`)
    await saying(page, "2 products")
    const sheetsShown = await page.$$eval("#map table", all => all.map(table => [table.caption.textContent, table.getBoundingClientRect().x, table.getBoundingClientRect().y]))
    assert.deepEqual(sheetsShown.map(([caption]) => caption), ["a b = 00", "a b = 01", "a b = 10", "a b = 11"])
    const [, [, x1, y1], [, x2, y2]] = sheetsShown
    assert.ok(x1 > x2 && y1 < y2)
    assert.deepEqual(problems, [])
    await page.close()
}

// A cell is clicked through 0, 1 and don't-care; arrow keys move around the rims; the history has the text before.
async function clicks(browser) {
    const {page, problems} = await opened(browser)
    for (const [given, after] of [
        ["f(a, b) = m(1);", ["f(a, b) = m(1) + d(0);\n", "f(a, b) = m(1);\n", "f(a, b) = m(0, 1);\n"]],
        ["0110\n0001\n", ["-110\n0001\n", "0110\n0001\n", "1110\n0001\n"]],
    ]) {
        await type(page, given)
        await saying(page, "products?: nothing")
        for (const wanted of [after[2], after[0], after[1]]) {
            await page.click("#map button[data-minterm='0']")
            await page.waitForFunction((wanted, value) => document.getElementById("text").value === wanted
                && document.querySelector("#map td[data-minterm='0']").dataset.value === value, {}, wanted, wanted === after[2] ? "1" : wanted === after[0] ? "-" : "0")
        }
    }
    await page.goBack()
    await page.waitForFunction(() => document.getElementById("text").value === "0110\n0001\n")
    await saying(page, "3 products: nothing")
    // A map of an earlier text does not replace the text, whose own map comes soon.
    await type(page, "f(a, b) = m(3);")
    await page.click("#map button[data-minterm='0']")
    await page.waitForFunction(() => document.querySelector("#map td[data-minterm='3']").dataset.value === "1")
    assert.equal(await page.$eval("#text", field => field.value), "f(a, b) = m(3);")
    // A cell that is held down while the map is drawn anew gets its click.
    await saying(page, "1 product: nothing")
    await page.hover("#map button[data-minterm='0']")
    await page.mouse.down()
    await page.evaluate(() => {
        document.querySelector("#map .loop").classList.add("seen")
        document.getElementById("minimize").click()
    })
    await page.waitForFunction(() => document.querySelector("#map .loop:not(.seen)") !== null)
    await page.mouse.up()
    await page.waitForFunction(() => document.getElementById("text").value === "f(a, b) = m(0, 3);\n")
    await page.click("#map button[data-minterm='0']")
    await page.waitForFunction(() => document.getElementById("text").value === "f(a, b) = m(3) + d(0);\n")
    // Clicks faster than answers count each, and one step back leads to the text before them.
    await page.evaluate(() => ["1", "2", "2", "0"].forEach(minterm => document.querySelector(`#map button[data-minterm='${minterm}']`).click()))
    await page.waitForFunction(() => document.getElementById("text").value === "f(a, b) = m(1, 3) + d(2);\n")
    await page.waitForFunction(() => [...document.querySelectorAll("#map td[data-minterm]")].map(cell => cell.dataset.value).join("") === "01-1")
    await page.goBack()
    await page.waitForFunction(() => document.getElementById("text").value === "f(a, b) = m(3);")
    await saying(page, "1 product")
    // From an empty map, by keys: up from the first row is the last one. The focus stays on the cell that was changed.
    await page.evaluate(() => [...document.querySelectorAll("#blanks a")].find(link => link.textContent === "4").click())
    await saying(page, "0 products")
    await page.focus("#map button[tabindex='0']")
    for (const key of ["ArrowUp", "ArrowLeft", "Enter"]) await page.keyboard.press(key)
    await page.waitForFunction(() => document.getElementById("text").value === "f(a, b, c, d) = m(10);\n")
    await page.waitForFunction(() => document.activeElement.textContent === "1 minterm 10")
    assert.deepEqual(problems, [])
    await page.close()
}

// The table of primes, the product of sums, and the gates.
async function primesAndGates(browser) {
    const {page, problems} = await opened(browser)
    await type(page, "f(a, b, c) = m(0, 1, 5, 7);")
    await saying(page, "2 products")
    assert.equal(await text(page, "#primes-title"), "3 primes, 2 essential")
    await page.click("#primes-title")
    const table = await page.$$eval("#primes tr", rows => rows.map(row => [...row.cells].map(cell => cell.textContent)))
    assert.deepEqual(table[0], ["prime", "essential", "in the answer", "0", "1", "5", "7"])
    assert.deepEqual(table.slice(1).toSorted(), [
        ["a'·b'", "yes", "yes", "⊗", "×", "", ""], ["a·c", "yes", "yes", "", "", "×", "⊗"], ["b'·c", "", "", "", "×", "×", ""],
    ].toSorted())
    assert.equal(await page.$$eval("#equations .other", all => all.length), 0)
    await page.click("#product")
    await saying(page, "2 sums.*No product of sums has fewer")
    assert.equal((await text(page, "#equations")).replace(/\((.*)\)·\((.*)\)/, (_, ...sums) => sums.slice(0, 2).toSorted().join(" ")), "f = a + b' a' + c")
    assert.deepEqual(await page.$$eval("#map .loop", all => all.map(loop => loop.parentNode.dataset.value)), ["0", "0", "0", "0"])
    const address = await page.evaluate(() => location.hash.slice(1))
    assert.match(address, /^any,2p,/)
    assert.match(await page.$eval("#gates", image => image.alt), /^Gates of f = \(.*\)·\(.*\)$/)
    // Literals of one output are counted as in textbooks, of several outputs also with the outputs.
    const counts = () => page.$$eval("#counts tbody tr:not([hidden])", rows => rows.map(row => row.lastChild.textContent))
    assert.deepEqual(await counts(), ["2", "4"])
    await page.$eval("#gates", image => image.closest("details").open = true)
    await page.waitForFunction(() => document.getElementById("gates").complete)
    assert.ok(await page.$eval("#gates", image => image.naturalWidth > 100 && image.naturalHeight > 50))
    const {page: second} = await open(browser, file, {ready: "espresso", link: address})
    await saying(second, "2 sums")
    await second.close()
    await page.click("#sum")
    await saying(page, "2 products")
    await type(page, "f = a & b; g = a & b | c;")
    await saying(page, "2 products")
    assert.deepEqual(await counts(), ["2", "5", "6"])
    // Each minterm is in two of six primes: another sum is as small, and is shown.
    await type(page, "f(a, b, c) = m(1, 2, 3, 4, 5, 6);")
    await saying(page, "3 products")
    const [answer, other] = await page.$$eval("#equations p", all => all.map(line => line.textContent))
    const chosen = line => line.split(/[=:] /).at(-1).split(" + ").toSorted()
    assert.match(other, /^Another answer as small exists: /)
    assert.deepEqual([answer, other].map(chosen).toSorted(), [["a'·b", "a·c'", "b'·c"], ["a'·c", "a·b'", "b·c'"]])
    // A long table of primes scrolls, with its first column in sight and a shadow at the rim; longer ones are not shown.
    await type(page, "f(a, b, c, d, e) = m(0, 1, 3, 4, 5, 7, 8, 11, 12, 15, 16, 19, 20, 22, 23, 24, 26, 27, 28, 30, 31);")
    await page.waitForFunction(() => /minterm/.test(document.querySelector("#map button").textContent) && document.querySelectorAll("#primes thead th").length === 24)
    await page.$eval("#primes-part", part => part.open = true)
    const [isWider, first, style] = await page.$eval("#primes", table => {
        const frame = table.parentNode
        frame.scrollLeft = 1000
        return [frame.scrollWidth > frame.clientWidth, table.rows[1].cells[0].getBoundingClientRect().x - frame.getBoundingClientRect().x, getComputedStyle(frame).backgroundImage]
    })
    assert.ok(isWider && Math.abs(first) < 1 && style.includes("gradient"))
    await type(page, `${Array.from({length: 64}, (_, m) => [2, 3, 4].includes([...m.toString(2)].filter(bit => bit === "1").length) ? 1 : 0).join("")}\n`)
    await page.waitForFunction(() => document.getElementById("no-primes").textContent === "No list of primes: these are 90, and at most 60 are listed.")
    assert.deepEqual(problems, [])
    await page.close()
}

// A student with an exercise, with the keyboard alone: the minimum sum and product of five inputs with don't-cares.
async function student(browser) {
    for (const size of [{width: 1280, height: 900}, {width: 400, height: 844, isPhone: true}]) {
        const {page, problems} = await open(browser, file, {ready: "espresso", ...size})
        await saying(page, "products")
        const focus = async id => {
            for (let tabs = 0; await page.evaluate(() => document.activeElement.id) !== id; tabs++) {
                assert.ok(tabs < 25, `Tab does not reach ${id}`)
                await page.keyboard.press("Tab")
            }
        }
        await focus("text")
        await page.keyboard.down("Control")
        await page.keyboard.press("a")
        await page.keyboard.up("Control")
        await page.keyboard.type("F(A, B, C, D, E) = Σm(0, 2, 4, 5, 7, 13, 15, 21, 23, 29, 31) + d(1, 6, 20)")
        await saying(page, "2 products instead of 11.*No sum of products has fewer")
        assert.match(await shown(page, "#equations"), /^F = (C·E \+ A'·B'·E'|A'·B'·E' \+ C·E)$/)
        await focus("product")
        await page.keyboard.press("Enter")
        await saying(page, "3 sums.*No product of sums has fewer")
        assert.match(await shown(page, "#equations"), /^F = (\([A-E]'? \+ [A-E]'?\)·?){3}$/)
        await focus("save")
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
        assert.deepEqual(problems, [])
        await page.close()
    }
}

// What axe-core finds, in all states of the page.
async function accessibility(browser) {
    for (const scheme of ["light", "dark"]) for (const size of [{width: 1280, height: 900}, {width: 400, height: 844, isPhone: true}]) {
        const {page, problems} = await open(browser, file, {ready: "espresso", scheme, ...size})
        for (const given of [null, "F = AB + BC;", "f(a, b, c, d, e) = m(0, 2, 31) + d(1);", "f = a & ;", "Find the minimal sum of the function with minterms 0, 1 and 5.", ""]) {
            if (given !== null) await type(page, given)
            await saying(page, "products|No result|Nothing")
            await page.evaluate(() => document.querySelector("#result:not([hidden]) #products button")?.click())
            await page.evaluate(() => document.querySelectorAll("details").forEach(part => part.open = true))
            assert.deepEqual(await violations(page), [], `${scheme} ${given}`)
        }
        assert.deepEqual(problems, [])
        await page.close()
    }
}

const browser = await launch()
const tests = {
    "by hand": byHand, link, notations, files, maps, clicks, "primes and gates": primesAndGates, student, "long work": longWork,
    "a phone": phone, accessibility,
}
try {
    const first = await opened(browser)
    if (!process.env.PART) await agreesWithTheCommand(first)
    assert.deepEqual(first.problems, [])
    for (const [name, test] of Object.entries(tests)) {
        if (process.env.PART && process.env.PART !== name) continue
        await test(browser)
        console.log(name)
    }
} finally {
    await browser.close()
}
