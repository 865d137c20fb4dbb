// What axe-core finds in pages, at desktop and phone width, light and dark: node accessibility.js FILE...

import assert from "node:assert/strict"
import {resolve} from "node:path"
import {launch, violations} from "./chromium.js"

const files = process.argv.slice(2)
const browser = await launch()
for (const file of files) for (const scheme of ["light", "dark"]) for (const width of [400, 1280]) {
    const page = await browser.newPage()
    await page.setViewport({width, height: 900})
    await page.emulateMediaFeatures([{name: "prefers-color-scheme", value: scheme}])
    await page.goto(`file://${resolve(file)}`)
    assert.deepEqual(await violations(page), [], `${file} ${scheme} ${width}`)
    await page.close()
}
await browser.close()
console.log(`axe-core finds nothing in ${files.length} pages`)
