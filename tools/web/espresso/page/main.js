// The page: a text, its minimized function, and their display. A worker does the minimization.

import {has, sheets} from "./map.js"

// Limit on the length of a text in the address.
const MOST_LINKED = 6000
// Delay after a change of the text, in milliseconds.
const PAUSE = 350
// Up to this many products have buttons.
const MOST_BUTTONS = 60

const EXAMPLES = {
    "seven segments": `# A digit on seven segments; six codes are no digits.
.i 4
.o 7
.ilb d3 d2 d1 d0
.ob a b c d e f g
0000 1111110
0001 0110000
0010 1101101
0011 1111001
0100 0110011
0101 1011011
0110 1011111
0111 1110000
1000 1111111
1001 1111011
101- -------
11-- -------
.e
`,
    "full adder": "01101001\n00010111\n",
    "primes below 64": `${Array.from({length: 64}, (_, n) => Number(n > 1 && ![2, 3, 5, 7].some(p => p < n && n % p === 0))).join("")}\n`,
    "equations": "# A majority that one of two can overrule.\nmost = a & b | a & c | b & c;\nf = (most | up) & !down;\n",
    "many values": `# An input of three values, and what it stands for.
.mv 4 2 3 2
.label var=2 red green blue
.type fr
00 100 10
01 110 01
10 011 10
11 101 01
.e
`,
}

const element = id => document.getElementById(id)

function made(name, attributes = {}, ...children) {
    const node = document.createElement(name)
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value)
    node.append(...children)
    return node
}

const color = number => `hsl(${number * 137.5 % 360} 65% 50%)`
const counted = (count, what) => `${count.toLocaleString("en")} ${what}${count === 1 ? "" : "s"}`

// The compiled minimizer; the worker that runs it; the pending requests by number.
let module = null
let worker = null
let script = ""
let asked = 0
// The number of the run whose answer is shown.
let runs = 0
let waiting = new Map()
// The state of the display.
let result = null
// The format in which the last text was read.
let read = null
let output = 0
let lit = null
let timer = 0

function startWorker() {
    script ||= URL.createObjectURL(new Blob([element("worker").textContent], {type: "text/javascript"}))
    worker = new Worker(script)
    let hasBegun = false
    worker.postMessage({module})
    worker.onmessage = ({data: {isReady, number, result, problem, isTrap}}) => {
        hasBegun ||= isReady
        const answer = waiting.get(number)
        if (!answer) return
        waiting.delete(number)
        if (isTrap) restart()
        if (result) answer.resolve(result)
        else answer.reject(new Error(isTrap ? `The minimizer has failed, perhaps for want of memory (${problem})` : problem))
    }
    worker.onerror = event => {
        event.preventDefault()
        // A worker that cannot start would fail again.
        if (hasBegun) restart(event.message)
        else refuse(event.message)
    }
}

// Ends all work.
function restart(why = "stopped") {
    worker.terminate()
    const left = [...waiting.values()]
    waiting = new Map()
    startWorker()
    left.forEach(answer => answer.reject(new Error(why)))
}

function refuse(why) {
    waiting.forEach(answer => answer.reject(new Error(why)))
    waiting.clear()
}

function stop() {
    clearTimeout(timer)
    if (waiting.size > 0) restart()
}

// The minimized function, as returned by the worker.
function minimize(text, kind = "any", effort = 2) {
    return new Promise((resolve, reject) => {
        const number = ++asked
        waiting.set(number, {resolve, reject})
        worker.postMessage({number, text, kind, effort})
    })
}

async function run() {
    stop()
    const mine = ++runs
    const [text, kind, effort] = [element("text").value, element("kind").value, Number(element("effort").value)]
    keepLink(text, kind, effort)
    if (text.trim() === "") {
        result = null
        show("works", "Nothing to minimize", "Type a function, or choose an example.")
        return
    }
    element("stop").disabled = false
    show("works", "Minimizing", "")
    const begin = performance.now()
    try {
        const answer = await minimize(text, kind, effort)
        if (mine !== runs) return
        result = answer
        output = Math.min(output, result.outputs.length - 1)
        lit = null
        const took = performance.now() - begin
        const {rows, lower_bound: bound, cubes_before: before, kind: seen} = result
        // For equations the answer is equations too, until somebody chooses.
        if (seen !== read) element("format").value = seen === "equations" ? "eqntott" : "f"
        read = seen
        const proof = bound === rows.length ? "No sum of products has fewer." : ""
        const names = {pla: "PLA", "truth-table": "truth table", equations: "equations"}
        const instead = before === undefined ? "" : ` instead of ${before.toLocaleString("en")}`
        show("made", `${counted(rows.length, "product")}${instead}`,
            [proof, `Read as ${names[seen]}, minimized in ${took < 1000 ? `${Math.ceil(took)} ms` : `${(took / 1000).toFixed(1)} s`}.`].join(" "))
    } catch (error) {
        if (mine !== runs) return
        result = null
        if (error.message === "stopped") show("works", "Stopped", "")
        else show("fails", "No result", "", error.message)
    } finally {
        element("stop").disabled = waiting.size === 0
    }
}

function show(state, head, rest, problem = "") {
    element("status").className = state
    element("status").replaceChildren(head, made("small", {}, rest))
    element("problem").hidden = problem === ""
    // The message breaks where it must; the line of the text that follows it, with its caret, is scrolled.
    const [message, ...place] = problem.split("\n")
    element("problem").replaceChildren(made("p", {}, message), place.join("\n"))
    element("warnings").replaceChildren(...(result?.warnings ?? []).map(warning => made("li", {}, warning)))
    // During the work, the old result stays.
    if (state === "works" && head === "Minimizing") return
    element("result").hidden = result === null
    if (result === null) return
    const {cubes_before, literals_before, rows, literals} = result
    for (const [id, count] of Object.entries({"cubes-before": cubes_before, cubes: rows.length, "literals-before": literals_before, literals}))
        element(id).textContent = count?.toLocaleString("en") ?? "–"
    showMap()
    showWritten()
}

function showMap() {
    const {maps, inputs, outputs, rows} = result
    element("map-part").hidden = maps.length === 0
    if (maps.length === 0) return
    element("outputs").hidden = outputs.length === 1
    element("outputs").replaceChildren(...outputs.map((name, number) => {
        const button = made("button", {type: "button", "aria-pressed": String(number === output)}, name)
        button.onclick = () => {
            output = number
            lit = null
            showMap()
            element("outputs").children[number].focus()
        }
        return button
    }))
    const mine = rows.map((row, number) => ({row, number})).filter(({row}) => row.split(" ").at(-1)[output] === "1")
    const covers = minterm => mine.filter(({row}) => has(row, inputs.length, output, minterm))
    const cell = minterm => {
        const value = maps[output][minterm]
        const over = covers(minterm)
        const marks = made("span", {class: "marks", "aria-hidden": "true"}, ...over.map(({number}) => made("i", {style: `--mark: ${color(number)}`})))
        const classes = lit !== null && over.some(({number}) => number === lit) ? "lit" : ""
        return made("td", {"data-minterm": minterm, "data-value": value, class: classes}, value === "-" ? "–" : value, marks)
    }
    element("map").replaceChildren(...sheets(inputs).map(({caption, corner, columns, rows}) => made("table", {},
        made("caption", {}, caption),
        made("thead", {}, made("tr", {}, made("th", {}, corner), ...columns.map(code => made("th", {scope: "col"}, code)))),
        made("tbody", {}, ...rows.map(({code, minterms}) => made("tr", {}, made("th", {scope: "row"}, code), ...minterms.map(cell)))))))
    element("products").replaceChildren(...mine.slice(0, MOST_BUTTONS).map(({row, number}, place) => {
        const products = inputs.length > 0 ? row.split(" ")[0] : "1"
        const button = made("button", {type: "button", "aria-pressed": String(number === lit), style: `--mark: ${color(number)}`}, products)
        button.onclick = () => {
            lit = lit === number ? null : number
            showMap()
            element("products").children[place].focus()
        }
        return button
    }))
}

function showWritten() {
    const {text, problem} = result.written[element("format").value]
    element("written").textContent = text ?? `${problem[0].toUpperCase()}${problem.slice(1)}.`
    element("copy").disabled = element("save").disabled = text === undefined
}

async function copy() {
    const button = element("copy")
    try {
        await navigator.clipboard.writeText(element("written").textContent)
        button.textContent = "Copied"
    } catch {
        // Without permission for the clipboard, the text is selected, so that the user can copy it with the keyboard.
        getSelection().selectAllChildren(element("written"))
        button.textContent = "Selected"
    }
    setTimeout(() => button.textContent = "Copy", 1500)
}

function save() {
    const endings = {f: "pla", eqntott: "eqn", verilog: "v", blif: "blif", json: "json"}
    const link = made("a", {download: `minimized.${endings[element("format").value]}`})
    link.href = URL.createObjectURL(new Blob([element("written").textContent], {type: "text/plain"}))
    link.click()
    setTimeout(() => URL.revokeObjectURL(link.href), 1000)
}

// The address: kind, effort and text.
function keepLink(text, kind, effort) {
    // An address cannot contain half of a surrogate pair.
    const link = text.length <= MOST_LINKED && text.isWellFormed() ? encodeURIComponent(text) : ""
    history.replaceState(null, "", link.length > 0 && link.length <= MOST_LINKED ? `#${kind},${effort},${link}` : location.pathname)
}

function readLink() {
    const [, kind, effort, link] = /^#([a-z-]+),([1-4]),(.*)$/s.exec(location.hash) ?? []
    if (link === undefined) return false
    try {
        element("text").value = decodeURIComponent(link)
    } catch {
        return false
    }
    element("kind").value = [...element("kind").options].some(option => option.value === kind) ? kind : "any"
    element("effort").value = effort
    element("effort-value").textContent = effort
    return true
}

function put(text) {
    element("text").value = text
    element("kind").value = "any"
    output = 0
    return run()
}

function listen() {
    element("examples").append(...Object.entries(EXAMPLES).flatMap(([name, text], number) => {
        const link = made("a", {href: `#any,5,${encodeURIComponent(text)}`}, name)
        link.onclick = event => {
            if (event.ctrlKey || event.metaKey || event.shiftKey) return
            event.preventDefault()
            put(text)
        }
        return number > 0 ? [", ", link] : [link]
    }))
    element("minimize").onclick = run
    element("stop").onclick = stop
    element("kind").onchange = element("effort").onchange = run
    element("effort").oninput = () => element("effort-value").textContent = element("effort").value
    element("text").oninput = () => {
        clearTimeout(timer)
        timer = setTimeout(run, PAUSE)
    }
    element("file").onchange = async () => {
        const [file] = element("file").files
        try {
            if (file) put(await file.text())
        } catch (error) {
            result = null
            show("fails", "No result", "", `${file.name}: ${error.message}`)
        }
        element("file").value = ""
    }
    document.querySelector(".button").onkeydown = event => {
        if (event.key !== "Enter" && event.key !== " ") return
        event.preventDefault()
        element("file").click()
    }
    element("format").onchange = showWritten
    element("copy").onclick = copy
    element("save").onclick = save
    addEventListener("keydown", event => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) run()
        if (event.key === "Escape") stop()
    })
    addEventListener("hashchange", () => readLink() && run())
}

async function start() {
    const bytes = Uint8Array.from(atob(element("wasm").textContent), letter => letter.charCodeAt(0))
    const whole = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))
    module = await WebAssembly.compile(await new Response(whole).arrayBuffer())
    startWorker()
    listen()
    if (!readLink()) element("text").value = Object.values(EXAMPLES)[0]
    run()
    // For the test, and for use in the console.
    window.espresso = {minimize}
}

start().catch(error => show("fails", "No result", "", `This browser cannot run the minimizer: ${error.message}`))
