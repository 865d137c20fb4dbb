// Pictures of the page at desktop and phone width, light and dark: node screenshots.js FILE DIR

import {resolve} from "node:path"
import {launch, open} from "./chromium.js"

const [file, directory] = process.argv.slice(2).map(path => resolve(path))
const browser = await launch()
const fen = "4k3/4r3/8/8/8/8/1K6/7Q w - - 0 1"
for (const scheme of ["light", "dark"]) {
    for (const [name, size] of [["desktop", {width: 1180, height: 900}], ["phone", {width: 390, height: 844, isPhone: true}]]) {
        const {page, problems} = await open(browser, file, {fen, scheme, ...size})
        await page.screenshot({path: `${directory}/${name}-${scheme}.png`, fullPage: true})
        await page.click("#set-up")
        await page.screenshot({path: `${directory}/${name}-${scheme}-set-up.png`})
        if (problems.length > 0) throw new Error(problems.join("\n"))
        await page.close()
    }
}
await browser.close()
