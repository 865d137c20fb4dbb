// Tests of the clause that decides.

import assert from "node:assert/strict"
import {becomes, fenOf, text, withPage} from "../chromium.js"

const ROOK = "8/8/8/4k3/8/8/8/R3K3 w - - 0 1"

const all = (page, selector, name) => page.$$eval(selector, (nodes, name) => nodes.map(node => node.getAttribute(name)), name)
const squares = async (page, name) => (await all(page, `[data-${name}]`, `data-${name}`)).sort().join(" ")

// The squares of the clause are shown on request; its sentences point at men; other positions of it.
export async function showsTheClause(browser, file) {
    await withPage(browser, file, {fen: "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1"}, async page => {
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
        // A clicked sentence keeps its men marked, until it is clicked again.
        for (const expected of ["e2", ""]) {
            await page.click("#clause li:nth-child(2) button")
            await page.hover("h1")
            assert.equal(await squares(page, "named"), expected)
        }
        const before = await fenOf(page)
        await page.click("#another")
        const after = await fenOf(page)
        assert.notEqual(after, before)
        assert.equal(await page.evaluate(fen => JSON.parse(window.cubebase.explain(fen)).number, after), 98)
        await page.goBack()
        await becomes(page, before)
    })
    await withPage(browser, file, {fen: ROOK}, async page => {
        await page.waitForFunction(() => document.getElementById("lead").dataset.counts)
        assert.equal(await text(page, "#lead"), "With these men and White to move, White wins in all 175,168 positions.")
        assert.equal(await page.$eval("#conditions", node => node.checkVisibility()), false)
    })
    // The rules decide, and no clause.
    for (const [fen, said] of [["7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", /^Checkmate: /], ["7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", /^Stalemate: /], ["7k/8/8/8/8/8/8/KB6 w - - 0 1", /^Insufficient material: /]])
        await withPage(browser, file, {fen}, async page => {
            assert.match(await text(page, "#lead"), said)
            assert.equal(await page.$eval("#clause-parts", node => node.checkVisibility()), false)
        })
    await withPage(browser, file, {fen: "8/7P/8/8/8/8/5k2/7K w - - 0 1"}, async page => {
        await page.waitForFunction(() => document.getElementById("lead").dataset.counts)
        assert.match(await text(page, "#lead"), /White wins in all but 4\. This position is not one of them\.$/)
        assert.match(await text(page, "#show-clause"), /^Show/)
        await page.click("#show-clause")
        assert.match(await text(page, "#show-clause"), /^Hide/)
        assert.match(await text(page, "#lights-men"), /white king: \d+ other squares?/)
    })
    console.log("the clause, on request")
}

// Other positions of a clause are any of those that it decides: in all four corners, of either colour.
export async function otherPositions(browser, file) {
    for (const [fen, least] of [["8/8/8/4k3/8/8/4P3/4K3 w - - 0 1", 10], ["7K/8/k1P5/7p/8/8/8/8 w - - 0 1", 6], ["4k3/4p3/8/8/4K3/8/8/8 b - - 0 1", 10]])
        await withPage(browser, file, {fen}, async page => {
            const seen = new Set()
            const clauseOf = fen => page.evaluate(fen => {
                const {section, number, is_exception: isException} = JSON.parse(window.cubebase.explain(fen))
                return `${section} ${number} ${isException}`
            }, fen)
            const clause = await clauseOf(fen)
            for (let times = 0; times < 12; times++) {
                await page.waitForSelector("#another:enabled")
                const before = await fenOf(page)
                await page.click("#another")
                assert.notEqual(await fenOf(page), before)
                assert.equal((await fenOf(page)).split(" ")[1], fen.split(" ")[1])
                assert.equal(await clauseOf(await fenOf(page)), clause)
                seen.add(await fenOf(page))
            }
            assert.ok(seen.size >= least, `${fen}: ${seen.size} positions`)
            assert.match(await text(page, "#record"), /^(another position){12}$/)
        })
    console.log("other positions of a clause")
}
