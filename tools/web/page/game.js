// The game: a record of moves since a position was set, and the prober's answer about the position shown. Every change is an entry in
// the browser's history, so that its Back button takes it back.

import * as prober from "prober"
import {identity, materialOf, readMen, turnOf} from "./fen.js"

const OPPOSITE = {win: "loss", "cursed-win": "blessed-loss", draw: "draw", "blessed-loss": "cursed-win", loss: "win", unknown: "unknown"}

// Mates of at most so many moves are searched.
const MATE = 3

// `record` has the FENs of the game, each but the first with the move `uci` to it, in words `san`, and whether it `isReply`, or only with
// the words for another change; `at` is the index of the one shown. `answer` is the prober's, or has a `problem`; `legal` the moves, each
// with its outcome for the side that moves, the best one first; `best` is that one, unless its outcome is unknown; `mate` the moves of the
// winner to a mate that was found, or 0; `isPlanned` whether `best` is by a ranking; `isAnyGood` whether several moves draw, and none is better; `lacking` are the materials whose
// tables would tell the outcomes of other moves.
export const game = {record: [], at: 0, answer: {}, legal: [], best: null, mate: 0, isPlanned: false, isAnyGood: false, lacking: [], explanation: null, onChange: () => {}}

export const fenNow = () => game.record[game.at].fen

// Asks the prober about the position shown.
export function ask() {
    const fen = fenNow()
    Object.assign(game, {legal: [], best: null, mate: 0, isPlanned: false, isAnyGood: false, lacking: [], explanation: null})
    try {
        game.answer = JSON.parse(prober.moves(fen))
    } catch (error) {
        game.answer = {problem: error.message}
        return
    }
    game.legal = game.answer.moves.map(move => ({...move, outcome: OPPOSITE[move.category]}))
    deduce(fen)
    // The moves whose outcome is known to be that of the position.
    const {category} = game.answer
    const good = game.legal.filter(move => move.outcome === category && move.outcome !== "unknown")
    game.isAnyGood = category === "draw" && good.length > 1
    if (good.length > 0) Object.assign(game, category === "win" ? toWin(fen, good) : category === "loss" ? toLose(fen, good) : {best: fresh(fen, good)})
    if (game.best && !game.isAnyGood) game.legal = [game.best, ...game.legal.filter(move => move !== game.best)]
    try {
        game.explanation = JSON.parse(prober.explain(fen))
    } catch (error) {
        game.answer.unexplained = error.message
    }
}

// All moves of a lost position lose; and one move whose outcome is unknown keeps the outcome of the position if no other does.
function deduce(fen) {
    const {category} = game.answer
    const unknown = game.legal.filter(move => move.outcome === "unknown")
    const isOnly = unknown.length === 1 && /^(win|draw)$/.test(category) && !game.legal.some(move => move.outcome === category)
    if (category === "loss" || isOnly) for (const move of unknown) move.outcome = category
    else {
        const after = unknown.map(move => prober.play(fen, move.uci)).filter(after => after.split(" ")[2] === "-" && readMen(after).size <= 5)
        game.lacking = [...new Set(after.map(materialOf))]
    }
}

// The first move to a position that is new in the record. With distances, the first move makes progress.
function fresh(fen, good) {
    const seen = new Set(game.record.slice(0, game.at + 1).map(entry => identity(entry.fen)))
    return game.answer.dtz ? good[0] : good.find(move => !seen.has(identity(prober.play(fen, move.uci)))) ?? good[0]
}

// The first move of the shortest mate, or else one of the moves nearest to zeroing, if possible without a man that can be taken; without
// distances, the move by a ranking. A mate is followed by a shorter one, and the distance or level falls until then, so that the game ends.
function toWin(fen, good) {
    const [mate, uci] = prober.mate(fen, MATE).split(" ")
    const best = good.find(move => move.uci === uci)
    if (best) return {best, mate: Number(mate)}
    const planned = !game.answer.dtz && prober.plan(fen)
    if (planned) return {best: good.find(move => move.uci === planned), isPlanned: true}
    const first = fresh(fen, good)
    const isSafe = move => !JSON.parse(prober.moves(prober.play(fen, move.uci))).moves.some(({san}) => san.includes("x"))
    const asNear = good.filter(move => move.dtz && move.dtz === first.dtz && move.zeroing === first.zeroing)
    return {best: asNear.length > 1 && asNear.find(isSafe) || first}
}

// The move after which no mate is near, and mate or zeroing are furthest; a pawn moves last.
function toLose(fen, good) {
    let [best, mate] = [null, 0]
    // A pawn's move gains nothing; a man that is taken is missed later.
    const plies = ({zeroing, san, dtz}) => zeroing && !san.includes("x") ? 0 : Math.abs(dtz)
    for (const move of [...good].sort((one, other) => plies(other) - plies(one))) {
        const found = parseInt(prober.mate(prober.play(fen, move.uci), MATE))
        if (!found) return {best: move}
        if (found > mate) [best, mate] = [move, found]
    }
    return {best, mate}
}

// The text of the address after its #; as it is, if its escapes are no text.
export function linkText() {
    const text = location.hash.slice(1)
    try {
        return decodeURIComponent(text)
    } catch {
        return text
    }
}

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

const append = (entry, isAnimated = true) => enter([...game.record.slice(0, game.at + 1), entry], game.at + 1, true, isAnimated)

export function play(uci, isReply = false) {
    const move = game.legal.find(move => move.uci === uci)
    if (move) append({fen: prober.play(fenNow(), uci), uci, san: move.san, isReply})
}

// Continues the record with a position that no move leads to, and words for it.
export const change = (fen, san) => fen !== fenNow() && append({fen, san}, false)

export const goTo = index => index !== game.at && game.record[index] && enter(game.record, index)

// Returns to an entry of the browser's history.
export function restore({record, at}) {
    Object.assign(game, {record, at})
    game.onChange()
}

// The number and dots before move `index` of the record: "3." or, after a move of White that is not in it, "3…".
export function numberOf(index) {
    const {fen, uci} = game.record[index - 1]
    const number = fen.split(" ")[5]
    return !game.record[index].uci ? "" : turnOf(fen) === "w" ? `${number}.` : uci ? "" : `${number}…`
}
