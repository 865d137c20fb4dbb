// Tests of setting up men by mouse, by keyboard alone and by touch.

import assert from "node:assert/strict"
import {becomes, center, drag, withPage} from "../chromium.js"

const ROOK = "8/8/8/4k3/8/8/8/R3K3 w - - 0 1"

export async function setsUp(browser, file) {
    await withPage(browser, file, {fen: "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1"}, async page => {
        // A button says its state by its words or by being pressed, not by both.
        const pressed = () => page.$$eval("[aria-pressed]:not(#lights *, #clause *)", nodes => nodes.map(node => node.textContent))
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
        // Men are dragged too while one is chosen, and a click on the same man removes it.
        await drag(page, await center(page, "e8"), await center(page, "c7"))
        await becomes(page, "8/2k5/8/8/8/8/8/4K2R w - - 0 1")
        await drag(page, await center(page, "c7"), await center(page, "e8"))
        await page.click("#men [data-letter=N]")
        for (const expected of ["4k3/8/8/3N4/8/8/8/4K2R w - - 0 1", "4k3/8/8/8/8/8/8/4K2R w - - 0 1"]) {
            await page.mouse.click(...await center(page, "d5"))
            await becomes(page, expected)
        }
        await page.keyboard.press("Escape")
        assert.equal((await page.$$("#men [aria-pressed=true]")).length, 0)
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
export async function setsUpByKeyboard(browser, file) {
    await withPage(browser, file, {fen: "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1"}, async page => {
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
        assert.equal(await page.evaluate(() => document.activeElement.id), "play-best")
    })
    console.log("setting up by keyboard alone")
}

export async function setsUpByTouch(browser, file) {
    await withPage(browser, file, {fen: "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1", width: 400, height: 800, isPhone: true}, async page => {
        const slide = async (from, to) => {
            await page.touchscreen.touchStart(...from)
            await page.touchscreen.touchMove((from[0] + to[0]) / 2, (from[1] + to[1]) / 2)
            await page.touchscreen.touchMove(...to)
            await page.touchscreen.touchEnd()
        }
        await page.tap("#set-up")
        await page.tap("#men [data-letter=R]")
        for (const [square, expected] of [
            ["a1", "8/8/8/4k3/8/8/4P3/R3K3 w - - 0 1"], ["e2", "8/8/8/4k3/8/8/4R3/R3K3 w - - 0 1"], ["e2", ROOK],
            ["a1", "8/8/8/4k3/8/8/8/4K3 w - - 0 1"], ["a1", ROOK],
        ]) {
            await page.touchscreen.tap(...await center(page, square))
            await becomes(page, expected)
        }
        await slide(await center(page, "e5"), await center(page, "e8"))
        await becomes(page, "4k3/8/8/8/8/8/8/R3K3 w - - 0 1")
        // The side to move is chosen there too.
        assert.equal(await page.$eval("#turn", node => node.parentElement.id), "palette")
        await page.tap("#turn [value=b]")
        await becomes(page, "4k3/8/8/8/8/8/8/R3K3 b - - 0 1")
        await page.tap("#done")
        assert.equal(await page.$eval("#turn", node => node.parentElement.id), "rest")
    })
    console.log("setting up by touch")
}
