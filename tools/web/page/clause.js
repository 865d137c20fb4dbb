// The clause that decides: how many positions it holds for, its conditions, and on request its squares on the board.

import * as prober from "prober"
import {button, element, made} from "../dom.js"
import {identity, manOf, turnOf, withMove} from "./fen.js"
import {begin, fenNow, game} from "./game.js"
import {COLORS} from "./men.js"

// Milliseconds of counting between which the page responds.
const PIECE = 12

// Whether the squares of a man are shown on the board, and the man's number.
export const shown = {isOn: false, man: 0}
// The number of the current count.
let counts = 0

// Ends a count, whose slices may be those of a table that is replaced.
export const endCount = () => counts++

export function showClause({onChange, onPoint}) {
    const {explanation, answer} = game
    endCount()
    element("clause").replaceChildren()
    element("why").hidden = Boolean(answer.problem)
    element("clause-parts").hidden = !explanation
    element("lead").textContent = explanation ? "" : answer.unexplained ? "No table, and so no clause." : ""
    for (const id of ["castling-note", "orientation", "alone"]) element(id).textContent = ""
    if (!explanation) return
    const {conditions, orientation, castling, outcome, decided_by: by, is_exception: isException} = explanation
    if (castling !== "-")
        element("castling-note").textContent = `With castling (${castling}): ${resultWords(outcome)}. Without it, as clauses know no castling:`
    if (orientation) element("orientation").textContent = `* Here ${orientation}.`
    lead()
    count(fenNow())
    const details = element("conditions")
    details.hidden = conditions.length === 0
    element("conditions-head").textContent = conditions.length === 1 ? "Its condition" : `Its ${conditions.length} conditions`
    element("clause").append(...conditions.map(({sentence, value, is_turned: isTurned}) => {
        const squares = explanation.men.filter(({name}) => sentence.toLowerCase().includes(name)).map(man => man.square)
        const item = button({}, () => onPoint(squares), sentence, isTurned ? "*" : "", made("span", {class: "here"}, ` (here: ${value})`))
        item.onmouseenter = item.onfocus = item.onclick
        item.onmouseleave = item.onblur = () => onPoint([])
        return made("li", {}, item)
    }))
    element("another").hidden = by === "default" || isException
    showLights(onChange)
}

// Shows or hides the choice of a man whose squares are on the board; `onChange` draws them.
export function showLights(onChange) {
    element("show-clause").setAttribute("aria-pressed", String(shown.isOn))
    element("lights").hidden = !shown.isOn
    if (!shown.isOn) return
    const {men} = game.explanation
    shown.man = Math.min(shown.man, men.length - 1)
    const {name, squares} = men[shown.man]
    element("lights-head").textContent = squares.length === 1 ? `Wherever else ${name} stands, another clause decides.`
        : `With ${name} on any marked square, the same clause decides.`
    element("lights-men").replaceChildren(...men.map((man, number) =>
        button({"aria-pressed": String(number === shown.man), "data-man": number}, () => {
            shown.man = number
            onChange()
        }, `${man.name.replace("the ", "")}: ${man.squares.length - 1}`)))
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
    const {conditions, decided_by: by, is_exception: isException, number, stated, without_castling: outcome} = game.explanation
    const isCounted = positions !== undefined
    const result = resultWords(stated, exceptions === 0n)
    const but = exceptions ? ` in all but ${grouped(exceptions)}` : ""
    const of = isCounted ? ` in ${grouped(met)} of ${grouped(positions)} positions` : ""
    const all = isCounted ? ` in all ${exceptions ? `but ${grouped(exceptions)} of ` : ""}${grouped(positions)} positions` : ""
    const rule = by === "default" ? `No clause holds${of}: ${result}.`
        : conditions.length === 0 ? `With these men and ${COLORS[turnOf(fenNow())]} to move, ${resultWords(stated)}${all}.`
        : isCounted ? `Clause ${number} holds${of}, ${result}${but}.`
        : `Clause ${number}: ${result}. Its positions are being counted.`
    const earlier = isCounted && met !== decided ? ` An earlier clause decides ${grouped(met - decided)} of them.` : ""
    const here = isException ? ` This position is an exception: ${resultWords(outcome)}.` : ""
    element("lead").textContent = rule + earlier + here
    element("lead").dataset.counts = isCounted ? [positions, met, decided, exceptions].join() : ""
}

// Counts the positions that the clause holds for, in pieces between which the page responds.
async function count(fen) {
    const mine = counts
    const all = prober.slices(fen)
    const sum = [0n, 0n, 0n, 0n]
    for (let slice = 0; slice < all;) {
        await new Promise(resolve => setTimeout(resolve))
        if (mine !== counts) return
        for (const end = performance.now() + PIECE; slice < all && performance.now() < end; slice++)
            prober.count(fen, slice).forEach((number, field) => sum[field] += number)
    }
    lead(sum)
}

const shuffled = list => list.map(item => [Math.random(), item]).sort(([one], [other]) => one - other).map(([, item]) => item)

// A position of the same clause in which one man stands on another square, which is random: man number `first`, or else one of
// those after it. With the explanation of the position; null if no man can be moved alone.
function neighbour(fen, {men, section, number}, first) {
    for (const place of men.keys()) {
        const {square, squares, exceptions} = men[(first + place) % men.length]
        for (const other of shuffled(squares.filter(other => other !== square && !exceptions.includes(other)))) {
            const next = withMove(fen, square, other)
            const explained = JSON.parse(prober.explain(next))
            // A passed square is gone if its pawn moves, and the clause may be another.
            if (explained.section === section && explained.number === number && !explained.is_exception) return [next, explained]
        }
    }
    return null
}

// Shows another position of the clause: men are moved in turn.
export function showAnother() {
    let [fen, explanation, other] = [fenNow(), game.explanation, null]
    for (let step = 0; step < 2 * explanation.men.length; step++) {
        const next = neighbour(fen, explanation, step)
        if (!next) break
        [fen, explanation] = next
        if (identity(fen) !== identity(fenNow())) other = fen
    }
    if (other) begin(other)
    else element("alone").textContent = "No man can move alone to another position of this clause."
}

// The squares of the man shown, and its picture.
export function lights() {
    const man = shown.isOn && game.explanation?.men[shown.man]
    return man ? {squares: man.squares, home: man.square, picture: manOf(man.letter)} : null
}
