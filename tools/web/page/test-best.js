// Tests of the best move.

import assert from "node:assert/strict"
import {copyFileSync, mkdtempSync} from "node:fs"
import {tmpdir} from "node:os"
import {becomes, fenOf, open, text, withPage} from "../chromium.js"

const OPPOSITE = {win: "loss", draw: "draw", loss: "win"}

// Space keeps the outcome, in a won and in a drawn position.
export async function spaceKeepsTheOutcome(browser, file) {
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
export async function bestMovesMate(browser, file) {
    const fen = "8/8/8/3k4/8/3K4/3B4/6N1 w - - 0 1"
    const {page, problems} = await open(browser, file, {fen})
    await page.waitForSelector("#moves small", {timeout: 60_000})
    const [, plies, moves] = /(\d+) plies to mate \((\d+) moves\)/.exec(await text(page, "#outcome"))
    assert.equal(2 * Number(moves), Number(plies) + 1)
    assert.ok(Number(plies) <= 65)
    for (let ply = 0; ply < Number(plies); ply++) {
        const before = await fenOf(page)
        assert.match(await text(page, "#outcome"), new RegExp(`White wins.*\\b${plies - ply} pl(y|ies)\\b`))
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

// Mates of at most three moves are played, though a capture or pawn move is nearer, and castling keeps no other move from being the best.
export async function mateIsNear(browser, file) {
    for (const [fen, mate] of [["8/8/2Q5/8/1k6/R7/8/4K3 w - - 0 1", 3], ["4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", 2]])
        await withPage(browser, file, {fen}, async page => {
            await page.waitForSelector("#moves small", {timeout: 60_000})
            for (let plies = 2 * mate - 1; plies > 0; plies--) {
                const moves = Math.ceil(plies / 2)
                assert.match(await text(page, "#outcome"), new RegExp(`Mate in ${moves} moves? \\(${plies} pl`))
                assert.equal((await page.$$("#moves li:first-child .best")).length, 1)
                const before = await fenOf(page)
                await page.click("#play-best")
                await page.waitForFunction(before => document.getElementById("fen").value !== before, {}, before)
            }
            assert.match(await text(page, "#outcome"), /checkmated/)
        })
    // A loser takes a man, if the game lasts longest after it, and moves a pawn last.
    for (const [fen, san] of [["8/8/8/8/3k4/3Q4/8/R3K3 b - - 0 1", "Kxd3"], ["8/8/8/3k4/3B4/8/8/R3K3 b - - 0 1", "Kxd4"], ["8/7p/5k2/8/8/8/8/KQ6 b - - 0 1", "Kg7"]])
        await withPage(browser, file, {fen}, async page => {
            await page.waitForSelector("#moves small", {timeout: 60_000})
            assert.match(await text(page, "#moves .best"), new RegExp(`^${san} `))
        })
    // Spare plies are those before zeroing, not before mate, and the clock begins anew if the loser's best move zeroes it.
    for (const [fen, said] of [["k7/7p/2K5/8/8/8/8/7Q w - - 95 80", /Mate in 2 moves \(3 plies\)\..*leaves 4 to spare/], ["k7/2K4p/8/8/8/8/8/6Q1 b - - 99 80", /Mate in 1 move \(2 plies\)\.$/]])
        await withPage(browser, file, {fen}, async page => {
            await page.waitForSelector("#moves small", {timeout: 60_000})
            assert.match(await text(page, "#outcome"), said)
        })
    // Of moves that are as near to zeroing, one is played that gives no man away. Either way the game ends.
    for (const [fen, played] of [["6K1/3R4/N7/8/2k5/8/8/8 w - - 0 1", /^K/], ["8/8/8/4k3/8/8/4P3/R3K3 w - - 0 1", /^e4/]]) await withPage(browser, file, {fen}, async page => {
        await page.waitForSelector("#moves small", {timeout: 60_000})
        assert.match(await text(page, "#moves .best"), played)
        for (let ply = 0; !/checkmated/.test(await text(page, "#outcome")); ply++) {
            assert.ok(ply < 80)
            const before = await fenOf(page)
            await page.click("#play-best")
            await page.waitForFunction(before => document.getElementById("fen").value !== before, {}, before)
        }
    })
    console.log("mates that are near")
}

// Without distances a line says so.
export async function saysWhatIsNotKnown(browser, file) {
    await withPage(browser, file, {fen: "8/8/8/4k3/8/8/8/R3K3 b Q - 0 1"}, async page => {
        assert.match(await text(page, "#outcome"), /No distance is known while there is a castling right/)
    })
    const alone = `${mkdtempSync(`${tmpdir()}/alone-`)}/index.html`
    copyFileSync(file, alone)
    const {page} = await open(browser, alone, {fen: "8/8/8/4k3/8/8/8/R3K3 w - - 0 1"})
    await page.waitForFunction(() => /No distances of KRvK are loaded: the best move only keeps the win/.test(document.getElementById("outcome").textContent))
    await page.close()
    console.log("what is not known")
}
