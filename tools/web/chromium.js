// A headless Chromium, or Firefox if $FIREFOX names it, with a page open, and what is done with it.

import assert from "node:assert/strict"
import {readFileSync} from "node:fs"
import {createRequire} from "node:module"
import puppeteer from "puppeteer-core"

// Firefox knows no colour schemes and no phones here.
export const isFirefox = Boolean(process.env.FIREFOX)

export async function launch() {
    if (isFirefox) return puppeteer.launch({browser: "firefox", executablePath: process.env.FIREFOX})
    return puppeteer.launch({
        executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
        args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
        protocolTimeout: 600_000,
    })
}

// Opens the page, and waits until it sets the global named `ready`. Any logged error, and any request except for its own file,
// fails the test. `address` is that of a server, if one has the page. `link`, such as a position, goes after the `#` of it.
export async function open(browser, file, {fen = "", link = fen.replaceAll(" ", "_"), ready = "cubebase", width = 1180, height = 900, scheme = "light", isPhone = false, address = `file://${file}`} = {}) {
    const page = await browser.newPage()
    const problems = []
    page.on("pageerror", error => problems.push(`${error.message}\n${error.stack}`))
    page.on("console", message => message.type() === "error" && problems.push(message.text()))
    page.on("request", request => /^(file|data|blob):/.test(request.url()) || request.url().startsWith(new URL(".", address).href) || problems.push(`asked for ${request.url()}`))
    await page.setViewport({width, height, ...!isFirefox && {deviceScaleFactor: isPhone ? 2 : 1, isMobile: isPhone, hasTouch: isPhone}})
    if (!isFirefox) await page.emulateMediaFeatures([
        {name: "prefers-color-scheme", value: scheme},
        {name: "prefers-reduced-motion", value: "reduce"},
    ])
    await page.goto(`${address}${link && `#${link}`}`)
    await page.waitForFunction(`window.${ready}`, {timeout: 120_000})
    return {page, problems}
}

// Opens the page, tests a part, and closes it; nothing may be logged as an error.
export async function withPage(browser, file, options, part) {
    const {page, problems} = await open(browser, file, options)
    await part(page)
    assert.deepEqual(problems, [])
    await page.close()
}

export const text = (page, selector) => page.$eval(selector, node => node.textContent)
export const fenOf = page => page.$eval("#fen", field => field.value)
export const linkOf = page => page.evaluate(() => decodeURIComponent(location.hash.slice(1)).replaceAll("_", " "))

export async function center(page, square) {
    return page.$eval(`#board .board [data-square=${square}]`, node => {
        document.getElementById("board").scrollIntoView({block: "nearest"})
        const {x, y, width, height} = node.getBoundingClientRect()
        return [x + width / 2, y + height / 2]
    })
}

export async function drag(page, from, to) {
    await page.mouse.move(...from)
    await page.mouse.down()
    await page.mouse.move((from[0] + to[0]) / 2, (from[1] + to[1]) / 2)
    await page.mouse.move(...to)
    await page.mouse.up()
}

export const becomes = (page, fen) => page.waitForFunction(fen => document.getElementById("fen").value === fen, {timeout: 20_000}, fen)
    .catch(async () => assert.equal(await fenOf(page), fen))

// What axe-core finds in a page: for each rule the elements that break it.
export async function violations(page) {
    await page.evaluate(readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8"))
    const {violations} = await page.evaluate(() => window.axe.run())
    return violations.map(({id, nodes}) => [id, ...nodes.map(node => `${node.html}: ${node.failureSummary}`)])
}
