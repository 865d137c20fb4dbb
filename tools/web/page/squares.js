// The squares of the board as buttons that lie on it, to set up men by keyboard: arrow keys go from one to another.

import {button, element, made} from "../dom.js"
import {nameOf, readMen} from "./fen.js"
import {fenNow} from "./game.js"

const STEPS = {ArrowLeft: -1, ArrowRight: 1, ArrowUp: -8, ArrowDown: 8}
// The index of the square that Tab reaches, from the top left corner.
let current = 0

const buttons = () => element("squares").querySelectorAll("button")

function goTo(index) {
    buttons()[current].tabIndex = -1
    current = index
    buttons()[current].tabIndex = 0
    buttons()[current].focus()
}

export const goToSquares = () => goTo(current)

// Brings the board into view, if a part of it is not.
export const showBoard = () => element("board-place").scrollIntoView({block: "nearest"})

// Names the squares, and the men on them, of a board with White ("w") or Black below.
export function showSquares(orientation) {
    const men = readMen(fenNow())
    buttons().forEach((item, index) => {
        const place = orientation === "w" ? index : 63 - index
        const square = "abcdefgh"[place % 8] + (8 - Math.floor(place / 8))
        item.dataset.name = square
        item.setAttribute("aria-label", `${square}: ${men.has(square) ? nameOf(men.get(square)) : "empty"}`)
    })
}

// `onChoose` and `onRemove` get the name of a square.
export function fillSquares({onChoose, onRemove, onLeave}) {
    const cell = index => made("div", {role: "gridcell"}, button({tabindex: index === current ? 0 : -1}, ({target}) => onChoose(target.dataset.name)))
    element("squares").append(...Array.from({length: 8}, (_, row) =>
        made("div", {role: "row"}, ...Array.from({length: 8}, (_, column) => cell(8 * row + column)))))
    element("squares").onkeydown = event => {
        const step = STEPS[event.key]
        const to = current + step
        if (event.ctrlKey || event.altKey || event.metaKey) return
        if (step && to >= 0 && to < 64 && (Math.abs(step) === 8 || to >> 3 === current >> 3)) goTo(to)
        else if (event.key === "Delete" || event.key === "Backspace") onRemove(event.target.dataset.name)
        else if (event.key === "Escape") onLeave()
        else if (!step) return
        // These keys have other meanings in the page.
        event.preventDefault()
        event.stopPropagation()
    }
}
