// The page: a position, its history, and their display. A position is a FEN here; the prober, in WebAssembly, has the rules and
// the outcomes.

import {Chessboard, COLOR, INPUT_EVENT_TYPE} from "cm-chessboard/src/Chessboard.js"
import {MOVE_CANCELED_REASON} from "cm-chessboard/src/view/VisualMoveInput.js"
import {Marks} from "./marks.js"
import * as prober from "prober"

const START = "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1"
// Milliseconds of counting between which the page responds.
const PIECE = 12
// Plies before the 50-move rule applies at which the page warns.
const FEW_PLIES = 10
const OPPOSITE = {win: "loss", "cursed-win": "blessed-loss", draw: "draw", "blessed-loss": "cursed-win", loss: "win", unknown: "unknown"}
const SIGN = {win: "+", "cursed-win": "=", draw: "=", "blessed-loss": "=", loss: "−", unknown: "?"}
const HEADS = {
    win: "Winning", "cursed-win": "Winning, but a draw by the 50-move rule", draw: "Drawing",
    "blessed-loss": "Losing, but a draw by the 50-move rule", loss: "Losing", unknown: "Unknown",
}
const ROLES = {k: "king", q: "queen", r: "rook", b: "bishop", n: "knight", p: "pawn"}
const COLORS = {w: "White", b: "Black"}

const element = id => document.getElementById(id)

function made(name, attributes = {}, ...children) {
    const node = document.createElement(name)
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value)
    node.append(...children)
    return node
}

function picture(man) {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg")
    svg.setAttribute("viewBox", "0 0 40 40")
    svg.setAttribute("aria-hidden", "true")
    const use = document.createElementNS("http://www.w3.org/2000/svg", "use")
    use.setAttribute("href", `#${man}`)
    svg.append(use)
    return svg
}

// The history of positions, and the index of the one shown.
let history = [START]
let at = 0
// The legal moves of the position shown, each with its outcome for the side that moves; and the best move, which the arrow shows.
let legal = []
let best = null
// Whether the distances were asked for.
let isLoading = false
let explanation = null
// The number of the man whose squares are highlighted, or null.
let lit = 0
// The number of the current count.
let counts = 0
let isSetUp = false
// The man chosen in the palette: "wq", or "none" to remove men.
let brush = null

const fenNow = () => history[at]
const turnOf = fen => fen.split(" ")[1]
// The part of a FEN that is equal in repeated positions.
const identity = fen => fen.split(" ").slice(0, 4).join(" ")

const board = new Chessboard(element("board"), {
    position: START,
    style: {pieces: {file: "pieces.svg"}, animationDuration: matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 180},
    extensions: [{class: Marks}],
})

function ask() {
    const fen = fenNow()
    legal = []
    best = explanation = null
    let answer
    try {
        answer = JSON.parse(prober.moves(fen))
    } catch (error) {
        return {problem: error.message}
    }
    legal = answer.moves.map(move => ({...move, outcome: OPPOSITE[move.category]}))
    // The moves whose outcome is known to be that of the position, best first. By distances the first makes progress.
    const good = legal.filter(move => move.outcome === answer.category && move.outcome !== "unknown")
    const seen = new Set(history.slice(0, at + 1).map(identity))
    const isNew = move => answer.dtz || !seen.has(identity(prober.play(fen, move.uci)))
    best = good.find(isNew) ?? good[0] ?? null
    if ([answer, ...legal].some(({category, dtz}) => /win|loss/.test(category) && dtz === null)) loadDistances()
    try {
        explanation = JSON.parse(prober.explain(fen))
    } catch (error) {
        answer.unexplained = error.message
    }
    return answer
}

// Loads the distances, once: a script beside the page, since a page from a disk may read no other files. Without them the best move
// is any that keeps the outcome.
function loadDistances() {
    if (isLoading) return
    isLoading = true
    const script = made("script", {src: "cubebase-distances.js"})
    script.onload = () => {
        prober.add(unpacked(window.cubebaseDistances))
        delete window.cubebaseDistances
        show(false)
    }
    document.head.append(script)
}

const unpacked = text => Uint8Array.from(atob(text), letter => letter.charCodeAt(0))

// The plies to zeroing, and a warning if the 50-move rule is near.
function distanceText({category, dtz}) {
    if (!dtz) return ""
    const [plies, clock] = [Math.abs(dtz), Number(fenNow().split(" ")[4])]
    const spare = 100 - clock - plies
    const warning = /cursed|blessed/.test(category) ? ` Too many for the 50-move rule: ${clock} plies have passed, and 100 are a draw.`
        : spare < FEW_PLIES ? ` The 50-move rule is near: ${clock} plies have passed, and ${spare} can be lost.` : ""
    return ` ${plies} ${plies === 1 ? "ply" : "plies"} to the next capture or pawn move, or to mate.${warning}`
}

function showOutcome(answer) {
    const place = element("outcome")
    if (answer.problem) {
        place.className = "unknown problem"
        place.replaceChildren("No answer", made("small", {}, `${answer.problem[0].toUpperCase()}${answer.problem.slice(1)}.`))
        return
    }
    const turn = turnOf(fenNow())
    const [mover, other] = turn === "w" ? ["White", "Black"] : ["Black", "White"]
    const ruled = "Draw by the 50-move rule"
    const text = {win: `${mover} wins`, "cursed-win": ruled, draw: "Draw", "blessed-loss": ruled, loss: `${other} wins`, unknown: "Unknown"}[answer.category]
    const why = answer.checkmate ? `${mover} is checkmated.`
        : answer.stalemate ? `${mover} is stalemated.`
        : answer.insufficient_material ? "Neither side has the men to mate."
        : answer.category === "unknown" ? "The tables and rules do not decide it."
        : `${mover} is to move.${distanceText(answer)}`
    place.className = answer.category
    place.replaceChildren(text, made("small", {}, why))
}

function showMoves() {
    const place = element("moves")
    place.replaceChildren()
    for (const outcome of ["win", "cursed-win", "draw", "unknown", "blessed-loss", "loss"]) {
        const some = legal.filter(move => move.outcome === outcome)
        if (some.length === 0) continue
        const list = made("ul")
        for (const move of some) {
            const badge = badgeOf(move)
            const button = made("button", {type: "button", class: outcome + (move === best ? " chosen" : ""), "data-uci": move.uci,
                "aria-label": `${move.san}, ${HEADS[outcome].toLowerCase()}${badge && `, plies to zeroing: ${badge}`}${move === best ? ", the arrow" : ""}`,
                title: badge && "Plies from then to the next capture or pawn move, or to mate"}, move.san)
            if (badge) button.append(made("small", {}, badge))
            button.onclick = () => playMove(move.uci)
            button.onmouseenter = button.onfocus = () => board.marks.show({arrow: arrowOf(move)})
            button.onmouseleave = button.onblur = () => board.marks.show({arrow: arrowOf(best)})
            list.append(made("li", {}, button))
        }
        const head = made("h3", {class: outcome}, `${SIGN[outcome]} ${HEADS[outcome]} (${some.length})`)
        place.append(head, list)
    }
    if (legal.length === 0) place.append("There are no legal moves.")
}

// The plies to zeroing after a move, 0 if the move itself zeroes; nothing for checkmate, for draws and if unknown.
const badgeOf = move => !move.dtz || move.checkmate ? "" : move.zeroing ? "0" : String(Math.abs(move.dtz))

const arrowOf = move => move && !isSetUp ? [move.uci.slice(0, 2), move.uci.slice(2, 4)] : null

function showWhy(answer) {
    const [head, list, lights] = ["clause-head", "clause", "lights"].map(element)
    list.replaceChildren()
    counts++
    element("coverage").textContent = ""
    element("orientation").textContent = explanation?.orientation ? `* Here ${explanation.orientation}.` : ""
    lights.hidden = !explanation
    element("why").hidden = element("moves-part").hidden = Boolean(answer.problem)
    if (!explanation) {
        head.textContent = answer.unexplained ? `No clause: ${answer.unexplained}.` : ""
        return
    }
    const {conditions, decided_by: by, is_exception: isException, number} = explanation
    const turn = COLORS[turnOf(fenNow())]
    const told = outcome => outcome === "draw" ? "the game is drawn" : outcome === "win" ? `${turn} wins` : `${turn} loses`
    // Clauses and exceptions know no castling rights.
    const result = told(explanation.without_castling)
    const rights = explanation.castling === "-" ? ""
        : `With the castling rights ${explanation.castling}, ${told(explanation.outcome)}. Without them: `
    head.textContent = rights + (by === "default" ? `No clause holds, and then ${result}.`
        : isException ? `Clause ${number} of the table states that ${told(explanation.stated)}. The position is one of its exceptions, and ${result}:`
        : conditions.length === 0 ? `With these men and ${turn} to move, ${result}, except for positions that the table stores as exceptions.`
        : `Clause ${number} of the table: with these men and ${turn} to move, ${result} if all of these hold, except for positions that the table stores as exceptions:`)
    list.append(...conditions.map(({sentence, value, is_turned: isTurned}) =>
        made("li", {}, sentence, isTurned ? "*" : "", made("span", {class: "here"}, value))))
    count(fenNow())
    element("lights-head").textContent = "Number of squares where one man may stand for the same clause to decide:"
    element("lights-men").replaceChildren(...explanation.men.map((man, number) => {
        const count = man.squares.length - 1
        const name = man.name.replace("the ", "")
        const label = `Highlight the squares of the ${name}, ${count} and its own`
        const button = made("button", {type: "button", "aria-pressed": String(number === lit), "aria-label": label, "data-man": number}, `${name}: ${count}`)
        button.onclick = () => light(number)
        return button
    }))
}

// Counts the positions that the clause holds for, in pieces between which the page responds, and writes what `explain` prints.
async function count(fen) {
    const mine = counts
    const all = prober.slices(fen)
    const sum = new BigUint64Array(4)
    for (let slice = 0; slice < all;) {
        await new Promise(resolve => setTimeout(resolve))
        if (mine !== counts) return
        for (const end = performance.now() + PIECE; slice < all && performance.now() < end; slice++)
            prober.count(fen, slice).forEach((number, field) => sum[field] += number)
    }
    element("coverage").textContent = prober.coverage(fen, sum)
}

function showMarks(selected = null) {
    const man = explanation?.men[lit]
    const targets = new Map()
    for (const move of selected ? legal.filter(move => move.uci.startsWith(selected)) : []) {
        const to = move.uci.slice(2, 4)
        // The first of several promotions has the best outcome.
        if (!targets.has(to)) targets.set(to, move.outcome)
    }
    board.marks.show({
        lit: man && !selected ? man.squares : [],
        home: man?.square,
        targets: [...targets],
        arrow: selected ? null : arrowOf(best),
    })
}

function light(number) {
    if (!explanation || number >= explanation.men.length) return
    lit = lit === number ? null : number
    for (const button of element("lights-men").children)
        button.setAttribute("aria-pressed", String(Number(button.dataset.man) === lit))
    showMarks()
}

// Shows the current position in all parts of the page.
function show(isAnimated = true) {
    const fen = fenNow()
    const answer = ask()
    // Text that is not a board leaves the men in place.
    if (isBoard(fen.split(" ")[0])) board.setPosition(fen, isAnimated)
    showOutcome(answer)
    showMoves()
    showWhy(answer)
    showMarks()
    const field = element("fen")
    field.value = fen
    for (const radio of document.getElementsByName("turn")) radio.checked = radio.value === turnOf(fen)
    element("back").disabled = at === 0
    element("forward").disabled = at === history.length - 1
    element("play-best").disabled = best === null || isSetUp
    const hash = `#${fen.replaceAll(" ", "_")}`
    if (location.hash !== hash) window.history.replaceState(null, "", hash)
    board.view.svg.setAttribute("aria-label", `Chess board: ${spoken(board.getPosition())}`)
}

function spoken(place) {
    const men = []
    place.split("/").forEach((row, index) => {
        let file = 0
        for (const letter of row) {
            if (letter >= "1" && letter <= "8") file += Number(letter)
            else {
                const color = letter === letter.toLowerCase() ? "black" : "white"
                men.push(`${color} ${ROLES[letter.toLowerCase()]} ${"abcdefgh"[file++]}${8 - index}`)
            }
        }
    })
    return men.join(", ")
}

// Adds a position after the one shown, and drops the later ones.
function goOn(fen, isAnimated = true) {
    history = [...history.slice(0, at + 1), fen]
    at = history.length - 1
    show(isAnimated)
}

function playMove(uci) {
    goOn(prober.play(fenNow(), uci))
}

const playBest = () => best && !isSetUp && playMove(best.uci)

function step(by) {
    const next = at + by
    if (next < 0 || next >= history.length) return
    at = next
    show()
}

// Whether the first field of a FEN can be drawn as a board.
const isBoard = men => men.split("/").length === 8 && men.split("/").every(row =>
    /^[1-8kqrbnp]+$/i.test(row) && row.replace(/\d/g, digit => " ".repeat(Number(digit))).length === 8)

// The FEN of the men on the board, legal or not.
const setUpFen = (turn = turnOf(fenNow()), castling = "-") => `${board.getPosition()} ${turn} ${castling} - 0 1`

function askPromotion(moves) {
    const dialog = element("promotion")
    const color = turnOf(fenNow())
    dialog.firstElementChild.replaceChildren(...moves.map(move => {
        const role = move.uci[4]
        const label = `${ROLES[role]}, ${HEADS[move.outcome].toLowerCase()}`
        const button = made("button", {value: move.uci, "aria-label": label, title: label, class: move.outcome}, picture(color + role))
        return button
    }))
    dialog.returnValue = ""
    dialog.onclose = () => dialog.returnValue ? playMove(dialog.returnValue) : show(false)
    dialog.showModal()
}

function refuse(from, to) {
    showMarks()
    if (to && to !== from) element("outcome").lastElementChild.textContent = `${from}-${to} is not a legal move.`
}

// Handles events of the board: men dragged or clicked.
function onInput(event) {
    const {type, squareFrom, squareTo} = event
    if (isSetUp) {
        if (type === INPUT_EVENT_TYPE.moveInputStarted) return brush === null
        // After the board has finished the drag.
        if (type === INPUT_EVENT_TYPE.moveInputFinished && event.legalMove) setTimeout(() => goOn(setUpFen(), false))
        if (type === INPUT_EVENT_TYPE.moveInputCanceled && event.reason === MOVE_CANCELED_REASON.movedOutOfBoard)
            setTimeout(() => place(squareFrom, null))
        return true
    }
    const moves = legal.filter(move => move.uci.startsWith(squareFrom))
    const chosen = moves.filter(move => move.uci.slice(2, 4) === squareTo)
    switch (type) {
        case INPUT_EVENT_TYPE.moveInputStarted:
            if (moves.length > 0) showMarks(squareFrom)
            return moves.length > 0
        case INPUT_EVENT_TYPE.validateMoveInput:
            if (chosen.length > 1) setTimeout(() => askPromotion(chosen))
            else if (chosen.length === 0) refuse(squareFrom, squareTo)
            return chosen.length === 1
        case INPUT_EVENT_TYPE.moveInputFinished:
            if (event.legalMove) setTimeout(() => playMove(chosen[0].uci))
            return true
        case INPUT_EVENT_TYPE.moveInputCanceled:
            showMarks()
    }
    return true
}

async function place(square, man) {
    await board.setPiece(square, man)
    goOn(setUpFen(), false)
}

function squareAt(x, y) {
    return document.elementsFromPoint(x, y).map(node => node.getAttribute("data-square")).find(Boolean)
}

function toggleSetUp() {
    isSetUp = !isSetUp
    choose(null)
    element("palette").hidden = !isSetUp
    element("set-up").setAttribute("aria-pressed", String(isSetUp))
    element("set-up").textContent = isSetUp ? "Play" : "Set up"
    show(false)
}

function choose(man) {
    brush = man
    for (const button of element("men").children)
        button.setAttribute("aria-pressed", String(button.dataset.man === man))
}

// Drags a man of the palette to a square, or chooses it for the squares clicked next.
function fillPalette() {
    for (const color of "wb") for (const role of "kqrbnp") {
        const man = color + role
        const label = `${COLORS[color]} ${ROLES[role]}`
        const button = made("button", {type: "button", "data-man": man, "aria-label": label, "aria-pressed": "false", title: label}, picture(man))
        button.onclick = () => choose(brush === man ? null : man)
        button.onpointerdown = down => {
            const carried = picture(man)
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
                removeEventListener("pointermove", move)
                removeEventListener("pointerup", end)
                removeEventListener("pointercancel", end)
                carried.remove()
                const square = isDragged && event.type === "pointerup" && squareAt(event.clientX, event.clientY)
                if (square) place(square, man)
            }
            addEventListener("pointermove", move)
            addEventListener("pointerup", end)
            addEventListener("pointercancel", end)
        }
        element("men").append(button)
    }
    // If a man is chosen, a click on a square places it, or removes the same man.
    element("board").addEventListener("click", event => {
        const square = event.target.getAttribute("data-square")
        if (isSetUp && brush !== null && square) place(square, board.getPiece(square) === brush ? null : brush)
    })
}

const KEYS = {
    " ": playBest,
    ArrowLeft: () => step(-1),
    Backspace: () => step(-1),
    ArrowRight: () => step(1),
    f: flip,
    s: toggleSetUp,
    ...Object.fromEntries([1, 2, 3, 4, 5].map(key => [key, () => light(key - 1)])),
}

function flip() {
    board.setOrientation(board.getOrientation() === COLOR.white ? COLOR.black : COLOR.white)
}

function onKey(event) {
    const {key, target} = event
    const action = KEYS[key.length === 1 ? key.toLowerCase() : key]
    if (!action || event.ctrlKey || event.altKey || event.metaKey || element("promotion").open) return
    // The focused element handles its own keys first.
    if (target.matches("input") || key === " " && target.matches("button, a, summary")) return
    event.preventDefault()
    action()
}

// Adds the tables of files, as far as they can be read, and shows the position again, which they may decide.
async function addTables(files) {
    const problems = []
    let added = 0
    // Ends a count, whose slices may be those of a table that is replaced.
    counts++
    for (const file of files) {
        element("added").textContent = `Reading ${file.name} …`
        try {
            added += prober.add(new Uint8Array(await file.arrayBuffer()))
        } catch (error) {
            problems.push(`${file.name}: ${error.message}.`)
        }
    }
    element("added").textContent = [`${added} ${added === 1 ? "table" : "tables"} added.`, ...problems].join(" ")
    show(false)
}

function readLink() {
    let text = location.hash.slice(1)
    try {
        text = decodeURIComponent(text)
    } catch {
        // It is shown unchanged, with the prober's error message.
    }
    return text.replaceAll("_", " ").trim()
}

function setPosition(fen) {
    // The board draws what it can read; the prober's error message is about the rest.
    const [men, turn = "w", ...rest] = fen.trim().split(/\s+/)
    const [castling = "-", passed = "-", halfmoves = "0", number = "1"] = rest
    goOn([men, turn, castling, passed, halfmoves, number].join(" "), false)
}

function listen() {
    element("back").onclick = () => step(-1)
    element("forward").onclick = () => step(1)
    element("play-best").onclick = playBest
    element("flip").onclick = flip
    element("set-up").onclick = toggleSetUp
    for (const radio of document.getElementsByName("turn"))
        radio.onchange = () => goOn(setUpFen(radio.value, fenNow().split(" ")[2]), false)
    element("fen-form").onsubmit = event => {
        event.preventDefault()
        setPosition(element("fen").value)
    }
    element("add").onclick = () => element("files").click()
    element("files").onchange = async event => {
        await addTables(event.target.files)
        event.target.value = ""
    }
    addEventListener("keydown", onKey)
    addEventListener("hashchange", () => readLink() !== fenNow() && setPosition(readLink()))
    // So that space plays a move after a click on a button.
    document.addEventListener("click", event => event.detail > 0 && event.target.closest("button")?.blur())
}

async function start() {
    const whole = new Blob([unpacked(element("wasm").textContent)]).stream().pipeThrough(new DecompressionStream("gzip"))
    await prober.default({module_or_path: await new Response(whole).arrayBuffer()})
    fillPalette()
    listen()
    board.enableMoveInput(onInput)
    if (location.hash.length > 1 || history.length === 0) {
        history = []
        setPosition(readLink())
    } else show(false)
    // For the test, and for use in the console.
    window.cubebase = prober
}

start().catch(error => {
    element("outcome").className = "unknown problem"
    element("outcome").textContent = `This browser cannot run the prober: ${error.message}`
})
