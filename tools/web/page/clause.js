// The clause that decides: how many positions it holds for, its conditions, and on request its squares on the board.

import * as prober from "prober"
import {button, element, made} from "../dom.js"
import {identity, manOf, swapped, turnOf} from "./fen.js"
import {change, fenNow, game} from "./game.js"
import {COLORS} from "./men.js"
import {showBoard} from "./squares.js"

// Milliseconds of counting between which the page responds.
const PIECE = 12
// Milliseconds after which other positions are chosen among those counted so far.
const PATIENCE = 1500
// So many positions may be the same but for reflections and rotations.
const IMAGES = 8

// Whether the squares of a man are shown on the board, and the man's number.
export const shown = {isOn: false, man: 0}
// The number of the current count, and the slices in which it found positions: the slice's number, and the number of positions that the
// clause decides there without exceptions.
let counts = 0
let found = []
// The squares of the condition that was clicked.
let chosen = []

// Ends a count, whose slices may be those of a table that is replaced.
export function endCount() {
    counts++
    found = []
}

export function showClause({onChange, onPoint}) {
    const {explanation, answer} = game
    endCount()
    element("clause").replaceChildren()
    element("why").hidden = Boolean(answer.problem)
    const rule = answer.checkmate ? "Checkmate" : answer.stalemate ? "Stalemate" : answer.insufficient_material ? "Insufficient material" : ""
    const isByClause = Boolean(explanation) && !rule
    element("clause-parts").hidden = !isByClause
    element("lead").textContent = rule ? `${rule}: the rules of chess decide, and no clause is needed.`
        : answer.unexplained ? "No table answers, and so no clause." : ""
    for (const id of ["castling-note", "orientation", "alone"]) element(id).textContent = ""
    chosen = []
    if (!isByClause) return
    const {conditions, orientation, castling, outcome} = explanation
    if (castling !== "-")
        element("castling-note").textContent = `With castling (${castling}) still possible: ${resultWords(outcome)}. The clause leaves castling out:`
    if (orientation) element("orientation").textContent = `* Here ${orientation}.`
    lead()
    count(fenNow())
    const details = element("conditions")
    details.hidden = conditions.length === 0
    element("conditions-head").textContent = conditions.length === 1 ? "Its condition" : `Its ${conditions.length} conditions`
    element("clause").append(...conditions.map(({sentence, value, is_turned: isTurned}) => {
        const squares = explanation.men.filter(({name}) => sentence.toLowerCase().includes(name)).map(man => man.square)
        const item = button({"aria-pressed": "false"}, () => {
            const isChosen = item.getAttribute("aria-pressed") === "false"
            for (const other of element("clause").querySelectorAll("button")) other.setAttribute("aria-pressed", String(isChosen && other === item))
            chosen = isChosen ? squares : []
            onPoint(chosen)
            if (isChosen) showBoard()
        }, sentence, isTurned ? "*" : "", made("span", {class: "here"}, ` (here: ${value})`))
        item.onmouseenter = item.onfocus = () => onPoint(squares)
        item.onmouseleave = item.onblur = () => onPoint(chosen)
        return made("li", {}, item)
    }))
    element("another").disabled = true
    showLights(onChange)
}

// Shows or hides the choice of a man whose squares are on the board; `onChange` draws them.
export function showLights(onChange) {
    element("show-clause").textContent = shown.isOn ? "Hide the clause on the board" : "Show the clause on the board"
    element("lights").hidden = !shown.isOn
    if (!shown.isOn) return
    const {men} = game.explanation
    shown.man = Math.min(shown.man, men.length - 1)
    const {name, squares} = men[shown.man]
    element("lights-head").textContent = squares.length === 1 ? `Wherever else ${name} stands, another clause decides.`
        : `With ${name} on any marked square, the same clause decides.`
    element("lights-men").replaceChildren(...men.map((man, number) => {
        const others = man.squares.length - 1
        return button({"aria-pressed": String(number === shown.man), "data-man": number}, () => {
            shown.man = number
            onChange()
        }, `${man.name.replace("the ", "")}: ${others || "no"} other ${others === 1 ? "square" : "squares"}`)
    }))
}

// "White wins" or "a draw", of an outcome for the side to move.
function resultWords(outcome, isAlways) {
    const turn = turnOf(fenNow())
    const winner = COLORS[(outcome === "win") === (turn === "w") ? "w" : "b"]
    return outcome === "draw" ? `${isAlways ? "always " : ""}a draw` : `${winner}${isAlways ? " always" : ""} wins`
}

const grouped = number => number.toLocaleString("en")

// Writes the first sentences about the clause. The counts are those of positions with these men and side to move, those that meet the
// clause, those that it decides, and its exceptions; or there are none yet.
function lead([positions, met, decided, exceptions] = []) {
    const {conditions, is_exception: isException, number, stated, without_castling: outcome} = game.explanation
    const isCounted = positions !== undefined
    const result = resultWords(stated, exceptions === 0n)
    const but = exceptions ? ` in all but ${grouped(exceptions)}` : ""
    const of = isCounted ? ` in ${grouped(met)} of ${grouped(positions)} positions` : ""
    const all = isCounted ? ` in all ${exceptions ? `but ${grouped(exceptions)} of ` : ""}${grouped(positions)} positions` : ""
    const rule = conditions.length === 0 ? `With these men and ${COLORS[turnOf(fenNow())]} to move, ${resultWords(stated)}${all}.`
        : isCounted ? `Clause ${number} holds${of}, ${result}${but}.`
        : `Clause ${number}: ${result}. Its positions are being counted.`
    const earlier = isCounted && met !== decided ? ` An earlier clause decides ${grouped(met - decided)} of them.` : ""
    const here = isException ? ` This position is an exception: ${resultWords(outcome)}.` : exceptions ? " This position is not one of them." : ""
    element("lead").textContent = rule + earlier + here
    element("lead").dataset.counts = isCounted ? [positions, met, decided, exceptions].join() : ""
}

// Counts the positions that the clause holds for, in pieces between which the page responds.
async function count(fen) {
    const mine = counts
    const [all, begun] = [prober.slices(fen), performance.now()]
    const sum = [0n, 0n, 0n, 0n]
    for (let slice = 0; slice < all;) {
        await new Promise(resolve => setTimeout(resolve))
        if (mine !== counts) return
        for (const end = performance.now() + PIECE; slice < all && performance.now() < end; slice++) {
            const some = prober.count(fen, slice)
            some.forEach((number, field) => sum[field] += number)
            if (some[2] > some[3]) found.push([slice, Number(some[2] - some[3])])
        }
        const isEarly = performance.now() - begun < PATIENCE || foundInAll() <= IMAGES
        element("another").disabled = slice < all ? isEarly : found.length === 0
    }
    lead(sum)
}

const foundInAll = () => found.reduce((sum, [, number]) => sum + number, 0)

// Shows another position of the clause, any of those that were counted with equal chance.
export function showAnother() {
    const all = foundInAll()
    const first = Math.floor(Math.random() * all)
    // Another one if it is the position shown.
    for (let step = 0; step < Math.min(all, IMAGES + 1); step++) {
        let [index, rest] = [0, (first + step) % all]
        for (; rest >= found[index][1]; index++) rest -= found[index][1]
        const other = prober.other(fenNow(), found[index][0], rest)
        const fen = turnOf(other) === turnOf(fenNow()) ? other : swapped(other)
        if (identity(fen) !== identity(fenNow())) return change(fen, "another position")
    }
    element("alone").textContent = "No other position meets this clause."
}

// The squares of the man shown, and its picture.
export function lights() {
    const man = shown.isOn && game.explanation?.men[shown.man]
    return man ? {squares: man.squares, home: man.square, picture: manOf(man.letter)} : null
}
