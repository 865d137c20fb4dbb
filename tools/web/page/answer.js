// The answer beside the board: the outcome, the moves, and the record of those played.

import {button, element, made} from "../dom.js"
import {materialOf, readMen, turnOf} from "./fen.js"
import {fenNow, game, goTo, numberOf} from "./game.js"
import {offerTables} from "./tables.js"

// Materials of which any capture leads to a draw: a won game ends by mate without a capture.
const ONLY_MATES = ["KQvK", "KRvK", "KBBvK", "KBNvK", "KNNvK"]
// Plies before the 50-move rule applies at which the page warns.
const FEW_PLIES = 10
const SIGN = {win: "+", "cursed-win": "=", draw: "=", "blessed-loss": "=", loss: "−", unknown: "?"}
export const HEADS = {
    win: "Winning", "cursed-win": "Winning, but a draw by the 50-move rule", draw: "Drawing",
    "blessed-loss": "Losing, but a draw by the 50-move rule", loss: "Losing", unknown: "Unknown",
}

const capitalized = text => text && text[0].toUpperCase() + text.slice(1)

const counted = (number, one, several = `${one}s`) => `${number} ${number === 1 ? one : several}`

// The reason why there is no best move, or why it makes no progress.
function doubtText({category}) {
    const [, , castling] = fenNow().split(" ")
    const material = materialOf(fenNow())
    if (!game.best) return game.lacking.length === 0 ? ""
        : ` The ${/win$/.test(category) ? "winning" : "drawing"} move leads to a table that is missing: add ${game.lacking.join(", ")}.`
    return !/win|loss/.test(category) ? ""
        : game.isPlanned ? " The best move is by a ranking, without distances: from a clock of zero, such moves mate, capture or promote within 50 moves."
        : castling !== "-" ? " No distance is known while there is a castling right: the best move only keeps the outcome."
        : readMen(fenNow()).size > 4 || game.isWithoutDistances
            ? ` No distances of ${material} are loaded: the best move ${{win: "only keeps the win, and may come no nearer to it", loss: "may not be the longest defence"}[category] ?? "only keeps the outcome"}.`
        : ""
}

// The moves to mate or the plies to zeroing, and a warning if the 50-move rule is near.
function distanceText({category, dtz}) {
    const {best, mate} = game
    const clock = Number(fenNow().split(" ")[4])
    if (!dtz && !mate) return doubtText(game.answer)
        + (clock > 0 && /^(win|loss)$/.test(category) ? ` The clock of ${counted(clock, "ply", "plies")} is ignored: by the 50-move rule this may be a draw.` : "")
    const plies = mate ? 2 * mate - Number(category === "win") : Math.abs(dtz)
    // The plies that the winner can waste before the clock is zeroed. If the loser's move zeroes it, it counts from 0.
    const spare = 100 - (category === "loss" && best?.zeroing ? 0 : clock) - Math.abs(dtz ?? plies)
    const warning = /cursed|blessed/.test(category) ? ` Too many for the 50-move rule: ${clock} plies have passed, and 100 are a draw.`
        : spare < FEW_PLIES ? ` The 50-move rule is near: ${clock} plies have passed, which leaves ${spare} to spare.` : ""
    const said = counted(plies, "ply", "plies")
    const text = mate ? ` Mate in ${counted(mate, "move")} (${said}).`
        : ONLY_MATES.includes(materialOf(fenNow())) ? ` ${said} to mate (${counted(Math.ceil(plies / 2), "move")}).`
        : ` ${said} to mate, or to the next capture or pawn move.`
    return text + warning
}

// Whether the position has no answer because of its castling rights, so that adding a table does not help.
const lacksRights = () => /^castling/.test(game.answer.unexplained)

function unknownText() {
    const count = readMen(fenNow()).size
    return lacksRights() ? `${capitalized(game.answer.unexplained)}.`
        : count > 5 ? "No table of six or more men is loaded."
        : `This page has the tables of up to four men. Add the table of ${materialOf(fenNow())} to see who wins.`
}

function outcomeOf({category, checkmate, stalemate, insufficient_material: isInsufficient}, turn) {
    const [mover, other] = turn === "w" ? ["White", "Black"] : ["Black", "White"]
    const text = {win: `${mover} wins`, draw: "Draw", loss: `${other} wins`, unknown: "Unknown"}[category] ?? "Draw by the 50-move rule"
    const why = checkmate ? `${mover} is checkmated.`
        : stalemate ? `${mover} is stalemated.`
        : isInsufficient ? "Neither side has the men to mate."
        : `${mover} is to move.${category === "unknown" ? ` ${unknownText()}` : distanceText(game.answer)}`
    return [text, why, {win: mover, loss: other}[category] ?? ""]
}

export function showOutcome() {
    const {answer} = game
    const place = element("outcome")
    const material = element("material").textContent = materialOf(fenNow())
    place.dataset.winner = ""
    if (answer.problem) {
        const [, kind, words] = /^(illegal position|bad FEN)?:? ?(.*)/s.exec(answer.problem)
        place.className = "unknown problem"
        const sides = words.replace(/\b(white|black)\b(?= (is|has))/g, capitalized)
        const isImpossible = kind === "illegal position" || /has \d+ kings/.test(words)
        const head = isImpossible ? "This position cannot occur" : kind ? "This FEN cannot be read" : "No answer"
        place.replaceChildren(head, made("small", {}, `${capitalized(sides)}.`))
    } else {
        const [text, why, winner] = outcomeOf(answer, turnOf(fenNow()))
        place.className = answer.category
        place.dataset.winner = winner
        place.replaceChildren(text, made("small", {}, why))
    }
    document.title = `${material}: ${place.firstChild.textContent} – cubebase`
    offerTables(answer.category === "unknown" && readMen(fenNow()).size === 5 && !lacksRights())
}

// What a move does, or the distance to zeroing after it.
function badgeOf(move) {
    if (move.checkmate) return "Checkmate"
    if (move.stalemate) return "Stalemate"
    if (move.insufficient_material) return "Insufficient material"
    if (move === game.best && game.mate && game.answer.category === "win") return `Mate in ${game.mate}`
    if (!move.dtz) return ""
    return !move.zeroing ? `DTZ ${Math.abs(move.dtz)}` : move.san.includes("x") ? "Capture" : "Pawn move"
}

// Lists the moves by outcome; `act` has what happens when one is played, or pointed at and left.
export function showMoves({onPlay, onPoint, onLeave}) {
    const place = element("moves")
    place.replaceChildren()
    element("dtz").hidden = !game.legal.some(move => move.dtz)
    element("dtz-castling").hidden = fenNow().split(" ")[2] === "-" || !game.legal.some(move => !move.dtz && /win|loss/.test(move.outcome))
    for (const outcome of ["win", "cursed-win", "draw", "unknown", "blessed-loss", "loss"]) {
        const some = game.legal.filter(move => move.outcome === outcome)
        if (some.length === 0) continue
        const list = made("ul")
        for (const move of some) {
            const badge = badgeOf(move)
            const isBest = move === game.best && !game.isAnyGood
            const item = button({class: outcome + (isBest ? " best" : ""), "data-uci": move.uci,
                "aria-label": `${move.san} ${badge && `${badge}, `}${HEADS[outcome].toLowerCase()}${isBest ? ", the best move" : ""}`},
            () => onPlay(move), `${move.san} `)
            if (badge) item.append(made("small", {}, badge))
            item.onmouseenter = item.onfocus = () => onPoint(move)
            item.onmouseleave = item.onblur = onLeave
            list.append(made("li", {}, item))
        }
        const any = outcome === "draw" && game.isAnyGood ? ": any of these moves draws"
            : outcome === "unknown" && game.lacking.length > 0 ? `: add ${game.lacking.join(", ")}` : ""
        place.append(made("h3", {class: outcome}, `${SIGN[outcome]} ${HEADS[outcome]} (${some.length})${any}`), list)
    }
    if (game.legal.length === 0) place.append("There are no legal moves.")
}

export function showRecord() {
    const place = element("record")
    place.hidden = game.record.length === 1
    place.replaceChildren(...game.record.slice(1).map(({san}, index) => {
        const number = numberOf(index + 1)
        const current = index + 1 === game.at ? {"aria-current": "step"} : {}
        return made("li", {}, number, button({...current, "data-at": index + 1}, () => goTo(index + 1), san))
    }))
}
