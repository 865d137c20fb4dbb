// Tests of tables from outside the page; `table` is a file that is alone in its directory.

import assert from "node:assert/strict"
import {copyFileSync, mkdtempSync, readFileSync} from "node:fs"
import {createServer} from "node:http"
import {tmpdir} from "node:os"
import {basename, dirname} from "node:path"
import {becomes, fenOf, open, text, withPage} from "../chromium.js"

const nameOf = table => /^\w+/.exec(basename(table))[0]
const added = table => `1 table added: ${nameOf(table)}.`

// Without a table the page says how to add one; a bundle beside it is offered, and files and directories can be dropped.
export async function offersTables(browser, file, table) {
    const unknown = "7k/8/8/8/1N6/8/2p5/6KN w - - 0 1"
    const directory = dirname(table)
    const says = (page, words) => page.waitForFunction(words => document.getElementById("added").textContent === words, {}, words)
        .catch(async () => assert.equal(await text(page, "#added"), words))
    const drop = async (page, path, words = added(table)) => {
        const client = await page.createCDPSession()
        await page.$eval("#added", node => { node.textContent = "" })
        const isMarked = () => page.$eval("body", node => node.classList.contains("dropping"))
        for (const type of ["dragEnter", "dragOver", "drop"]) {
            await client.send("Input.dispatchDragEvent", {type, x: 200, y: 200, data: {items: [], files: [path], dragOperationsMask: 1}})
            if (type !== "dragEnter") assert.equal(await isMarked(), type === "dragOver", type)
        }
        await says(page, words)
    }
    await withPage(browser, file, {fen: unknown}, async page => {
        assert.match(await text(page, "#outcome"), /^Unknown.*Add the table of KNNvKP/)
        assert.ok((await page.$$("#moves .draw")).length > 0)
        assert.equal((await page.$$("#moves .best")).length, 0)
        assert.equal(await page.$eval("#choose-five", node => node.checkVisibility()), true)
        assert.equal(await page.$eval("#load-bundle", node => node.checkVisibility()), false)
        await drop(page, table)
        await drop(page, directory)
        await drop(page, mkdtempSync(`${tmpdir()}/none-`), "No table was dropped: the names of tables end in .pcn or .pcb.")
        await drop(page, file, "No tables added. index.html: not a .pcn file.")
    })
    // Whether the server says the size of the bundle, and what it does when it is asked for the bundle.
    const bundle = {hasSize: true, isGone: false, isCut: false}
    const server = createServer(({url, method}, answer) => {
        const isBundle = url === "/five-men.pcb"
        if (isBundle && method === "GET" && bundle.isGone) return answer.writeHead(404).end()
        if (isBundle && method === "GET" && bundle.isCut) return answer.destroy()
        const bytes = readFileSync(isBundle ? table : `${dirname(file)}${url}`)
        answer.writeHead(200, {"content-type": url.endsWith("html") ? "text/html" : "application/octet-stream",
            ...!isBundle || bundle.hasSize ? {"content-length": bytes.length} : {"transfer-encoding": "chunked"}}).end(bytes)
    })
    await new Promise(resolve => server.listen(0, "127.0.0.1", resolve))
    const address = `http://127.0.0.1:${server.address().port}/index.html`
    await withPage(browser, file, {fen: unknown, address}, async page => {
        await page.waitForSelector("#load-bundle:not([hidden])")
        assert.match(await text(page, "#load-bundle"), /^Load the tables of five men \(\d+\.\d MB\)$/)
        await page.click("#load-bundle")
        // It is said where the file was chosen too, until another position is shown.
        await says(page, added(table))
        // Like browsers other than Chromium.
        await page.evaluate(() => { delete DataTransferItem.prototype.getAsFileSystemHandle })
        await drop(page, directory)
    })
    bundle.hasSize = false
    for (const [what, words] of [[{}, added(table)], [{isGone: true}, "five-men.pcb could not be loaded: the server answers 404."],
        [{isCut: true}, "five-men.pcb could not be loaded: the connection to the server failed."]]) {
        Object.assign(bundle, {isGone: false}, what)
        const {page, problems} = await open(browser, file, {fen: unknown, address})
        await page.waitForSelector("#load-bundle:not([hidden])")
        assert.equal(await text(page, "#load-bundle"), "Load the tables of five men")
        await page.click("#load-bundle")
        await says(page, words)
        if (words !== added(table)) assert.equal(await text(page, "#offer-said"), words)
        // The browser itself logs what it cannot load.
        assert.deepEqual(problems.filter(problem => !problem.startsWith("Failed to load resource")), [])
        await page.close()
    }
    server.close()
    console.log("tables offered, loaded and dropped")
}

// A count ends when a table is added, and begins anew when all are. What is typed, and the focus, stay.
export async function countsAnew(browser, file, table) {
    await withPage(browser, file, {fen: "8/8/8/4k3/8/8/8/R3K3 w - - 0 1"}, async page => {
        await page.evaluate(() => {
            // The first file is read right after the next position is shown, the second when the test says so.
            const {arrayBuffer} = File.prototype
            const waits = [new Promise(resolve => addEventListener("hashchange", resolve)), new Promise(resolve => { window.readSecond = resolve })]
            File.prototype.arrayBuffer = async function() {
                const [wait, bytes] = [waits.shift(), await arrayBuffer.call(this)]
                window.isRead = true
                await wait
                return bytes
            }
        })
        await (await page.$("#files")).uploadFile(table, table)
        await page.waitForFunction("window.isRead")
        await page.evaluate(() => { location.hash = "#8/8/8/4k3/8/8/4P3/4K3_w_-_-_0_1" })
        await becomes(page, "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1")
        await page.$eval("#fen", field => { field.value = "hello" })
        await page.click("#fen-form button")
        await page.focus("#moves [data-uci=e1f1]")
        await new Promise(resolve => setTimeout(resolve, 2000))
        assert.equal(await page.$eval("#lead", node => node.dataset.counts), "")
        await page.evaluate("readSecond()")
        await page.waitForFunction(() => document.getElementById("lead").dataset.counts)
        assert.equal(await text(page, "#added"), `2 tables added: ${nameOf(table)}, ${nameOf(table)}.`)
        assert.equal(await fenOf(page), "hello")
        assert.match(await text(page, "#fen-problem"), /^“hello” is not a position/)
        assert.equal(await page.evaluate(() => document.activeElement.dataset.uci), "e1f1")
    })
    console.log("counts while tables are added")
}

// Moves to a missing table name it, and so does the page where the best move is one of them. Without distances it says so. All moves of a
// lost position lose, also to missing tables.
export async function namesMissingTables(browser, file) {
    const fen = "6B1/5B2/8/8/8/3K4/1p6/5k2 b - - 0 1"
    await withPage(browser, file, {fen}, async page => {
        const five = `${dirname(file)}/KBBvKP.pcn`
        assert.match(await text(page, "#outcome"), /Add the table of KBBvKP/)
        assert.match(await text(page, "#moves h3.unknown"), /: add KBBvKQ, KBBvKR, KBBvKN, KBBvKP$/)
        await (await page.$("#files")).uploadFile(five)
        await page.waitForFunction(() => document.getElementById("offer-said").textContent === "1 table added: KBBvKP.")
        assert.equal(await page.$eval("#offer-said", node => node.checkVisibility()), true)
        assert.match(await text(page, "#outcome"), /^Black wins.*The winning move leads to a table that is missing: add KBBvKQ, KBBvKR, KBBvKN\.$/)
        assert.equal(await page.$eval("#play-best", node => node.disabled), true)
        for (const [fen, said, head] of [
            ["8/2B5/1K6/8/8/3B4/1p6/6k1 b - - 0 1", /No distances of KBBvKP are loaded: the best move may not be the longest/, "− Losing (7)"],
            ["8/8/8/k7/4B3/1p1K4/1B6/8 w - - 0 1", /No distances of KBBvKP are loaded: the best move only keeps the win/, null],
            ["8/8/8/k7/4B3/1p1K4/1B6/8 w - - 7 20", /^White wins.*The clock of 7 plies is ignored: by the 50-move rule this may be a draw\.$/, null],
            ["3B4/8/8/4K3/k7/8/6p1/3B4 b - - 0 1", /^Draw by the 50-move rule.*the best move only keeps the outcome\.$/, null],
            ["8/k7/8/8/3K4/8/1p3B2/5B2 b - - 0 1", /^Draw by the 50-move rule.*The winning move leads to a table that is missing/, null],
        ]) {
            await page.evaluate(fen => { location.hash = fen }, fen.replaceAll(" ", "_"))
            await becomes(page, fen)
            assert.match(await text(page, "#outcome"), said)
            if (head) assert.equal(await text(page, "#moves"), await text(page, "#moves h3") + await text(page, "#moves ul"))
            if (head) assert.equal(await text(page, "#moves h3"), head)
            assert.equal(await text(page, "#offer-said"), "")
        }
    })
    // No table is asked for where the one that is there has no castling rights.
    await withPage(browser, file, {fen: "3qk3/8/8/8/8/8/8/R3K2R w KQ - 0 1"}, async page => {
        assert.match(await text(page, "#outcome"), /Add the table of KRRvKQ/)
        await (await page.$("#files")).uploadFile(`${dirname(file)}/KRRvKQ.pcn`)
        await page.waitForFunction(() => document.getElementById("added").textContent === "1 table added: KRRvKQ.")
        assert.match(await text(page, "#outcome"), /^Unknown.*Castling rights KQ: this table of KRRvKQ has none/)
        assert.equal(await page.$eval("#choose-five", node => node.checkVisibility()), false)
    })
    console.log("missing tables are named")
}

// Without distances the page wins by a ranking. Its file is beside that of the page.
export async function winsByRanking(browser, file) {
    const alone = `${mkdtempSync(`${tmpdir()}/alone-`)}/index.html`
    copyFileSync(file, alone)
    const {page} = await open(browser, alone, {fen: "8/8/4k3/8/8/8/8/KQ6 w - - 0 1"})
    try {
        await page.waitForFunction(() => document.getElementById("outcome").textContent.includes("No distances"))
        await (await page.$("#files")).uploadFile(`${dirname(file)}/KQvK.rank.pcn`)
        await page.waitForFunction(() => document.getElementById("outcome").textContent.includes("by a ranking"))
        let plies = 0
        for (; !/checkmated/.test(await text(page, "#outcome")); plies++) {
            assert.ok(plies < 100)
            const before = await fenOf(page)
            await page.$eval("#play-best", node => node.click())
            await page.waitForFunction(before => document.getElementById("fen").value !== before, {}, before)
        }
        assert.ok(plies > 10)
    } finally {
        await page.close()
    }
    console.log("a ranking wins")
}
