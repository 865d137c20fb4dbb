// The page: a text, its minimized function, and their display. A worker does the minimization.

import {element, made} from "../../dom.js"
import {latex, written} from "./notation.js"
import {counted, moveInMap, showEquations, showMap} from "./view.js"

// Limit on the length of a text in the address.
const MOST_LINKED = 6000
// Delay after a change of the text, in milliseconds.
const PAUSE = 350
// Delay before a run is announced, in milliseconds: most are quicker.
const QUIET = 100

const KINDS = {pla: "a PLA", "truth-table": "a truth table", equations: "equations", csv: "CSV", blif: "BLIF"}

const EXPECTED = "Expected an equation F = A·B + C', minterms F(A, B) = Σm(0, 2), a truth table, a PLA, CSV or BLIF."

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
// Whether the kind was chosen by the ending of a file.
let isKindOfFile = false
// The format in which the last text was read.
let read = null
let timer = 0
// Whether the answer is a product of sums.
let isProduct = false
// The state of the maps: the output, the number of the highlighted product, and what a click does.
const view = {output: 0, lit: null, edit}
// The last text that a click into the map has made, after its kind.
let drawn = null

function startWorker() {
    script ||= URL.createObjectURL(new Blob([element("worker").textContent], {type: "text/javascript"}))
    worker = new Worker(script)
    let hasBegun = false
    worker.postMessage({module})
    worker.onmessage = ({data: {isReady, number, result, kind, problem, isTrap}}) => {
        hasBegun ||= isReady
        const answer = waiting.get(number)
        if (!answer) return
        waiting.delete(number)
        if (isTrap) restart()
        if (result) answer.resolve(result)
        else answer.reject(Object.assign(new Error(isTrap ? `The minimizer has failed, perhaps for want of memory (${problem})` : problem), {kind}))
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
function minimize(text, kind = "any", effort = 2, complement = false) {
    return new Promise((resolve, reject) => {
        const number = ++asked
        waiting.set(number, {resolve, reject})
        worker.postMessage({number, text, kind, effort, complement})
    })
}

const given = () => `${element("kind").value} ${element("text").value}`

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
    const [of, isOfSums] = [given(), isProduct]
    const begin = performance.now()
    const announcement = setTimeout(() => show("works", "Minimizing", ""), QUIET)
    try {
        const answer = await minimize(text, kind, effort, isOfSums)
        if (mine !== runs) return
        clearTimeout(announcement)
        result = {...answer, of, isOfSums}
        const {kind: seen, outputs} = result
        Object.assign(view, {output: Math.min(view.output, outputs.length - 1), lit: null})
        // For equations the answer is equations too, until somebody chooses.
        if (seen !== read) element("format").value = seen === "equations" ? "eqntott" : "f"
        read = seen
        const took = performance.now() - begin
        show("made", headline(result),
            `${proof(result)} Read as ${KINDS[seen]}, minimized in ${took < 1000 ? `${Math.ceil(took)} ms` : `${(took / 1000).toFixed(1)} s`}.`)
    } catch (error) {
        clearTimeout(announcement)
        if (mine !== runs) return
        if (error.message === "stopped") show("works", "Stopped", result ? "Below is the answer before this one." : "")
        else fail(error)
    } finally {
        const hasFocus = document.activeElement === element("stop")
        element("stop").disabled = waiting.size === 0
        // A button without use would lose the focus to the start of the page.
        if (hasFocus && element("stop").disabled) element("minimize").focus()
    }
}

// The literals of the answer and those before: of one output as textbooks count them, without the output.
function literalsOf({outputs, literals, literals_before, equation_literals, equation_literals_before}) {
    return outputs.length === 1 ? [equation_literals, equation_literals_before] : [literals, literals_before]
}

function headline(result) {
    const {rows, cubes_before: before, isOfSums} = result
    const [literals, literalsBefore] = literalsOf(result)
    if (isOfSums) return counted(rows.length, "sum")
    const products = counted(rows.length, "product")
    if (before === undefined) return products
    if (before !== rows.length) return `${products} instead of ${before.toLocaleString("en")}`
    if (literals === literalsBefore) return `${products}: nothing to save`
    return `${products} as before, ${counted(literals, "literal")} instead of ${literalsBefore.toLocaleString("en")}`
}

function proof({rows, lower_bound: bound, isOfSums}) {
    if (bound !== rows.length) return ""
    return isOfSums ? "No product of sums has fewer sums." : "No sum of products has fewer products."
}

function fail({message, kind}) {
    result = null
    // Text of no other kind is taken for equations: say what a function is.
    const isUnknown = kind === "equations" && element("kind").value === "any" && !element("text").value.includes("=")
    show("fails", "No result", isUnknown ? EXPECTED : "", message)
    if (!element("names").hidden) element("status").lastChild.append(" If each letter is a variable, choose “Read as letters”.")
}

function show(state, head, rest, problem = "") {
    element("status").className = state
    element("status").replaceChildren(head, made("small", {}, rest))
    element("problem").hidden = problem === ""
    // The message breaks where it must; the line of the text that follows it, with its caret, is scrolled.
    const [message, ...place] = problem.split("\n")
    element("problem").replaceChildren(made("p", {}, message), place.join("\n"))
    // During the work, and when it is stopped, the old result stays.
    if (state === "works" && result !== null) return
    // The text may have changed while the work was done.
    element("result").classList.toggle("old", result?.of !== given())
    element("warnings").replaceChildren(...(result?.warnings ?? []).map(warning => made("li", {}, warning)))
    element("result").hidden = result === null
    showNames()
    if (result === null) return
    const {cubes_before, literals_before, equation_literals_before, rows, literals, equation_literals, outputs} = result
    const counts = {
        "cubes-before": cubes_before, cubes: rows.length, "literals-before": literals_before, literals,
        "equation-literals-before": equation_literals_before, "equation-literals": equation_literals,
    }
    for (const [id, count] of Object.entries(counts)) element(id).textContent = count?.toLocaleString("en") ?? "–"
    element("with-outputs").hidden = outputs.length === 1
    element("literals-counted").textContent = outputs.length === 1 ? "literals" : "literals of the equations"
    element("counted").textContent = result.isOfSums ? "sums" : "products"
    showEquations(result)
    showAgain()
    showWritten()
}

const showAgain = () => showMap(result, view, showAgain)

// The variables that were found. Names of letters may be products of the letters, as in AB' or A'B, which is no equation without
// INORDER: a button declares them.
function showNames() {
    const {inputs = [], outputs = [], kind} = result ?? {}
    const text = element("text").value
    element("text").classList.toggle("wraps", kind === "equations")
    const [first, second] = [["Input", inputs], ["Output", outputs]].map(([what, names]) => `${what}${names.length === 1 ? "" : "s"}: ${names.join(", ")}`)
    const names = result ? inputs : namesOfRefused(text)
    const letters = [...new Set(names.join(""))].toSorted()
    const mayBeLetters = (kind ?? "equations") === "equations" && names.length < 20 && (result === null || names.some(name => name.length > 1))
        && letters.length > 1 && names.every(name => /^([A-Z]{1,4}|[a-z]{1,4})$/.test(name)) && !letters.some(letter => outputs.includes(letter))
    const button = made("button", {type: "button"}, `Read as letters ${letters.join(", ")}`)
    button.onclick = () => {
        element("text").value = `INORDER = ${letters.join(" ")};\n${text.replace(/^\s*INORDER\s*=[^;]*;\n?/, "")}`
        element("text").focus()
        run()
    }
    element("names").hidden = inputs.length === 0 && !mayBeLetters
    element("names").replaceChildren(...result ? [`${first}. ${second}. `] : [], ...mayBeLetters ? [result ? "If letters side by side are a product: " : "", button] : [])
}

// The names on the right sides of equations that were refused, unless they have lists.
function namesOfRefused(text) {
    if (/^\s*[.#]|INORDER|\b[mMdD]\s*\(/.test(text)) return []
    const sides = text.split(";").map(equation => equation.split("=").slice(text.includes("=") ? 1 : 0).join(" "))
    return (sides.join(" ").match(/[A-Za-z_][\w]*/g) ?? []).filter(name => !/^(not|and|xor|or)$/i.test(name))
}

// A click into the map: 0, 1, don't-care, and 0 again.
function edit(minterm) {
    const {maps} = result
    // The map is that of an earlier text: it must not replace this one.
    if (given() !== result.of) {
        run()
        return
    }
    const map = [...maps[view.output]]
    map[minterm] = {0: "1", 1: "-", "-": "0"}[map[minterm]]
    // The next click may come before the answer.
    result.maps = maps.with(view.output, map.join(""))
    // The text before the first click stays in the browser's history.
    if (given() !== drawn) history.pushState(null, "", location.href)
    element("text").value = written(result, result.maps)
    element("kind").value = "any"
    drawn = result.of = given()
    run()
}

function showWritten() {
    const format = element("format").value
    const {text, problem} = format === "latex" ? inLatex() : result.written[format]
    // Equations break at blanks only, outside parentheses.
    const shown = format === "eqntott" ? text?.replaceAll("\n    ", "") : text
    element("written").textContent = shown ?? `${problem[0].toUpperCase()}${problem.slice(1)}.`
    element("copy").disabled = element("save").disabled = text === undefined
}

const inLatex = () => result.inputs.length > 0 ? {text: latex(result)} : {problem: "LaTeX is for inputs of two values"}

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
    const endings = {f: "pla", eqntott: "eqn", verilog: "v", blif: "blif", json: "json", latex: "tex"}
    const link = made("a", {download: `minimized.${endings[element("format").value]}`})
    link.href = URL.createObjectURL(new Blob([element("written").textContent], {type: "text/plain"}))
    link.click()
    setTimeout(() => URL.revokeObjectURL(link.href), 1000)
}

// The address: kind, effort with `p` for a product of sums, and text.
function keepLink(text, kind, effort) {
    // An address cannot contain half of a surrogate pair.
    const link = text.length <= MOST_LINKED && text.isWellFormed() ? encodeURIComponent(text) : ""
    const address = `#${kind},${effort}${isProduct ? "p" : ""},${link}`
    history.replaceState(null, "", link.length > 0 && link.length <= MOST_LINKED ? address : location.pathname)
}

function readLink() {
    const [, kind, effort, form, link] = /^#([a-z-]+),([1-4])(p?),(.*)$/s.exec(location.hash) ?? []
    if (link === undefined) return false
    try {
        element("text").value = decodeURIComponent(link)
    } catch {
        return false
    }
    element("kind").value = [...element("kind").options].some(option => option.value === kind) ? kind : "any"
    element("effort").value = effort
    element("effort-value").textContent = effort
    setForm(form === "p")
    return true
}

function setForm(isOfSums) {
    isProduct = isOfSums
    element("sum").setAttribute("aria-pressed", String(!isOfSums))
    element("product").setAttribute("aria-pressed", String(isOfSums))
}

function put(text, kind = "any") {
    element("text").value = text
    element("kind").value = kind
    isKindOfFile = kind !== "any"
    view.output = 0
    return run()
}

function exampleLink(name, text, label = name) {
    const link = made("a", {href: `#any,2,${encodeURIComponent(text)}`, "aria-label": label}, name)
    link.onclick = event => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return
        event.preventDefault()
        put(text)
    }
    return link
}

async function openFile() {
    const [file] = element("file").files
    const kind = {csv: "csv", blif: "blif", eqn: "equations", pla: "pla"}[file?.name.split(".").at(-1).toLowerCase()]
    try {
        if (file) put(await file.text(), kind)
    } catch (error) {
        fail({message: `${file.name}: ${error.message}`})
    }
    element("file").value = ""
}

function listen() {
    const commas = links => links.flatMap((link, number) => number > 0 ? [", ", link] : [link])
    element("examples").append(...commas(Object.entries(EXAMPLES).map(([name, text]) => exampleLink(name, text))))
    element("blanks").append(...commas([2, 3, 4, 5, 6].map(count => {
        const names = ["a", "b", "c", "d", "e", "g"].slice(0, count).join(", ")
        return exampleLink(String(count), `f(${names}) = m();\n`, `empty map of ${count} inputs`)
    })))
    for (const form of ["sum", "product"]) element(form).onclick = () => {
        setForm(form === "product")
        run()
    }
    element("map").onkeydown = moveInMap
    element("minimize").onclick = run
    element("stop").onclick = stop
    element("kind").onchange = element("effort").onchange = run
    element("effort").oninput = () => element("effort-value").textContent = element("effort").value
    element("text").oninput = () => {
        clearTimeout(timer)
        timer = setTimeout(run, PAUSE)
        // The names, the answer and the kind of a file are those of the text before.
        element("names").hidden = true
        element("result").classList.add("old")
        if (isKindOfFile) element("kind").value = "any"
        isKindOfFile = false
    }
    element("file").onchange = openFile
    element("open").onclick = () => element("file").click()
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
