// The parts of the page that show a result: equations, Karnaugh maps, primes and gates.

import renderAssign from "logidrom/lib/render-assign.js"
import {element, made} from "../../dom.js"
import {has, levels, loop, sheets} from "./map.js"
import {gates, rowsOf, termOf, textbook} from "./notation.js"

// Limits on the terms, outputs and primes that are shown.
const MOST_TERMS = 60
const MOST_OUTPUTS = 16
const MOST_PRIMES = 60
// Levels of nested loops that a cell has room for.
const LEVELS = 5

export const counted = (count, what) => `${count.toLocaleString("en")} ${what}${count === 1 ? "" : "s"}`

// Text for screen readers.
const unseen = text => made("span", {class: "unseen"}, text)

// A button of a group, which keeps the focus when the group is made anew.
function choice(text, isChosen, choose, style = "") {
    const button = made("button", {type: "button", "aria-pressed": String(isChosen), style}, text)
    button.onclick = () => {
        const {parentNode: group} = button
        const place = [...group.children].indexOf(button)
        choose()
        group.children[place]?.focus()
    }
    return button
}

// Each term stays on one line.
const unbroken = terms => terms.flatMap(term => [made("span", {}, term), made("wbr")])

export function showEquations(result) {
    const {inputs, outputs, rows} = result
    element("equations").hidden = (inputs.length === 0 && result.maps.length === 0) || outputs.length > MOST_OUTPUTS || rows.length > MOST_TERMS
    if (element("equations").hidden) return
    element("equations").replaceChildren(...outputs.map((name, output) => made("p", {}, made("b", {}, name), " = ",
        ...unbroken(textbook(result, output)))))
    const {other_rows: others} = result
    if (others.length === 0) return
    const other = {...result, rows: others}
    const literals = others.join("").replace(/ 1|[^01]/g, "").length
    const isSmaller = literals < result.equation_literals
    element("equations").append(made("p", {class: "other"},
        isSmaller ? `Another answer has ${counted(literals, "literal")}: ` : "Another answer as small exists: ", ...unbroken(textbook(other, 0))))
}

// The map of an output; `state` has the output, the number of the chosen row or null, and `edit(minterm)`. `again` shows it anew.
export function showMap(result, state, again) {
    const {maps, inputs, outputs} = result
    element("map-part").hidden = maps.length === 0
    element("no-map").hidden = maps.length > 0
    if (maps.length === 0) {
        element("no-map").textContent = `No Karnaugh map and no list of primes: ${inputs.length > 0
            ? `this function has ${inputs.length} inputs, and both are made for at most six.` : "both are for inputs of two values."}`
        return
    }
    const {output} = state
    const isSum = result.complemented[output] === 1
    element("outputs").hidden = outputs.length === 1
    element("outputs").replaceChildren(...outputs.map((name, number) => choice(name, number === output, () => {
        Object.assign(state, {output: number, lit: null})
        again()
    })))
    const all = [...maps[output]].map((_, minterm) => minterm)
    const rows = rowsOf(result, output).slice(0, MOST_TERMS)
    const products = rows.map(row => all.filter(minterm => has(row, inputs.length, output, minterm)))
    const drawn = levels(products).map((level, number) => ({level: level % LEVELS, number, minterms: products[number]}))
    const hue = number => `--hue: ${Math.round(number * 137.5) % 360}`
    showSheets(result, state, drawn.map(product => ({...product, style: `${hue(product.number)}; --level: ${product.level}`})))
    const what = isSum ? "sum" : "product"
    element("products").setAttribute("aria-label", `Highlight the loop of a ${what}`)
    element("products").replaceChildren(...rows.map((row, number) => choice(termOf(row, inputs, isSum), number === state.lit, () => {
        state.lit = state.lit === number ? null : number
        again()
    }, hue(number))))
    showPrimes(result, output, isSum)
    showGates(result, output)
}

function showSheets({maps, inputs}, state, drawn) {
    const tables = sheets(inputs).map(sheet => {
        const loops = drawn.map(product => [product, loop(sheet, minterm => product.minterms.includes(minterm))])
        const cell = (minterm, isFirst) => {
            const value = maps[state.output][minterm]
            const mine = loops.filter(([, sides]) => sides[minterm])
            const digit = value === "-" ? [made("span", {"aria-hidden": "true"}, "–"), unseen("don't-care")] : [value]
            const button = made("button", {type: "button", "data-minterm": minterm, tabindex: isFirst ? 0 : -1},
                ...digit, unseen(" minterm "), made("sub", {}, String(minterm)))
            button.onclick = () => state.edit(minterm)
            const isLit = mine.some(([{number}]) => number === state.lit)
            return made("td", {"data-minterm": minterm, "data-value": value, class: isLit ? "lit" : ""}, button,
                ...mine.map(([{number, style}, sides]) => made("i", {class: `loop ${sides[minterm].join(" ")}`, style, "data-product": number})))
        }
        const {caption, rowNames, columnNames, columns, rows} = sheet
        const heads = columns.map(code => made("th", {scope: "col"}, code))
        return made("table", {},
            made("caption", {}, caption),
            made("thead", {},
                made("tr", {}, made("td", {}), made("th", {colspan: columns.length, scope: "colgroup"}, columnNames)),
                made("tr", {}, rowNames ? made("th", {scope: "col"}, rowNames) : made("td", {}), ...heads)),
            made("tbody", {}, ...rows.map(({code, minterms}, r) => made("tr", {}, made("th", {scope: "row"}, code),
                ...minterms.map((minterm, c) => cell(minterm, r + c === 0))))))
    })
    const map = element("map")
    map.className = `of-${tables.length}`
    const isSame = map.dataset.inputs === JSON.stringify(inputs)
    map.dataset.inputs = JSON.stringify(inputs)
    if (!isSame) {
        map.replaceChildren(...tables)
        return
    }
    // The buttons of the same map stay: they keep the focus, and a button that is held down gets its click.
    for (const cell of tables.flatMap(table => [...table.querySelectorAll("td[data-minterm]")])) {
        const shown = map.querySelector(`td[data-minterm="${cell.dataset.minterm}"]`)
        Object.assign(shown, {className: cell.className}).dataset.value = cell.dataset.value
        shown.querySelectorAll(".loop").forEach(old => old.remove())
        const [button, ...loops] = cell.childNodes
        shown.firstChild.replaceChildren(...button.childNodes)
        shown.append(...loops)
    }
}

// Moves the focus to a cell, which becomes the one of its table that Tab reaches.
function focusOn(cell) {
    for (const other of cell?.closest("table").querySelectorAll("button") ?? []) other.tabIndex = other === cell ? 0 : -1
    cell?.focus()
}

// Arrow keys move in a map, around its rims.
export function moveInMap(event) {
    const [down, right] = {ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1]}[event.key] ?? []
    if (down === undefined || event.ctrlKey || event.altKey || event.metaKey) return
    const rows = [...event.target.closest("tbody")?.rows ?? []].map(row => [...row.querySelectorAll("button")])
    const row = rows.findIndex(row => row.includes(event.target))
    if (row < 0) return
    event.preventDefault()
    const [height, width] = [rows.length, rows[0].length]
    focusOn(rows[(row + down + height) % height][(rows[row].indexOf(event.target) + right + width) % width])
}

function showPrimes(result, output, isSum) {
    const {inputs, maps, primes} = result
    const all = primes[output]?.split("\n").filter(row => row !== "") ?? []
    element("primes-part").hidden = all.length === 0 || all.length > MOST_PRIMES
    element("no-primes").hidden = all.length <= MOST_PRIMES && primes[output] !== undefined
    element("no-primes").textContent = all.length > 0 ? `No list of primes: these are ${all.length}, and at most ${MOST_PRIMES} are listed.`
        : `No list of primes: it is made for at most ${MOST_OUTPUTS} outputs.`
    if (element("primes-part").hidden) return
    const wanted = [...maps[output]].flatMap((value, minterm) => value === (isSum ? "0" : "1") ? [minterm] : [])
    const within = (row, minterm) => has(row, inputs.length, 0, minterm)
    const only = minterm => all.filter(row => within(row, minterm)).length === 1
    const cubes = rowsOf(result, output).map(row => row.split(" ")[0])
    const essential = all.filter(row => wanted.some(minterm => within(row, minterm) && only(minterm)))
    element("primes-title").textContent = `${counted(all.length, isSum ? "prime sum" : "prime")}, ${essential.length.toLocaleString("en")} essential`
    element("alone").hidden = result.outputs.length === 1
    element("primes").replaceChildren(
        made("thead", {}, made("tr", {}, ...[isSum ? "prime sum" : "prime", "essential", "in the answer", ...wanted.map(String)]
            .map(text => made("th", {scope: "col"}, text)))),
        made("tbody", {}, ...all.map(row => made("tr", {}, made("th", {scope: "row"}, termOf(row, inputs, isSum)),
            made("td", {}, essential.includes(row) ? "yes" : ""), made("td", {}, cubes.includes(row.split(" ")[0]) ? "yes" : ""),
            ...wanted.map(minterm => made("td", {}, !within(row, minterm) ? "" : only(minterm) ? "⊗" : "×"))))))
}

// An SVG as text, from a tree of arrays: a name, attributes, and what is inside. Its texts are escaped already.
function svgText([name, ...rest]) {
    const attributes = rest[0]?.constructor === Object ? rest.shift() : {}
    const listed = Object.entries(attributes).map(([key, value]) => ` ${key}="${[value].flat().join(" ")}"`).join("")
    return `<${name}${listed}>${rest.map(child => Array.isArray(child) ? svgText(child) : child).join("")}</${name}>`
}

function showGates(result, output) {
    const [name, tree] = gates(result, output)
    const [, attributes, ...inside] = renderAssign(0, {assign: [[name, tree]]})
    const text = svgText(["svg", {xmlns: "http://www.w3.org/2000/svg", ...attributes}, ...inside])
    Object.assign(element("gates"), {src: `data:image/svg+xml,${encodeURIComponent(text)}`, alt: `Gates of ${name} = ${textbook(result, output).join("")}`})
    Object.assign(element("save-gates"), {href: element("gates").src, download: `${name}.svg`})
}
