// Takes screenshots of the pages at desktop and phone width, light and dark: node screenshots.js PAGES DIR

import {resolve} from "node:path"
import {launch, open} from "./chromium.js"

const [pages, directory] = process.argv.slice(2).map(path => resolve(path))
const browser = await launch()
const fen = "4k3/4r3/8/8/8/8/1K6/7Q w - - 0 1"
for (const scheme of ["light", "dark"]) {
    for (const [name, size] of [["desktop", {width: 1280, height: 900}], ["phone", {width: 400, height: 844, isPhone: true}]]) {
        const chess = await open(browser, `${pages}/index.html`, {fen, scheme, ...size})
        await chess.page.screenshot({path: `${directory}/${name}-${scheme}.png`, fullPage: true})
        await chess.page.click("#set-up")
        await chess.page.screenshot({path: `${directory}/${name}-${scheme}-set-up.png`})
        const espresso = await open(browser, `${pages}/espresso.html`, {ready: "espresso", scheme, ...size})
        await espresso.page.waitForSelector("#products button")
        await espresso.page.click("#products button")
        await espresso.page.screenshot({path: `${directory}/${name}-${scheme}-espresso.png`, fullPage: true})
        for (const {page, problems} of [chess, espresso]) {
            if (problems.length > 0) throw new Error(problems.join("\n"))
            await page.close()
        }
    }
}
await browser.close()
