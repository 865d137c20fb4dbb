// Tests the page in headless Chromium: its answers against the command's, and its use by drag, keys and links.
// Usage: node test.js FILE COMMAND TABLES...
// If $OUTCOMES names a file, the answers about many positions are written there: FEN, tab, outcome or error.

import assert from "node:assert/strict"
import {spawnSync} from "node:child_process"
import {readFileSync, writeFileSync} from "node:fs"
import {resolve} from "node:path"
import {launch, open} from "./chromium.js"
import {positions} from "./positions.js"

const [file, command, ...added] = process.argv.slice(2).map(path => resolve(path))
const OPPOSITE = {win: "loss", draw: "draw", loss: "win"}

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

// The positions of a clause are counted and described as by `explain`: some with exceptions, some of pawns, some without a clause.
async function countsAgree({page}) {
    const fens = ["8/8/8/4k3/8/8/4P3/4K3 w - - 0 1", "8/8/8/3k4/8/1r6/8/K2N4 w - - 0 1", "8/2p5/8/3k4/8/4P3/8/4K3 b - - 0 1", "8/8/8/8/8/4k3/8/K7 w - - 0 1"]
    for (const fen of fens) {
        await page.evaluate(fen => location.hash = fen.replaceAll(" ", "_"), fen)
        await page.waitForFunction(fen => document.getElementById("fen").value === fen && document.getElementById("coverage").textContent !== "", {}, fen)
        const {stdout} = spawnSync(command, ["explain", fen], {encoding: "utf8"})
        assert.ok(stdout.replace(/\s+/g, " ").includes(await text(page, "#coverage")), `${await text(page, "#coverage")} of ${stdout}`)
    }
    console.log(`${fens.length} clauses: their positions and exceptions are those of explain`)
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

const text = (page, selector) => page.$eval(selector, node => node.textContent)
const fenOf = page => page.$eval("#fen", field => field.value)
const linkOf = page => page.evaluate(() => decodeURIComponent(location.hash.slice(1)).replaceAll("_", " "))

async function center(page, square) {
    return page.$eval(`#board .board [data-square=${square}]`, node => {
        const {x, y, width, height} = node.getBoundingClientRect()
        return [x + width / 2, y + height / 2]
    })
}

async function drag(page, from, to) {
    await page.mouse.move(...from)
    await page.mouse.down()
    await page.mouse.move((from[0] + to[0]) / 2, (from[1] + to[1]) / 2)
    await page.mouse.move(...to)
    await page.mouse.up()
}

const becomes = (page, fen) => page.waitForFunction(fen => document.getElementById("fen").value === fen, {timeout: 20_000}, fen)
    .catch(async () => assert.equal(await fenOf(page), fen))

async function dragAndKeys(browser) {
    const start = "8/8/8/8/8/4k3/7R/4K3 w - - 0 1"
    const {page, problems} = await open(browser, file, {fen: start})
    assert.equal(await fenOf(page), start)
    assert.match(await text(page, "#outcome"), /^White wins/)
    assert.equal((await page.$$("#moves button")).length, (await page.$$("#moves li")).length)
    // The highlighted squares of a man.
    assert.ok((await page.$$("[data-lit]")).length > 0)
    const asked = await page.$$eval("[data-lit]", nodes => nodes.map(node => node.dataset.lit))
    await page.keyboard.press("2")
    assert.notDeepEqual(await page.$$eval("[data-lit]", nodes => nodes.map(node => node.dataset.lit)), asked)
    // An illegal drag changes nothing, a legal one plays the move.
    await drag(page, await center(page, "e1"), await center(page, "e2"))
    assert.equal(await fenOf(page), start)
    assert.match(await text(page, "#outcome"), /e1-e2 is not a legal move/)
    await drag(page, await center(page, "h2"), await center(page, "h3"))
    const after = "8/8/8/8/8/4k2R/8/4K3 b - - 1 1"
    await becomes(page, after)
    assert.equal(await linkOf(page), after)
    assert.match(await text(page, "#outcome"), /^White wins/)
    // A clicked man shows its target squares, coloured by outcome.
    await page.mouse.click(...await center(page, "e3"))
    assert.ok((await page.$$("[data-target]")).length > 0)
    await page.mouse.click(...await center(page, "e4"))
    await becomes(page, "8/8/8/8/4k3/7R/8/4K3 w - - 2 2")
    await page.keyboard.press("Backspace")
    await becomes(page, after)
    await page.keyboard.press("ArrowLeft")
    await becomes(page, start)
    await page.keyboard.press("ArrowRight")
    await becomes(page, after)
    // A link opened in the same page.
    await page.evaluate(() => { location.hash = "#7k/5K2/8/8/8/8/8/6R1_w_-_-_0_1" })
    await becomes(page, "7k/5K2/8/8/8/8/8/6R1 w - - 0 1")
    await page.keyboard.press("Space")
    await becomes(page, "7k/5K2/8/8/8/8/8/7R b - - 1 1")
    assert.match(await text(page, "#outcome"), /checkmated/)
    assert.deepEqual(problems, [])
    await page.close()
    console.log("drag, click, keys and link")
}

// Space keeps the outcome, in a won and in a drawn position.
async function spaceKeepsTheOutcome(browser) {
    for (const [fen, expected] of [["8/8/8/4k3/8/8/3QP3/4K3 w - - 0 1", "win"], ["8/8/8/4k3/8/8/4P3/4K3 w - - 0 1", "draw"]]) {
        const {page, problems} = await open(browser, file, {fen})
        let mover = expected
        for (let move = 0; move < 12; move++) {
            assert.equal(await page.$eval("#outcome", node => node.className), mover)
            if (/mated/.test(await text(page, "#outcome"))) break
            const before = await fenOf(page)
            await page.keyboard.press("Space")
            await page.waitForFunction(before => document.getElementById("fen").value !== before, {timeout: 20_000}, before)
            mover = OPPOSITE[mover]
        }
        assert.deepEqual(problems, [])
        await page.close()
    }
    console.log("space keeps the outcome")
}

// Bishop and knight mate by the button, well before the 50-move rule applies, and the page counts the plies.
async function bestMovesMate(browser) {
    const fen = "8/8/8/3k4/8/3K4/3B4/6N1 w - - 0 1"
    const {page, problems} = await open(browser, file, {fen})
    await page.waitForSelector("#moves small", {timeout: 60_000})
    const [, plies] = /(\d+) plies to/.exec(await text(page, "#outcome"))
    assert.ok(Number(plies) <= 65)
    for (let ply = 0; ply < Number(plies); ply++) {
        const before = await fenOf(page)
        assert.match(await text(page, "#outcome"), new RegExp(`White wins.*\\b${plies - ply} pl(y|ies) to`))
        await page.click("#play-best")
        await page.waitForFunction(before => document.getElementById("fen").value !== before, {timeout: 20_000}, before)
    }
    assert.match(await text(page, "#outcome"), /checkmated/)
    for (const [clock, said] of [[100 - plies, /White wins.*is near/], [101 - plies, /draw by the 50-move rule.*Too many/i]]) {
        const late = fen.replace(" 0 1", ` ${clock} 70`)
        await page.evaluate(fen => location.hash = fen, late.replaceAll(" ", "_"))
        await becomes(page, late)
        assert.match(await text(page, "#outcome"), said)
    }
    assert.deepEqual(problems, [])
    await page.close()
    console.log(`bishop and knight mate in ${plies} plies`)
}

// Castling rights are no part of a clause. A move whose outcome may be worse than the best is not safe.
async function saysWhatItKnows(browser) {
    let {page, problems} = await open(browser, file, {fen: "8/8/8/3k4/8/8/1r6/R3K3 w Q - 0 1"})
    assert.match(await text(page, "#clause-head"), /^With the castling rights Q, White wins\. Without them: Clause .* the game is drawn/)
    await page.click("#turn [value=b]")
    await becomes(page, "8/8/8/3k4/8/8/1r6/R3K3 b Q - 0 1")
    const kept = await page.evaluate(fen => {
        try {
            window.cubebase.count(fen, 1e6)
        } catch (error) {
            return `${error.message}, ${window.cubebase.probe(fen)}`
        }
    }, "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1")
    assert.match(kept, /^slice 1000000 of \d+, draw$/)
    assert.deepEqual(problems, [])
    await page.close();
    ({page, problems} = await open(browser, file, {fen: "7k/8/8/8/1N6/8/2p5/6KN w - - 0 1"}))
    assert.match(await text(page, "#outcome"), /^Unknown/)
    assert.ok((await page.$$("#moves .draw")).length > 0)
    assert.equal((await page.$$("#moves .chosen")).length, 0)
    assert.deepEqual(problems, [])
    await page.close()
    console.log("castling rights and unknown outcomes")
}

async function promotes(browser) {
    const {page, problems} = await open(browser, file, {fen: "8/7P/8/8/8/8/5k2/7K w - - 0 1"})
    await drag(page, await center(page, "h7"), await center(page, "h8"))
    await page.waitForSelector("#promotion[open]")
    await page.click("#promotion [value=h7h8r]")
    await becomes(page, "7R/8/8/8/8/8/5k2/7K b - - 0 1")
    assert.deepEqual(problems, [])
    await page.close()
    console.log("promotion")
}

async function setsUp(browser) {
    const {page, problems} = await open(browser, file, {fen: "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1"})
    await page.keyboard.press("s")
    await drag(page, await center(page, "e5"), await center(page, "a8"))
    await becomes(page, "k7/8/8/8/8/8/4P3/4K3 w - - 0 1")
    const [x, y] = await center(page, "e2")
    await drag(page, [x, y], [x + 700, y])
    await becomes(page, "k7/8/8/8/8/8/8/4K3 w - - 0 1")
    const man = await page.$eval("#men [data-man=wr]", node => {
        const {x, y} = node.getBoundingClientRect()
        return [x + 20, y + 20]
    })
    await drag(page, man, await center(page, "c3"))
    await becomes(page, "k7/8/8/8/8/2R5/8/4K3 w - - 0 1")
    await page.click("#men [data-man=bn]")
    await page.mouse.click(...await center(page, "h8"))
    await becomes(page, "k6n/8/8/8/8/2R5/8/4K3 w - - 0 1")
    // Then it is an ordinary click again.
    await page.keyboard.press("s")
    await page.click("#turn [value=b]")
    await becomes(page, "k6n/8/8/8/8/2R5/8/4K3 b - - 0 1")
    assert.ok((await page.$$("#moves button")).length > 0)
    // Invalid text gives an error, and leaves the men in place.
    const men = () => page.$$eval("#board [data-piece]", nodes => nodes.map(node => node.dataset.piece).sort().join())
    let kept = await men()
    for (const [fen, said] of [["8/8/8/8/8/8/8/4K3 w - - 0 1", /0 kings/], ["<b>x</b>", /bad FEN/i], ["QQQQk3/8/8/8/8/8/8/4K3 b - - 0 1", /./]]) {
        await page.$eval("#fen", (field, fen) => { field.value = fen }, fen)
        await page.click("#fen-form button")
        assert.match(await text(page, "#outcome"), said)
        if (!fen.includes("/")) assert.equal(await men(), kept)
        kept = await men()
    }
    assert.deepEqual(problems, [])
    await page.close()
    console.log("setting up")
}

// The tables of files answer as the command does with them. A file that is no table is refused by name, and the tables stay.
async function addsTables(browser) {
    const {page, problems} = await open(browser, file, {fen: "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1"})
    await (await page.$("#files")).uploadFile(...added, file)
    await page.waitForFunction(() => / added\./.test(document.getElementById("added").textContent), {timeout: 60_000})
    assert.match(await text(page, "#added"), /^[1-9]\d* tables? added\. index\.html: /)
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

async function fitsAPhone(browser) {
    const fen = "4k3/4r3/8/8/8/8/1K6/7Q w - - 0 1"
    const {page, problems} = await open(browser, file, {fen, width: 360, height: 740, isPhone: true})
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360)
    // Touch input plays moves too.
    const [from, to] = [await center(page, "h1"), await center(page, "a8")]
    await page.touchscreen.touchStart(...from)
    await page.touchscreen.touchMove((from[0] + to[0]) / 2, (from[1] + to[1]) / 2)
    await page.touchscreen.touchMove(...to)
    await page.touchscreen.touchEnd()
    await becomes(page, "Q3k3/4r3/8/8/8/8/1K6/8 b - - 1 1")
    assert.deepEqual(problems, [])
    await page.close()
    console.log("a phone")
}

const browser = await launch()
try {
    const opened = await open(browser, file)
    await linesOfUse(opened)
    await countsAgree(opened)
    await agreesWithTheCommand(opened)
    await outcomesAgree(opened)
    assert.deepEqual(opened.problems, [])
    await opened.page.close()
    for (const part of [dragAndKeys, spaceKeepsTheOutcome, bestMovesMate, saysWhatItKnows, promotes, setsUp, addsTables, fitsAPhone]) await part(browser)
} finally {
    await browser.close()
}
