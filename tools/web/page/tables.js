// Tables from outside the page: the distances beside it, and files of more men, chosen, dropped or beside it.

import * as prober from "prober"
import {element, made} from "../dom.js"
import {game} from "./game.js"
import {endCount} from "./clause.js"

const BUNDLE = "five-men.pcb"
// So many added tables are named.
const NAMED = 4
// Whether the distances were asked for.
let isLoading = false
// What a server says about the bundle beside the page, asked for once; pages from a disk may read no other files.
let bundle = null

// Adds a table. A count of positions ends before, since its slices may be those of a table that is replaced.
function add(bytes) {
    endCount()
    return prober.add(bytes)
}

// Says how far the loading is, at both places where files are chosen.
const say = text => element("added").textContent = element("offer-said").textContent = text

export const unpacked = text => Uint8Array.from(atob(text), letter => letter.charCodeAt(0))

// Loads the distances if the position needs them, once: a script beside the page. Without them the best move is any that keeps the
// outcome.
export function loadDistances() {
    const needs = [game.answer, ...game.legal].some(({category, dtz}) => /win|loss/.test(category) && dtz === null)
    if (isLoading || !needs) return
    isLoading = true
    const script = made("script", {src: "cubebase-distances.js"})
    script.onload = () => {
        add(unpacked(window.cubebaseDistances))
        delete window.cubebaseDistances
        game.onChange(false)
    }
    script.onerror = () => {
        game.isWithoutDistances = true
        game.onChange(false)
    }
    document.head.append(script)
}

// Offers files of five men, and the bundle if it is beside the page.
export async function offerTables(isNeeded) {
    element("offer").hidden = !isNeeded
    if (!isNeeded || !/^http/.test(location.protocol)) return
    bundle ??= fetch(BUNDLE, {method: "HEAD"}).catch(() => null)
    const answer = await bundle
    element("load-bundle").hidden = !answer?.ok
    const size = Number(answer?.headers.get("content-length"))
    element("load-bundle").textContent = `Load the tables of five men${size ? ` (${(size / 1e6).toFixed(1)} MB)` : ""}`
}

export async function loadBundle() {
    say(`Loading ${BUNDLE} …`)
    try {
        const answer = await fetch(BUNDLE)
        if (!answer.ok) return say(`${BUNDLE} could not be loaded: the server answers ${answer.status}.`)
        await addTables([new File([await answer.blob()], BUNDLE)])
    } catch {
        say(`${BUNDLE} could not be loaded: the connection to the server failed.`)
    }
}

// Adds the tables of files, as far as they can be read, and shows the position again, which they may decide.
export async function addTables(files) {
    const problems = []
    const added = []
    for (const file of files) {
        say(`Reading ${file.name} …`)
        try {
            added.push(...add(new Uint8Array(await file.arrayBuffer())))
        } catch (error) {
            problems.push(`${file.name}: ${error.message}.`)
        }
    }
    const rest = added.length > NAMED ? `, and ${added.length - NAMED} more` : ""
    const names = added.length > 0 ? `: ${added.slice(0, NAMED).join(", ")}${rest}` : ""
    say([`${added.length || "No"} ${added.length === 1 ? "table" : "tables"} added${names}.`, ...problems].join(" "))
    game.onChange(false)
}

// The tables in a dropped directory and in those inside it. Chromium reads no entries in a page from a disk, only handles; other
// browsers know only entries.
async function tablesIn(directory) {
    const files = []
    for await (const inside of directory.values?.() ?? entriesOf(directory)) {
        if (inside.kind === "directory" || inside.isDirectory) files.push(...await tablesIn(inside))
        else if (/\.pc[nb]$/i.test(inside.name))
            files.push(await (inside.getFile?.() ?? new Promise((resolve, reject) => inside.file(resolve, reject))))
    }
    return files
}

async function* entriesOf(directory) {
    const reader = directory.createReader()
    for (;;) {
        // It gives a part of the entries each time, and none at the end.
        const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject))
        if (some.length === 0) return
        yield* some
    }
}

async function filesOf(item) {
    const entry = item.webkitGetAsEntry()
    return entry?.isDirectory ? tablesIn(await item.getAsFileSystemHandle?.() ?? entry) : [item.getAsFile()]
}

// Files and directories dropped anywhere on the page are added.
export function listenForDrops() {
    const hasFiles = event => event.dataTransfer?.types.includes("Files")
    const mark = isOver => document.body.classList.toggle("dropping", isOver)
    addEventListener("dragover", event => {
        if (!hasFiles(event)) return
        event.preventDefault()
        mark(true)
    })
    // It has no related element where the page is left.
    addEventListener("dragleave", event => event.relatedTarget ?? mark(false))
    addEventListener("drop", async event => {
        mark(false)
        if (!hasFiles(event)) return
        event.preventDefault()
        try {
            const files = (await Promise.all(Array.from(event.dataTransfer.items, filesOf))).flat().filter(Boolean)
            if (files.length > 0) await addTables(files)
            else say("No table was dropped: the names of tables end in .pcn or .pcb.")
        } catch (error) {
            say(`What was dropped cannot be read: ${error.message}`)
        }
    })
}
