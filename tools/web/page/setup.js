// Setting up a position: men from the palette, castling rights and the passed square, and changes of the whole board.

import {button, element, made} from "../dom.js"
import {manOf, mirrored, possiblePassed, possibleRights, readMen, setUp, swapped, withMan} from "./fen.js"
import {begin, change, fenNow} from "./game.js"
import {COLORS, ROLES, picture} from "./men.js"
import {fillSquares, goToSquares} from "./squares.js"

const KINGS = "4k3/8/8/8/8/8/8/4K3 w - - 0 1"
const CASTLING = {K: "White O-O", Q: "White O-O-O", k: "Black O-O", q: "Black O-O-O"}

export const setting = {isOn: false}
// The letter of the man chosen in the palette, "" to remove men, or null.
let brush = null


function choose(letter) {
    brush = letter
    for (const button of element("men").children)
        button.setAttribute("aria-pressed", String(button.dataset.letter === letter))
}

// Puts back the man chosen in the palette.
export const unchoose = () => choose(null)

export function toggle() {
    setting.isOn = !setting.isOn
    choose(null)
    element("palette").hidden = !setting.isOn
    element("squares").hidden = !setting.isOn
    element("set-up").textContent = setting.isOn ? "Play" : "Set up"
    if (setting.isOn) element("castling").before(element("turn"))
    else element("record").after(element("turn"))
}

export const put = (square, letter) => begin(withMan(fenNow(), square, letter))

// Puts the chosen man on a square, or removes the same man from it.
const putBrush = square => brush !== null && put(square, readMen(fenNow()).get(square) === brush ? "" : brush)

// Shows the side to move, and the castling rights and passed squares that are possible.
export function showSetUp() {
    const [, turn, castling, passed] = fenNow().split(" ")
    const men = readMen(fenNow())
    for (const radio of document.getElementsByName("turn")) radio.checked = radio.value === turn
    for (const box of element("castling").querySelectorAll("input")) {
        box.disabled = !possibleRights(men).includes(box.value)
        box.checked = castling.includes(box.value)
    }
    const squares = possiblePassed(men, turn)
    element("passed").replaceChildren(...["-", ...squares].map(square => made("option", {value: square}, square === "-" ? "none" : square)))
    element("passed").value = squares.includes(passed) ? passed : "-"
    element("passed").disabled = squares.length === 0
}

// The men as they are, and what the controls say about the rest.
function asSet() {
    const turn = document.querySelector("[name=turn]:checked").value
    const castling = Array.from(element("castling").querySelectorAll("input:checked"), box => box.value).join("")
    return setUp(readMen(fenNow()), turn, castling, element("passed").value)
}

// Carries a picture of a man from the palette with the pointer, and puts the man on the square where it is let go.
function carry(letter, down) {
    const carried = picture(manOf(letter))
    carried.classList.add("carried")
    let isDragged = false
    const move = event => {
        if (!isDragged && Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) < 6) return
        isDragged = true
        document.body.append(carried)
        carried.style.left = `${event.clientX}px`
        carried.style.top = `${event.clientY}px`
    }
    const end = event => {
        for (const [name, listener] of [["pointermove", move], ["pointerup", end], ["pointercancel", end]]) removeEventListener(name, listener)
        carried.remove()
        if (!isDragged || event.type !== "pointerup") return
        const square = document.elementsFromPoint(event.clientX, event.clientY).map(node => node.dataset.square).find(Boolean)
        if (square) put(square, letter)
    }
    for (const [name, listener] of [["pointermove", move], ["pointerup", end], ["pointercancel", end]]) addEventListener(name, listener)
}

function fillPalette() {
    for (const letter of "KQRBNPkqrbnp") {
        const man = manOf(letter)
        const label = `${COLORS[man[0]]} ${ROLES[man[1]]}`
        const item = button({"data-letter": letter, "aria-label": label, "aria-pressed": "false", title: label},
            event => {
                choose(brush === letter ? null : letter)
                // By keyboard.
                if (brush && event.detail === 0) goToSquares()
            }, picture(man))
        item.onpointerdown = down => carry(letter, down)
        element("men").append(item)
    }
    for (const [right, label] of Object.entries(CASTLING))
        element("castling").append(made("label", {}, made("input", {type: "checkbox", value: right}), ` ${label}`))
}

// Puts the chosen man where the board is clicked or tapped. A drag moves a man instead.
function listenForBrush(board) {
    const onTap = event => {
        const square = event.target.getAttribute("data-square")
        if (!setting.isOn || brush === null || !square || board.view.visualMoveInput.isDragging()) return
        // So that no click follows a touch.
        event.preventDefault()
        putBrush(square)
    }
    element("board").addEventListener("click", onTap)
    element("board").addEventListener("touchend", onTap)
}

export function listenForSetUp(board) {
    fillPalette()
    fillSquares({
        onChoose: putBrush,
        onRemove: square => put(square, ""),
        onLeave: () => (element("men").querySelector("[aria-pressed=true]") ?? element("men").firstElementChild).focus(),
    })
    listenForBrush(board)
    for (const radio of document.getElementsByName("turn")) radio.onchange = () => change(asSet(), `${COLORS[radio.value]} to move`)
    element("castling").onchange = element("passed").onchange = () => begin(asSet())
    element("clear").onclick = () => begin(KINGS)
    element("mirror").onclick = () => begin(mirrored(fenNow()))
    element("swap").onclick = () => begin(swapped(fenNow()))
}
