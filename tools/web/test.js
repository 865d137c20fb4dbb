// Tests the answers of the page in headless Chromium against the command's; page/test.js tests its use.
// Usage: node test.js FILE COMMAND TABLES...
// If $OUTCOMES names a file, the answers about many positions are written there: FEN, tab, outcome or error.

import assert from "node:assert/strict"
import {spawnSync} from "node:child_process"
import {readFileSync, writeFileSync} from "node:fs"
import {dirname, resolve} from "node:path"
import {gzipSync} from "node:zlib"
import {becomes, launch, open, text} from "./chromium.js"
import {positions} from "./positions.js"

const [file, command, ...added] = process.argv.slice(2).map(path => resolve(path))

// Positions with features that random ones seldom have.
const OTHERS = [
    "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "7k/8/8/8/3pP3/8/8/K7 b - e3 0 1", "8/8/8/8/k2Pp2R/8/8/4K3 b - d3 0 1",
    "r3k3/8/8/8/8/8/8/R3K3 w Qq - 0 1", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "8/7P/8/8/8/8/5k2/7K w - - 0 1",
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "7k/8/8/8/8/8/8/K7 b - - 99 80",
    "QQQQk3/8/8/8/8/8/8/4K3 b - - 0 1", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "8/8/8/8/8/8/8/K7 w - - 0 1",
    "4k3/8/8/8/8/8/8/4K3 w - - 0", "k7/8/8/8/8/8/8/K7 x - - 0 1", "k7/9/8/8/8/8/8/K7 w - - 0 1", "nonsense", "é w - -",
]

function lines(args, fens) {
    const {stdout, error} = spawnSync(command, args, {input: fens.map(fen => `${fen}\n`).join(""), encoding: "utf8", maxBuffer: 1 << 28})
    if (error) throw error
    const found = stdout.trimEnd().split("\n")
    assert.equal(found.length, fens.length)
    return found
}

// An error of the command without the reading as a FEN of Chinese chess, which the page does not know.
const ofChess = answer => answer.replace(/; bad FEN of Chinese chess: .*/, "")

async function agreesWithTheCommand({page}) {
    await page.evaluate(() => location.hash = "#8/8/8/3k4/8/3K4/3B4/6N1_w_-_-_0_1")
    await page.waitForSelector("#moves small", {timeout: 60_000})
    const fens = [...OTHERS, ...positions(1500)]
    const answers = await page.evaluate(fens => {
        const told = (ask, fen) => {
            try {
                return ask(fen)
            } catch (error) {
                return {error: error.message}
            }
        }
        const {probe, moves, explain} = window.cubebase
        return fens.map(fen => [probe, moves, explain].map(ask => told(ask, fen)))
    }, fens)
    const outcomes = lines(["probe", "-"], fens)
    const moves = lines(["moves", "--format", "json", "-"], fens)
    const certificates = lines(["explain", "--no-count", "--format", "json", "-"], fens)
    let count = 0
    fens.forEach((fen, number) => {
        const [probed, listed, explained] = answers[number]
        assert.equal(probed.error ? `error: ${probed.error}` : probed, ofChess(outcomes[number]), fen)
        if (listed.error) assert.equal(listed.error, ofChess(JSON.parse(moves[number]).error), fen)
        else assert.equal(listed, moves[number], fen)
        if (probed.error) return assert.equal(explained.error, probed.error, fen)
        assert.equal(explained, certificates[number], fen)
        if (number >= OTHERS.length) count++
    })
    assert.ok(count >= 1000)
    console.log(`${count} random legal positions, and ${fens.length - count} others: outcomes, moves and clauses are the command's`)
}

// The outcomes of many more positions.
async function outcomesAgree({page}) {
    const fens = positions(125_000)
    const answers = await page.evaluate(fens => fens.map(fen => {
        try {
            return window.cubebase.probe(fen)
        } catch (error) {
            return `error: ${error.message}`
        }
    }), fens)
    const expected = lines(["probe", "-"], fens)
    const differs = fens.findIndex((_, number) => answers[number] !== expected[number])
    assert.equal(differs, -1, `${fens[differs]}: ${answers[differs]}, not ${expected[differs]}`)
    const count = answers.filter(answer => !answer.startsWith("error")).length
    assert.ok(count >= 100_000)
    if (process.env.OUTCOMES)
        writeFileSync(process.env.OUTCOMES, fens.map((fen, number) => `${fen}\t${answers[number]}\n`).join(""))
    console.log(`${count} random legal positions more: outcomes are the command's`)
}

// The positions of a clause are counted as by `explain`: some with exceptions, some of pawns, some without a clause.
async function countsAgree({page}) {
    const fens = ["8/8/8/4k3/8/8/4P3/4K3 w - - 0 1", "8/8/8/3k4/8/1r6/8/K2N4 w - - 0 1", "8/2p5/8/3k4/8/4P3/8/4K3 b - - 0 1", "8/8/3k4/8/8/8/8/KR6 w - - 0 1"]
    for (const fen of fens) {
        await page.evaluate(fen => location.hash = fen.replaceAll(" ", "_"), fen)
        await becomes(page, fen)
        const counts = await (await page.waitForFunction(() => document.getElementById("lead").dataset.counts)).jsonValue()
        const {coverage} = JSON.parse(lines(["explain", "--format", "json", "-"], [fen])[0])
        assert.equal(counts, Object.values(coverage).join(), fen)
    }
    const refused = await page.evaluate(fen => {
        try {
            window.cubebase.count(fen, 1e6)
        } catch (error) {
            return `${error.message}, ${window.cubebase.probe(fen)}`
        }
    }, fens[0])
    assert.match(refused, /^slice 1000000 of \d+, draw$/)
    console.log(`${fens.length} clauses: their positions and exceptions are those of explain`)
}

// The sizes over the wire that README.md gives, in the order of the files, are right within 5 %.
function sizesOfReadme() {
    const said = /over the wire ([^:]*)/.exec(readFileSync(new URL("README.md", import.meta.url), "utf8"))[1]
    const sizes = [...said.matchAll(/([\d.]+) (kB|MB)/g)].map(([, number, unit]) => number * (unit === "kB" ? 1e3 : 1e6))
    const files = ["index.html", "cubebase-distances.js", "espresso.html"].map(name => gzipSync(readFileSync(resolve(dirname(file), name)), {level: 9}).length)
    files.forEach((size, number) => assert.ok(Math.abs(size / sizes[number] - 1) < 0.05, `${size} bytes, not ${sizes[number]}`))
    assert.equal(sizes.length, files.length)
    console.log("sizes in the README")
}

// The example lines in README.md give the results in their comments.
async function linesOfUse({page}) {
    const [, block] = /```js\n(.*?)```/s.exec(readFileSync(new URL("README.md", import.meta.url), "utf8"))
    const lines = block.trimEnd().split("\n")
    for (const line of lines) {
        const [expression, expected] = line.split(" // ")
        assert.equal(await page.evaluate(expression), JSON.parse(expected), line)
    }
    console.log(`${lines.length} lines of the README`)
}

// The tables of files answer as the command does with them. A file that is no table is refused by name, and the tables stay.
async function addsTables(browser) {
    const {page, problems} = await open(browser, file, {fen: "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1"})
    await (await page.$("#files")).uploadFile(...added, file)
    await page.waitForFunction(() => / added[.:]/.test(document.getElementById("added").textContent), {timeout: 60_000})
    assert.match(await text(page, "#added"), /^[1-9]\d* tables? added: .*\. index\.html: /)
    const fens = positions(200_000, 5)
    const answers = await page.evaluate(fens => fens.map(fen => {
        try {
            return window.cubebase.probe(fen)
        } catch {
            return "error"
        }
    }), fens)
    const expected = lines(["probe", ...added.flatMap(path => ["--tables", path]), "-"], fens).map(line => line.replace(/^error.*/, "error"))
    const differs = fens.findIndex((_, number) => answers[number] !== expected[number])
    assert.equal(differs, -1, `${fens[differs]}: ${answers[differs]}, not ${expected[differs]}`)
    const count = fens.filter((fen, number) => answers[number] !== "error" && fen.split(" ")[0].match(/[a-z]/gi).length > 4).length
    assert.deepEqual(problems, [])
    await page.close()
    console.log(`${added.length} files of tables added: outcomes are the command's, ${count} of them of five men`)
}

sizesOfReadme()
const browser = await launch()
try {
    const opened = await open(browser, file)
    await linesOfUse(opened)
    await countsAgree(opened)
    await agreesWithTheCommand(opened)
    await outcomesAgree(opened)
    assert.deepEqual(opened.problems, [])
    await opened.page.close()
    await addsTables(browser)
} finally {
    await browser.close()
}
