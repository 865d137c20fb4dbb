// The page: the board, and the display of the game in all its parts.

import {Chessboard, COLOR, INPUT_EVENT_TYPE} from "cm-chessboard/src/Chessboard.js"
import {MOVE_CANCELED_REASON} from "cm-chessboard/src/view/VisualMoveInput.js"
import {button, element} from "../dom.js"
import {HEADS, showMoves, showOutcome, showRecord} from "./answer.js"
import {lights, showAnother, showClause, showLights, shown} from "./clause.js"
import {fenOf, readMen, spoken, turnOf, withMove} from "./fen.js"
import {ask, begin, fenNow, game, goTo, isOfAddress, linkText, play, restore, save} from "./game.js"
import {Marks} from "./marks.js"
import {ROLES, picture} from "./men.js"
import {listenForSetUp, put, setting, showSetUp, toggle, unchoose} from "./setup.js"
import {showBoard, showSquares} from "./squares.js"
import {addTables, listenForDrops, loadBundle, loadDistances, unpacked} from "./tables.js"
import * as prober from "prober"

// Milliseconds before a reply.
const REPLY = 400
const START = "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1"

const board = new Chessboard(element("board"), {
    position: START,
    style: {pieces: {file: "pieces.svg"}, animationDuration: matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 180},
    extensions: [{class: Marks}],
})

const arrowOf = move => move && !setting.isOn ? [move.uci.slice(0, 2), move.uci.slice(2, 4)] : null

// The squares to which a man can be dragged for a move: castling also onto the rook.
function targetsOf({uci, san}) {
    const to = uci.slice(2, 4)
    return !san.startsWith("O-O") ? [to] : [to, (san.startsWith("O-O-O") ? "a" : "h") + to[1]]
}

function showMarks(selected = null) {
    const {uci} = game.record[game.at]
    const king = turnOf(fenNow()) === "w" ? "K" : "k"
    const targets = new Map()
    for (const move of selected ? game.legal.filter(move => move.uci.startsWith(selected)) : [])
        // The first of several promotions has the best outcome.
        for (const to of targetsOf(move)) if (!targets.has(to)) targets.set(to, move.outcome)
    board.marks.show({
        last: uci ? [uci.slice(0, 2), uci.slice(2, 4)] : [],
        check: game.answer.check ? [...readMen(fenNow())].find(([, letter]) => letter === king)[0] : null,
        lights: selected ? null : lights(),
        men: [],
        targets: [...targets],
        best: selected || game.isAnyGood ? null : arrowOf(game.best),
        pointed: null,
    })
}

let lastShown = null

// Shows the current position in all parts of the page.
function show(isAnimated = true) {
    const fen = fenNow()
    const isNew = lastShown !== fen
    const uci = document.activeElement?.dataset.uci
    ask()
    loadDistances()
    if (element("promotion").dataset.fen !== fen) element("promotion").close()
    if (isNew) {
        element("fen").value = fen
        element("offer-said").textContent = element("fen-problem").textContent = ""
        if (lastShown) showBoard()
    }
    lastShown = fen
    board.setPosition(fen, isAnimated)
    showOutcome()
    showMoves({
        onPlay: ({uci}) => move(uci),
        onPoint: move => board.marks.show({pointed: move === game.best && !game.isAnyGood ? null : arrowOf(move)}),
        onLeave: () => board.marks.show({pointed: null}),
    })
    // So that the next move of a player without a mouse is near.
    if (uci) element("moves").querySelector(isNew ? "button" : `[data-uci=${uci}]`)?.focus()
    showRecord()
    showClause({onChange: changeLights, onPoint: men => board.marks.show({men})})
    showSetUp()
    showSquares(board.getOrientation())
    showMarks()
    element("back").disabled = game.at === 0
    element("forward").disabled = game.at === game.record.length - 1
    element("play-best").disabled = game.best === null || setting.isOn
    element("moves-part").hidden = Boolean(game.answer.problem)
    const inAddress = fen.replaceAll(" ", "_")
    element("lichess").href = `https://lichess.org/analysis/standard/${inAddress}`
    element("syzygy").href = `https://syzygy-tables.info/?fen=${inAddress}`
    board.view.svg.setAttribute("role", "img")
    board.view.svg.setAttribute("aria-label", `Chess board: ${spoken(fen)}`)
}

// Plays a move, and soon after the best reply, if the box for it is checked.
function move(uci) {
    play(uci)
    const {record, at} = game
    const isDue = () => element("replies").checked && !setting.isOn && game.record === record && game.at === at && game.best
    if (element("replies").checked) setTimeout(() => isDue() && play(game.best.uci, true), REPLY)
}

const playBest = () => game.best && !setting.isOn && move(game.best.uci)

// Asks what the pawn becomes. The question is about the position now shown.
function askPromotion(moves) {
    const dialog = element("promotion")
    dialog.dataset.fen = fenNow()
    dialog.firstElementChild.replaceChildren(...moves.map(({uci, outcome}) => {
        const label = `${ROLES[uci[4]]}, ${HEADS[outcome].toLowerCase()}`
        const man = picture(turnOf(fenNow()) + uci[4])
        return button({type: "submit", value: uci, "aria-label": label, title: label, class: outcome}, null, man)
    }), button({type: "submit", value: ""}, null, "Cancel"))
    dialog.returnValue = ""
    dialog.onclose = () => dialog.returnValue ? move(dialog.returnValue) : show(false)
    dialog.showModal()
}

function refuse(from, to) {
    showMarks()
    if (to && to !== from) element("outcome").lastElementChild.textContent = `${from}-${to} is not a legal move.`
}

function onSetUpInput({type, reason, legalMove, squareFrom, squareTo}) {
    // After the board has finished the drag.
    if (type === INPUT_EVENT_TYPE.moveInputFinished && legalMove) setTimeout(() => begin(withMove(fenNow(), squareFrom, squareTo)))
    if (type === INPUT_EVENT_TYPE.moveInputCanceled && reason === MOVE_CANCELED_REASON.movedOutOfBoard)
        setTimeout(() => put(squareFrom, ""))
    return true
}

// Handles events of the board: men dragged or clicked.
function onInput(event) {
    if (setting.isOn) return onSetUpInput(event)
    const {type, squareFrom, squareTo} = event
    const moves = game.legal.filter(move => move.uci.startsWith(squareFrom))
    const chosen = moves.filter(move => targetsOf(move).includes(squareTo))
    switch (type) {
        case INPUT_EVENT_TYPE.moveInputStarted:
            if (moves.length > 0) showMarks(squareFrom)
            return moves.length > 0
        case INPUT_EVENT_TYPE.validateMoveInput:
            if (chosen.length > 1) setTimeout(() => askPromotion(chosen))
            else if (chosen.length === 0) refuse(squareFrom, squareTo)
            return chosen.length === 1
        case INPUT_EVENT_TYPE.moveInputFinished:
            if (event.legalMove) setTimeout(() => move(chosen[0].uci))
            return true
        case INPUT_EVENT_TYPE.moveInputCanceled:
            showMarks()
    }
    return true
}

// By keyboard the focus goes to the men to place, and back to the best move.
function toggleSetUp(event) {
    toggle()
    show(false)
    if (!event?.detail) (setting.isOn ? element("men").firstElementChild : element(game.best ? "play-best" : "set-up")).focus()
}

// Shows the squares of the clause as now chosen, without asking again.
function changeLights() {
    showLights(changeLights)
    showMarks()
}

function toggleClause() {
    shown.isOn = !shown.isOn
    if (game.explanation) changeLights()
    if (shown.isOn) showBoard()
}

function light(number) {
    if (!game.explanation || number >= game.explanation.men.length) return
    Object.assign(shown, shown.isOn && shown.man === number ? {isOn: false} : {isOn: true, man: number})
    changeLights()
}

async function flip() {
    await board.setOrientation(board.getOrientation() === COLOR.white ? COLOR.black : COLOR.white)
    showSquares(board.getOrientation())
}

// With replies, back to the player's own turn.
const steps = index => element("replies").checked && game.record[index]?.isReply ? 2 : 1
const back = () => goTo(game.at - steps(game.at))
const forward = () => goTo(game.at + steps(game.at + 2))

const KEYS = {
    " ": playBest, Escape: unchoose, ArrowLeft: back, Backspace: back, ArrowRight: forward, f: flip, s: toggleSetUp, c: toggleClause,
    ...Object.fromEntries([1, 2, 3, 4, 5].map(key => [key, () => light(key - 1)])),
}

function onKey(event) {
    const {key, target} = event
    const action = KEYS[key.length === 1 ? key.toLowerCase() : key]
    if (!action || event.ctrlKey || event.altKey || event.metaKey || element("promotion").open) return
    // The focused element handles its own keys first.
    if (target.matches("#fen, select") || key === " " && target.matches("button, a, summary, input")
        || key.startsWith("Arrow") && target.matches("[type=radio]")) return
    event.preventDefault()
    action()
}

// Shows the position of a text, or says below the field why there is none. Returns whether there is one.
function read(text, isNew = true) {
    try {
        begin(fenOf(text), isNew)
        element("fen-problem").textContent = ""
        return true
    } catch (error) {
        element("fen-problem").textContent = error.message
        element("fen").value = text
        return false
    }
}

async function copyLink() {
    try {
        await navigator.clipboard.writeText(location.href)
        element("copy").textContent = "Link copied"
    } catch {
        element("copy").textContent = "Copy the address above the page"
    }
    setTimeout(() => element("copy").textContent = "Copy link", 3000)
}

function listen() {
    const actions = {
        back, forward, "play-best": playBest, flip, "set-up": toggleSetUp, done: toggleSetUp, "show-clause": toggleClause, another: showAnother,
        copy: copyLink, add: () => element("files").click(), "choose-five": () => element("files").click(), "load-bundle": loadBundle,
    }
    for (const [id, action] of Object.entries(actions)) element(id).onclick = action
    element("fen-form").onsubmit = event => {
        event.preventDefault()
        read(element("fen").value)
    }
    element("files").onchange = async event => {
        await addTables(event.target.files)
        event.target.value = ""
    }
    // A click beside it closes it.
    element("promotion").addEventListener("click", ({target}) => target === element("promotion") && target.close())
    addEventListener("keydown", onKey)
    addEventListener("popstate", ({state}) => isOfAddress(state) && restore(state))
    // A link in the page, or an address typed, has no state.
    addEventListener("hashchange", () => {
        if (isOfAddress(window.history.state)) return
        read(linkText(), false)
        save()
    })
    // So that space plays a move after a click on a button.
    document.addEventListener("click", event => event.detail > 0 && event.target.closest("button")?.blur())
    listenForDrops()
}

async function start() {
    const whole = new Blob([unpacked(element("wasm").textContent)]).stream().pipeThrough(new DecompressionStream("gzip"))
    await prober.default({module_or_path: await new Response(whole).arrayBuffer()})
    game.onChange = show
    listenForSetUp(board)
    listen()
    board.enableMoveInput(onInput)
    const link = linkText()
    if (isOfAddress(window.history.state)) restore(window.history.state)
    else {
        begin(START, false)
        if (link) read(link, false)
    }
    // For the test, and for use in the console.
    window.cubebase = prober
}

start().catch(error => {
    element("outcome").className = "unknown problem"
    element("outcome").textContent = `This browser cannot run the prober: ${error.message}`
})
