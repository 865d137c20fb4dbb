// A headless Chromium with a page open.

import puppeteer from "puppeteer-core"

export async function launch() {
    return puppeteer.launch({
        executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
        args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
        protocolTimeout: 600_000,
    })
}

// Opens the page, and waits until it sets the global named `ready`. Any logged error, and any request except for its own file,
// fails the test. `link`, such as a position, goes after the `#` of its address.
export async function open(browser, file, {fen = "", link = fen.replaceAll(" ", "_"), ready = "cubebase", width = 1180, height = 900, scheme = "light", isPhone = false} = {}) {
    const page = await browser.newPage()
    const problems = []
    page.on("pageerror", error => problems.push(`${error.message}\n${error.stack}`))
    page.on("console", message => message.type() === "error" && problems.push(message.text()))
    page.on("request", request => /^(file|data|blob):/.test(request.url()) || problems.push(`asked for ${request.url()}`))
    await page.setViewport({width, height, deviceScaleFactor: isPhone ? 2 : 1, isMobile: isPhone, hasTouch: isPhone})
    await page.emulateMediaFeatures([
        {name: "prefers-color-scheme", value: scheme},
        {name: "prefers-reduced-motion", value: "reduce"},
    ])
    await page.goto(`file://${file}${link && `#${link}`}`)
    await page.waitForFunction(`window.${ready}`, {timeout: 120_000})
    return {page, problems}
}
