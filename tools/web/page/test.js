// Tests the use of the page in headless Chromium: by mouse, by touch, by keyboard alone, with and without a server.
// If $PART names a part, only that is tested.
// Usage: node page/test.js FILE DIRECTORY, with a directory that has one table

import assert from "node:assert/strict"
import {readdirSync} from "node:fs"
import {resolve} from "node:path"
import {becomes, center, drag, fenOf, isFirefox, launch, linkOf, open, text, violations, withPage as withPageOf} from "../chromium.js"
import {countsAnew, offersTables} from "./test-tables.js"

const [file, directory] = process.argv.slice(2).map(path => resolve(path))
const table = resolve(directory, readdirSync(directory)[0])
const OPPOSITE = {win: "loss", draw: "draw", loss: "win"}
const ROOK = "8/8/8/4k3/8/8/8/R3K3 w - - 0 1"

const all = (page, selector, name) => page.$$eval(selector, (nodes, name) => nodes.map(node => node.getAttribute(name)), name)
const withPage = (browser, options, part) => withPageOf(browser, file, options, part)
const squares = async (page, name) => (await all(page, `[data-${name}]`, `data-${name}`)).sort().join(" ")

async function dragAndClick(browser) {
    const start = "8/8/8/8/8/4k3/7R/4K3 w - - 0 1"
    await withPage(browser, {fen: start}, async page => {
        assert.equal(await fenOf(page), start)
        assert.match(await text(page, "#outcome"), /^White wins/)
        // An illegal drag changes nothing, a legal one plays the move.
        await drag(page, await center(page, "e1"), await center(page, "e2"))
        assert.equal(await fenOf(page), start)
        assert.match(await text(page, "#outcome"), /e1-e2 is not a legal move/)
        await drag(page, await center(page, "h2"), await center(page, "h3"))
        const after = "8/8/8/8/8/4k2R/8/4K3 b - - 1 1"
        await becomes(page, after)
        assert.equal(await linkOf(page), after)
        assert.equal(await page.$eval("#outcome", node => node.dataset.winner), "White")
        assert.equal(await squares(page, "last"), "h2 h3")
        assert.equal(await squares(page, "check"), "e3")
        // A clicked man shows its target squares, coloured by outcome.
        await page.mouse.click(...await center(page, "e3"))
        assert.ok((await page.$$("[data-target]")).length > 0)
        await page.mouse.click(...await center(page, "e4"))
        await becomes(page, "8/8/8/8/4k3/7R/8/4K3 w - - 2 2")
        assert.equal(await squares(page, "check"), "")
    })
    console.log("drag and click")
}

// The record of moves, and the browser's Back.
async function goesBack(browser) {
    await withPage(browser, {fen: ROOK}, async page => {
        const played = [ROOK]
        for (const move of ["a1a4", "e5d5", "e1e2"]) {
            await page.click(`#moves [data-uci=${move}]`)
            await page.waitForFunction(fen => document.getElementById("fen").value !== fen, {}, played.at(-1))
            played.push(await fenOf(page))
        }
        assert.equal(await text(page, "#record"), "1.Ra4Kd52.Ke2")
        const steps = [
            [() => page.keyboard.press("Backspace"), 2], [() => page.keyboard.press("ArrowLeft"), 1], [() => page.click("#forward"), 2],
            [() => page.click("#back"), 1], [() => page.keyboard.press("ArrowRight"), 2], [() => page.click("#record [data-at='3']"), 3],
            // Every change is an entry of the browser's history.
            [() => page.goBack(), 2], [() => page.goBack(), 1], [() => page.goForward(), 2],
            [() => page.reload().then(() => page.waitForFunction("window.cubebase")), 2],
        ]
        for (const [act, expected] of steps) {
            await act()
            await becomes(page, played[expected])
            assert.deepEqual(await all(page, "#record [aria-current]", "data-at"), [String(expected)])
            assert.equal((await page.$$("#record li")).length, 3)
        }
        // A link in the page begins a new record, and Back returns to the old one.
        await page.evaluate(() => { location.hash = "#7k/5K2/8/8/8/8/8/6R1_w_-_-_0_1" })
        await becomes(page, "7k/5K2/8/8/8/8/8/6R1 w - - 0 1")
        assert.equal((await page.$$("#record li")).length, 0)
        await page.keyboard.press(" ")
        await becomes(page, "7k/5K2/8/8/8/8/8/7R b - - 1 1")
        assert.match(await text(page, "#outcome"), /checkmated/)
        for (const expected of ["7k/5K2/8/8/8/8/8/6R1 w - - 0 1", played[2]]) {
            await page.goBack()
            await becomes(page, expected)
        }
        // The address counts, not a state that is of another position or another page.
        const link = "7k/5K2/8/8/8/8/8/6R1 w - - 0 1"
        for (const state of [{record: [{fen: ROOK}], at: 0}, {text: "f = a & b;"}, {record: [{fen: link}], at: 1}]) {
            await page.evaluate((state, link) => history.replaceState(state, "", link), state, `#${link.replaceAll(" ", "_")}`)
            await page.reload()
            await page.waitForFunction("window.cubebase")
            assert.equal(await fenOf(page), link)
            assert.match(await text(page, "#outcome"), /^White wins/)
        }
        // An address that is no position leaves the one shown, and its address.
        await page.evaluate(() => { location.hash = "#hello" })
        await page.waitForFunction(() => /not a position/.test(document.getElementById("fen-problem").textContent))
        assert.equal(await linkOf(page), link)
    })
    console.log("Back and Forward")
}

async function movesSayWhatTheyDo(browser) {
    const badge = (page, move) => text(page, `#moves [data-uci=${move}] small`)
    for (const [fen, move, said, material] of [
        ["8/2k5/8/8/8/8/2q4R/6K1 w - - 0 1", "h2c2", "Capture", "KQvKR"], ["8/P7/8/8/8/k7/8/K7 w - - 0 1", "a7a8q", "Pawn move", "KPvK"],
        ["7k/5Q2/6K1/8/8/8/8/8 w - - 0 1", "f7h7", "Checkmate", "KQvK"], ["7k/4Q3/6K1/8/8/8/8/8 w - - 0 1", "e7f7", "Stalemate", "KQvK"],
    ]) await withPage(browser, {fen}, async page => {
        await page.waitForFunction(() => document.querySelectorAll("#moves small").length > 1, {timeout: 60_000})
        assert.equal(await badge(page, move), said)
        assert.equal(await page.title(), `${material}: White wins – cubebase`)
    })
    await withPage(browser, {fen: ROOK}, async page => {
        await page.waitForSelector("#moves small", {timeout: 60_000})
        assert.equal(await badge(page, "a1a5"), "DTZ 26")
        assert.equal(await text(page, "#material"), "KRvK")
        assert.equal(await page.title(), "KRvK: White wins – cubebase")
        // Pointing at a move adds an arrow and leaves that of the best move.
        const best = () => page.$eval("[data-best]", node => node.getAttribute("points"))
        const before = await best()
        await page.hover("#moves [data-uci=a1b1]")
        assert.equal((await page.$$("[data-pointed]")).length, 1)
        assert.equal(await best(), before)
        await page.hover("h1")
        assert.equal((await page.$$("[data-pointed]")).length, 0)
    })
    // None of several drawing moves is the best.
    await withPage(browser, {fen: "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1"}, async page => {
        assert.equal(await text(page, "#moves h3"), "= Drawing (6): any of these moves draws")
        assert.equal((await page.$$("[data-best], #moves .best")).length, 0)
        await page.hover("#moves [data-uci=e2e4]")
        assert.equal((await page.$$("[data-pointed]")).length, 1)
    })
    console.log("moves with their outcomes and distances")
}

// The king is dragged onto its rook, or by two squares.
async function castles(browser) {
    for (const to of ["h1", "g1"]) await withPage(browser, {fen: "4k3/8/8/8/8/8/8/4K2R w K - 0 1"}, async page => {
        await drag(page, await center(page, "e1"), await center(page, to))
        await becomes(page, "4k3/8/8/8/8/8/8/5RK1 b - - 1 1")
    })
    await withPage(browser, {fen: "8/8/8/3k4/8/8/1r6/R3K3 w Q - 0 1"}, async page => {
        assert.match(await text(page, "#castling-note"), /^With castling \(Q\): White wins\. Without it/)
        assert.match(await text(page, "#lead"), /a draw/)
        await page.click("#turn [value=b]")
        await becomes(page, "8/8/8/3k4/8/8/1r6/R3K3 b Q - 0 1")
    })
    console.log("castling")
}

// King and rook mate by Tab and Enter alone: the first move in the list is the best one, and keeps the focus.
async function matesByKeyboard(browser) {
    await withPage(browser, {fen: ROOK}, async page => {
        await page.waitForSelector("#moves small", {timeout: 60_000})
        const isOnMove = () => page.evaluate(() => Boolean(document.activeElement.dataset.uci))
        let tabs = 0
        do {
            await page.keyboard.press("Tab")
            tabs++
        } while (!await isOnMove())
        assert.ok(tabs <= 3, `${tabs} Tabs to the first move`)
        let moves = 0
        for (; !/checkmated/.test(await text(page, "#outcome")); moves++) {
            assert.ok(moves < 27 && await isOnMove())
            const before = await fenOf(page)
            await page.keyboard.press("Enter")
            await page.waitForFunction(before => document.getElementById("fen").value !== before, {}, before)
        }
        assert.equal(moves, 27)
    })
    console.log("a mate by keyboard alone")
}

// Played against the page, which replies, king and rook mate; a move taken back gets no reply.
async function replies(browser) {
    await withPage(browser, {fen: ROOK}, async page => {
        await page.waitForSelector("#moves small", {timeout: 60_000})
        await page.click("#replies")
        const turnsWhite = () => page.waitForFunction(() => document.getElementById("fen").value.split(" ")[1] === "w")
        await drag(page, await center(page, "a1"), await center(page, "a4"))
        await becomes(page, "8/8/8/4k3/R7/8/8/4K3 b - - 1 1")
        await turnsWhite()
        const [before, played] = [await fenOf(page), (await page.$$("#record li")).length]
        assert.equal(played, 2)
        await page.keyboard.press("Backspace")
        await becomes(page, "8/8/8/4k3/R7/8/8/4K3 b - - 1 1")
        await new Promise(resolve => setTimeout(resolve, 600))
        assert.equal(await linkOf(page), "8/8/8/4k3/R7/8/8/4K3 b - - 1 1")
        await page.keyboard.press("ArrowRight")
        await becomes(page, before)
        while (!/checkmated/.test(await text(page, "#outcome"))) {
            await turnsWhite()
            await page.click("#moves button")
        }
        assert.match(await text(page, "#outcome"), /^White wins/)
    })
    console.log("the page replies")
}

// The squares of the clause are shown on request; its sentences point at men; other positions of it.
async function showsTheClause(browser) {
    await withPage(browser, {fen: "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1"}, async page => {
        assert.equal(await squares(page, "lit"), "")
        await page.waitForFunction(() => document.getElementById("lead").dataset.counts)
        assert.equal(await text(page, "#lead"), "Clause 98 holds in 870 of 163,328 positions, always a draw.")
        assert.equal(await page.$eval("#conditions", node => node.open), false)
        await page.click("#show-clause")
        assert.equal(await squares(page, "lit"), "c1 d1 e1 f1 g1")
        assert.equal((await page.$$(".pale")).length, 4)
        await page.keyboard.press("2")
        assert.equal(await squares(page, "lit"), "e5")
        await page.keyboard.press("c")
        assert.equal(await squares(page, "lit"), "")
        await page.click("#conditions-head")
        await page.hover("#clause li:nth-child(2) button")
        assert.equal(await squares(page, "named"), "e2")
        await page.hover("#clause li:nth-child(3) button")
        assert.equal(await squares(page, "named"), "e2 e5")
        await page.hover("h1")
        assert.equal(await squares(page, "named"), "")
        const before = await fenOf(page)
        await page.click("#another")
        const after = await fenOf(page)
        assert.notEqual(after, before)
        assert.equal(await page.evaluate(fen => JSON.parse(window.cubebase.explain(fen)).number, after), 98)
        await page.goBack()
        await becomes(page, before)
    })
    await withPage(browser, {fen: ROOK}, async page => {
        await page.waitForFunction(() => document.getElementById("lead").dataset.counts)
        assert.equal(await text(page, "#lead"), "With these men and White to move, White wins in all 175,168 positions.")
        assert.equal(await page.$eval("#conditions", node => node.checkVisibility()), false)
    })
    await withPage(browser, {fen: "8/8/8/4k3/8/8/5P2/7K w - - 0 1"}, async page => {
        for (let times = 0; times < 2; times++) await page.click("#another")
        await page.waitForFunction(() => document.getElementById("lead").dataset.counts)
        assert.equal(await text(page, "#alone"), "No man can move alone to another position of this clause.")
        assert.equal(await page.evaluate(() => JSON.parse(window.cubebase.explain(document.getElementById("fen").value)).men
            .every(({squares, exceptions}) => squares.length - exceptions.length === 1)), true)
        await page.evaluate(fen => { location.hash = fen }, ROOK.replaceAll(" ", "_"))
        await becomes(page, ROOK)
        assert.equal(await text(page, "#alone"), "")
    })
    console.log("the clause, on request")
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
            await page.keyboard.press(" ")
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

// Another position ends the question about a promotion, and more tables do not. A reply that is due is not played while men are set up.
async function asksAboutThePosition(browser) {
    await withPage(browser, {fen: ROOK}, async page => {
        const pawn = "8/7P/8/8/8/8/5k2/7K w - - 0 1"
        await page.evaluate(fen => { location.hash = fen }, pawn.replaceAll(" ", "_"))
        await becomes(page, pawn)
        await drag(page, await center(page, "h7"), await center(page, "h8"))
        await page.waitForSelector("#promotion[open]")
        await (await page.$("#files")).uploadFile(table)
        await page.waitForFunction(() => document.getElementById("added").textContent === "1 table added.")
        assert.equal(await page.$eval("#promotion", node => node.open), true)
        await page.goBack()
        await becomes(page, ROOK)
        assert.equal(await page.$eval("#promotion", node => node.open), false)
        await page.click("#replies")
        await page.evaluate(() => {
            document.querySelector("#moves [data-uci=a1a4]").click()
            document.getElementById("set-up").click()
        })
        await new Promise(resolve => setTimeout(resolve, 600))
        assert.equal(await fenOf(page), "8/8/8/4k3/R7/8/8/4K3 b - - 1 1")
    })
    console.log("questions and replies are about the position shown")
}

async function setsUp(browser) {
    await withPage(browser, {fen: "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1"}, async page => {
        // A button says its state by its words or by being pressed, not by both.
        const pressed = () => page.$$eval("[aria-pressed]", nodes => nodes.map(node => node.textContent))
        const before = await pressed()
        for (const id of ["set-up", "show-clause", "set-up", "show-clause"]) {
            await page.click(`#${id}`)
            assert.deepEqual((await pressed()).slice(0, before.length), before)
        }
        await page.keyboard.press("s")
        await drag(page, await center(page, "e5"), await center(page, "a8"))
        await becomes(page, "k7/8/8/8/8/8/4P3/4K3 w - - 0 1")
        const [x, y] = await center(page, "e2")
        await drag(page, [x, y], [x + 700, y])
        await becomes(page, "k7/8/8/8/8/8/8/4K3 w - - 0 1")
        await page.$eval("#men", node => node.scrollIntoView({block: "end"}))
        const man = await page.$eval("#men [data-letter=R]", node => {
            const {x, y} = node.getBoundingClientRect()
            return [x + 20, y + 20]
        })
        await drag(page, man, await center(page, "h1"))
        await becomes(page, "k7/8/8/8/8/8/8/4K2R w - - 0 1")
        // A second king replaces the first, and a click places a chosen man.
        await page.click("#men [data-letter=k]")
        await page.mouse.click(...await center(page, "e8"))
        await becomes(page, "4k3/8/8/8/8/8/8/4K2R w - - 0 1")
        // Castling rights have boxes, and stay as long as king and rook stand for them.
        assert.deepEqual(await page.$$eval("#castling input:enabled", boxes => boxes.map(box => box.value)), ["K"])
        await page.click("#castling [value=K]")
        await becomes(page, "4k3/8/8/8/8/8/8/4K2R w K - 0 1")
        await page.click("#men [data-letter=P]")
        await page.mouse.click(...await center(page, "d5"))
        await becomes(page, "4k3/8/8/3P4/8/8/8/4K2R w K - 0 1")
        await page.click("#men [data-letter=p]")
        await page.mouse.click(...await center(page, "c5"))
        await becomes(page, "4k3/8/8/2pP4/8/8/8/4K2R w K - 0 1")
        await page.select("#passed", "c6")
        await becomes(page, "4k3/8/8/2pP4/8/8/8/4K2R w K c6 0 1")
        await page.click("#swap")
        await becomes(page, "4k2r/8/8/8/2Pp4/8/8/4K3 b k c3 0 1")
        await page.click("#mirror")
        await becomes(page, "r2k4/8/8/8/4pP2/8/8/3K4 b - f3 0 1")
        await page.click("#clear")
        await becomes(page, "4k3/8/8/8/8/8/8/4K3 w - - 0 1")
        await page.goBack()
        await becomes(page, "r2k4/8/8/8/4pP2/8/8/3K4 b - f3 0 1")
        // Then it is an ordinary click again.
        await page.click("#set-up")
        await page.mouse.click(...await center(page, "d8"))
        assert.ok((await page.$$("[data-target]")).length > 0)
    })
    console.log("setting up")
}

// King and rook against king from king and pawn, by keyboard alone; the squares of the keyboard are those of the board.
async function setsUpByKeyboard(browser) {
    await withPage(browser, {fen: "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1"}, async page => {
        const press = async (...keys) => {
            for (const key of keys) await page.keyboard.press(key)
        }
        const focused = () => page.evaluate(() => document.activeElement.getAttribute("aria-label"))
        await press("s", "Tab", "Tab")
        assert.equal(await focused(), "White rook")
        await press("Enter")
        assert.equal(await focused(), "a8: empty")
        // An arrow goes no further than the rim.
        await press("ArrowUp", "ArrowLeft", ...Array(7).fill("ArrowDown"), "Enter")
        await becomes(page, "8/8/8/4k3/8/8/4P3/R3K3 w - - 0 1")
        assert.equal(await focused(), "a1: white rook")
        await press("ArrowUp", ...Array(4).fill("ArrowRight"))
        assert.equal(await focused(), "e2: white pawn")
        await press("Delete")
        await becomes(page, ROOK)
        for (const turned of [false, true]) {
            for (const square of ["a1", "e2", "h8"]) {
                const middle = await page.$eval(`#squares [data-name=${square}]`, node => {
                    const {x, y, width, height} = node.getBoundingClientRect()
                    return [x + width / 2, y + height / 2]
                })
                const there = await center(page, square)
                assert.ok(Math.hypot(middle[0] - there[0], middle[1] - there[1]) < 2, `${square} ${middle} ${there} ${turned}`)
            }
            await press("f")
            // The board turns a little later.
            const corner = turned ? "a8" : "h1"
            await page.waitForFunction(corner => document.querySelector("#squares button").dataset.name === corner, {}, corner)
        }
        await press("Escape")
        assert.equal(await focused(), "White rook")
        await press("s")
        assert.equal(await page.$eval("#squares", node => node.checkVisibility()), false)
        assert.equal(await page.evaluate(() => document.activeElement.id), "set-up")
    })
    console.log("setting up by keyboard alone")
}

// FENs and addresses are read; of other text the page says what it expects, and keeps the position.
async function readsWhatIsPasted(browser) {
    const fen = "4k3/8/8/8/8/8/8/4KR2 b - - 0 1"
    const link = fen.replaceAll(" ", "_")
    await withPage(browser, {fen: ROOK}, async page => {
        const enter = async entered => {
            await page.$eval("#fen", (field, entered) => { field.value = entered }, entered)
            await page.click("#fen-form button")
        }
        for (const entered of [
            fen, ` ${link} `, `https://lichess.org/analysis/standard/${link}`, `https://lichess.org/analysis/${link}?color=black#3`,
            `https://lichess.org/editor/${link}`, `https://syzygy-tables.info/?fen=${link}`, `https://syzygy-tables.info/?fen=${encodeURIComponent(fen)}`,
            `syzygy-tables.info/?fen=${fen.replaceAll(" ", "+")}&x=1`, `https://example.org/cubebase.html#${link}`,
        ]) {
            await enter(ROOK)
            await becomes(page, ROOK)
            await enter(entered)
            await becomes(page, fen)
            assert.equal(await text(page, "#fen-problem"), "")
        }
        for (const [entered, said] of [
            ["", /^Enter a position as FEN/], ["hello world", /^“hello world” is not a position. Enter a FEN, such as/], ["<b>x</b>", /is not a position/],
            ["8/8/8/4k3/8/8/8/R3K3 x", /w or b, not “x”/], ["https://lichess.org/training", /no position in it/],
        ]) {
            await enter(entered)
            assert.match(await text(page, "#fen-problem"), said)
            assert.match(await text(page, "#outcome"), /^White wins/)
            assert.equal(await linkOf(page), fen)
        }
        for (const [entered, said] of [
            ["8/8/8/8/8/8/8/4K3 w - - 0 1", /cannot occur.*Black has 0 kings/],
            ["4k3/4R3/8/8/8/8/8/4K3 w - - 0 1", /Black is in check, and White is to move/],
        ]) {
            await enter(entered)
            assert.match(await text(page, "#outcome"), said)
        }
        await enter(fen)
        assert.equal(await page.$eval("#lichess", node => node.href), `https://lichess.org/analysis/standard/${link}`)
        assert.equal(await page.$eval("#syzygy", node => node.href), `https://syzygy-tables.info/?fen=${link}`)
        await page.evaluate(() => { navigator.clipboard.writeText = async text => { window.copied = text } })
        await page.click("#copy")
        assert.equal(await text(page, "#copy"), "Link copied")
        assert.equal(await page.evaluate(() => window.copied), `file://${file}#${link}`)
    })
    console.log("FENs, addresses and links")
}

async function fitsAPhone(browser) {
    const fen = "4k3/4r3/8/8/8/8/1K6/7Q w - - 0 1"
    await withPage(browser, {fen, width: 360, height: 740, isPhone: true}, async page => {
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360)
        // The field is directly under the board.
        const edge = (selector, name) => page.$eval(selector, (node, name) => node.getBoundingClientRect()[name], name)
        const gap = await edge("#fen", "top") - await edge("#board", "bottom")
        assert.ok(gap > 0 && gap < 50 && await edge("#fen", "bottom") < 740)
        await page.setViewport({width: 400, height: 800, isMobile: true, hasTouch: true})
        await page.waitForFunction(() => document.documentElement.scrollWidth === 400)
        await page.waitForSelector("#moves small", {timeout: 60_000})
        const end = await edge("#moves button", "bottom")
        assert.ok(end < 800, `the first move ends at ${end}`)
        // Touch input plays moves too.
        const [from, to] = [await center(page, "h1"), await center(page, "a8")]
        await page.touchscreen.touchStart(...from)
        await page.touchscreen.touchMove((from[0] + to[0]) / 2, (from[1] + to[1]) / 2)
        await page.touchscreen.touchMove(...to)
        await page.touchscreen.touchEnd()
        await becomes(page, "Q3k3/4r3/8/8/8/8/1K6/8 b - - 1 1")
    })
    console.log("a phone")
}

// What axe-core finds, in both widths and schemes, with everything open.
async function isAccessible(browser) {
    for (const scheme of ["light", "dark"]) for (const width of [400, 1280])
        for (const fen of [
            ROOK, "8/8/8/4k3/8/8/8/r3K3 w - - 0 1", "8/2p5/8/3k4/8/4P3/8/4K3 b - - 0 1", "7k/8/8/8/1N6/8/2p5/6KN w - - 0 1",
            "8/8/8/8/8/8/8/4K3 w - - 0 1",
        ])
            await withPage(browser, {fen, scheme, width}, async page => {
                await page.evaluate(() => {
                    document.getElementById("set-up").click()
                    document.getElementById("show-clause").click()
                    document.querySelectorAll("details").forEach(node => { node.open = true })
                    document.getElementById("fen").value = "hello world"
                    document.querySelector("#fen-form button").click()
                })
                assert.deepEqual(await violations(page), [], `${scheme} ${width} ${fen}`)
            })
    console.log("accessibility: axe-core finds nothing")
}

const browser = await launch()
try {
    const parts = [
        dragAndClick, goesBack, movesSayWhatTheyDo, castles, matesByKeyboard, replies, showsTheClause, spaceKeepsTheOutcome,
        bestMovesMate, promotes, asksAboutThePosition, setsUp, setsUpByKeyboard, readsWhatIsPasted, countsAnew, ...isFirefox ? [] : [offersTables, fitsAPhone, isAccessible],
    ]
    for (const part of parts)
        if (!process.env.PART || part.name === process.env.PART) await part(browser, file, table)
} finally {
    await browser.close()
}
