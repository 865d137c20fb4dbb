// Tests the use of the page in headless Chromium: by mouse, by touch, by keyboard alone, with and without a server.
// If $PART names a part, only that is tested.
// Usage: node page/test.js FILE DIRECTORY, with a directory that has one table

import assert from "node:assert/strict"
import {readdirSync} from "node:fs"
import {resolve} from "node:path"
import {becomes, center, drag, fenOf, isFirefox, launch, linkOf, open, text, violations, withPage as withPageOf} from "../chromium.js"
import {bestMovesMate, mateIsNear, saysWhatIsNotKnown, spaceKeepsTheOutcome} from "./test-best.js"
import {otherPositions, showsTheClause} from "./test-clause.js"
import {setsUp, setsUpByKeyboard, setsUpByTouch} from "./test-setup.js"
import {countsAnew, namesMissingTables, offersTables, winsByRanking} from "./test-tables.js"

const [file, directory] = process.argv.slice(2).map(path => resolve(path))
const table = resolve(directory, readdirSync(directory)[0])
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
        // So do the other side to move, and another position of the clause.
        await page.click("#turn [value=b]")
        const [turned, said] = [await fenOf(page), await text(page, "#record")]
        assert.match(said, /^1\.Ra4Kd5Black to move$/)
        await page.waitForSelector("#another:enabled")
        await page.click("#another")
        assert.match(await text(page, "#record"), /Black to moveanother position$/)
        for (const expected of [turned, played[2]]) {
            await page.click("#back")
            await becomes(page, expected)
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
        // An address that is no position, or no text, leaves the one shown, and its address.
        for (const other of ["hello", "%ff"]) {
            await page.evaluate(other => { location.hash = other }, other)
            await page.waitForFunction(other => document.getElementById("fen-problem").textContent.startsWith(`“${other}” is not a position`), {}, other)
            assert.equal(await linkOf(page), link)
        }
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
    for (const [castling, isSaid] of [["KQ", true], ["-", false]]) await withPage(browser, {fen: `4k3/8/8/8/8/8/8/R3K2R w ${castling} - 0 1`}, async page => {
        await page.waitForSelector("#moves small", {timeout: 60_000})
        assert.equal(await page.$eval("#dtz-castling", node => node.checkVisibility()), isSaid)
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
        assert.match(await text(page, "#castling-note"), /^With castling \(Q\) still possible: White wins\. The clause leaves/)
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
        // Back and Forward take the reply with the move.
        await page.keyboard.press("Backspace")
        await becomes(page, ROOK)
        await page.keyboard.press("ArrowRight")
        await becomes(page, before)
        await page.click("#record [data-at='1']")
        await new Promise(resolve => setTimeout(resolve, 600))
        assert.equal(await linkOf(page), "8/8/8/4k3/R7/8/8/4K3 b - - 1 1")
        await page.click("#record [data-at='2']")
        while (!/checkmated/.test(await text(page, "#outcome"))) {
            await turnsWhite()
            await page.click("#moves button")
        }
        assert.match(await text(page, "#outcome"), /^White wins/)
    })
    console.log("the page replies")
}

async function promotes(browser) {
    const pawn = "8/7P/8/8/8/8/5k2/7K w - - 0 1"
    const {page, problems} = await open(browser, file, {fen: pawn})
    for (const close of [() => page.click("#promotion [value='']"), () => page.mouse.click(30, 30), () => page.click("#promotion [value=h7h8r]")]) {
        assert.equal(await fenOf(page), pawn)
        await drag(page, await center(page, "h7"), await center(page, "h8"))
        await page.waitForSelector("#promotion[open]")
        await close()
        await page.waitForSelector("#promotion:not([open])")
    }
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
        await page.waitForFunction(() => /^1 table added/.test(document.getElementById("added").textContent))
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
            `[FEN "${fen}"]`, "4k3/8/8/8/8/8/8/4KR2 b - - hmvc 0; fmvn 1; id \"x\";",
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
            ["8/8/8/4k3/8/8/7/R3K3 w", /^Rank 2 \(“7”\) has 7 squares, not 8/], ["8/8/8/4k3/8/8/8/R3K4 w", /^Rank 1 \(“R3K4”\) has 9 squares/],
            [`https://lichess.org/analysis/atomic/${link}`, /^This address is of the variant atomic/],
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
        await enter("4k3/8/8/8/8/8/8/4KR2 b - - bm Ke7; hmvc 12; fmvn 34;")
        await becomes(page, "4k3/8/8/8/8/8/8/4KR2 b - - 12 34")
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
        // The board comes into view when something happens on it.
        const isBoardInView = async what => {
            await new Promise(resolve => setTimeout(resolve, 100))
            assert.ok(await edge("#board", "top") > -1 && await edge("#board", "bottom") < 801, `${what}: the board is out of sight`)
        }
        await page.waitForSelector("#another:enabled")
        await page.$eval("#conditions", node => { node.open = true })
        for (const selector of ["#show-clause", "#clause button", "#another", ".examples a[href]:not([target])", "#moves li:last-child button"]) {
            await page.$eval(selector, node => node.scrollIntoView({block: "end"}))
            await page.tap(selector)
            await isBoardInView(selector)
        }
        await page.evaluate(fen => { location.hash = fen }, fen.replaceAll(" ", "_"))
        await becomes(page, fen)
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
        dragAndClick, goesBack, movesSayWhatTheyDo, castles, matesByKeyboard, replies, showsTheClause, otherPositions, spaceKeepsTheOutcome,
        bestMovesMate, mateIsNear, saysWhatIsNotKnown, promotes, asksAboutThePosition, setsUp, setsUpByKeyboard, readsWhatIsPasted, countsAnew,
        namesMissingTables, winsByRanking, ...isFirefox ? [] : [offersTables, fitsAPhone, setsUpByTouch, isAccessible],
    ]
    for (const part of parts)
        if (!process.env.PART || part.name === process.env.PART) await part(browser, file, table)
} finally {
    await browser.close()
}
