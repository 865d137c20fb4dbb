// The game: a record of moves since a position was set, and the prober's answer about the position shown. Every change is an entry in
// the browser's history, so that its Back button takes it back.

import * as prober from "prober"
import {identity, turnOf} from "./fen.js"

const OPPOSITE = {win: "loss", "cursed-win": "blessed-loss", draw: "draw", "blessed-loss": "cursed-win", loss: "win", unknown: "unknown"}

// `record` has the FENs of the game, each but the first with the move `uci` to it, in words `san`; `at` is the index of the one shown.
// `answer` is the prober's, or has a `problem`; `legal` the moves, each with its outcome for the side that moves; `best` one of them;
// `isAnyGood` whether there are several that draw, and none is better.
export const game = {record: [], at: 0, answer: {}, legal: [], best: null, isAnyGood: false, explanation: null, onChange: () => {}}

export const fenNow = () => game.record[game.at].fen

// Asks the prober about the position shown.
export function ask() {
    const fen = fenNow()
    Object.assign(game, {legal: [], best: null, isAnyGood: false, explanation: null})
    try {
        game.answer = JSON.parse(prober.moves(fen))
    } catch (error) {
        game.answer = {problem: error.message}
        return
    }
    game.legal = game.answer.moves.map(move => ({...move, outcome: OPPOSITE[move.category]}))
    // The moves whose outcome is known to be that of the position, best first. By distances the first makes progress.
    const good = game.legal.filter(move => move.outcome === game.answer.category && move.outcome !== "unknown")
    const seen = new Set(game.record.slice(0, game.at + 1).map(entry => identity(entry.fen)))
    const isNew = move => game.answer.dtz || !seen.has(identity(prober.play(fen, move.uci)))
    game.best = good.find(isNew) ?? good[0] ?? null
    game.isAnyGood = game.answer.category === "draw" && good.length > 1
    try {
        game.explanation = JSON.parse(prober.explain(fen))
    } catch (error) {
        game.answer.unexplained = error.message
    }
}

// The text of the address after its #.
export const linkText = () => decodeURIComponent(location.hash.slice(1).replace(/%(?![\da-f]{2})/gi, "%25"))

// Whether a state of the browser's history is one of the page, and has the position of the address.
export const isOfAddress = state => Boolean(state?.record) && state.record[state.at]?.fen === linkText().replaceAll("_", " ")

// Writes the position shown into the browser's history, as a new entry or in place of the current one.
export function save(isNew = false) {
    const {record, at} = game
    try {
        window.history[isNew ? "pushState" : "replaceState"]({record, at}, "", `#${fenNow().replaceAll(" ", "_")}`)
    } catch {
        // Browsers limit the entries per second. The page shows the position all the same.
    }
}

// Shows position `at` of a record.
function enter(record, at, isNew = true, isAnimated = true) {
    Object.assign(game, {record, at})
    save(isNew)
    game.onChange(isAnimated)
}

// Begins a new record.
export const begin = (fen, isNew = true) => fen !== game.record[game.at]?.fen && enter([{fen}], 0, isNew, false)

export function play(uci) {
    const {san} = game.legal.find(move => move.uci === uci)
    enter([...game.record.slice(0, game.at + 1), {fen: prober.play(fenNow(), uci), uci, san}], game.at + 1)
}

export const goTo = index => index !== game.at && game.record[index] && enter(game.record, index)

// Returns to an entry of the browser's history.
export function restore({record, at}) {
    Object.assign(game, {record, at})
    game.onChange()
}

// The number and dots before move `index` of the record: "3." or, after a move of White that is not in it, "3…".
export function numberOf(index) {
    const before = game.record[index - 1].fen.split(" ")
    return turnOf(game.record[index - 1].fen) === "w" ? `${before[5]}.` : index === 1 ? `${before[5]}…` : ""
}
