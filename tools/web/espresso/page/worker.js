// Runs the minimizer in a separate thread, so that the page stays responsive and can stop it.

import * as minimizer from "minimizer"

// After a trap or a stack overflow, the memory is in an undefined state: a new worker must take over.
const isTrap = error => error instanceof WebAssembly.RuntimeError || error instanceof RangeError

const FORMATS = ["f", "eqntott", "verilog", "blif", "json"]

function minimized({text, effort, complement}, kind) {
    const made = minimizer.minimize(text, kind, effort, complement)
    const written = {}
    for (const format of FORMATS) {
        try {
            written[format] = {text: made.written(format)}
        } catch (error) {
            if (isTrap(error)) throw error
            written[format] = {problem: error.message}
        }
    }
    const {
        inputs, outputs, cubes_before, literals_before, equation_literals_before, rows, literals, equation_literals, lower_bound,
        complemented, maps, primes, other_rows, warnings,
    } = made
    made.free()
    return {
        kind, inputs, outputs, cubes_before, literals_before, equation_literals_before, rows, literals, equation_literals, lower_bound,
        complemented: [...complemented], maps, primes, other_rows, warnings, written,
    }
}

onmessage = ({data}) => {
    if (data.module) {
        minimizer.initSync({module: data.module})
        postMessage({isReady: true})
        return
    }
    const {number, text} = data
    const kind = data.kind === "any" ? minimizer.kind_of(text) : data.kind
    try {
        postMessage({number, result: minimized(data, kind)})
    } catch (error) {
        postMessage({number, kind, problem: error.message, isTrap: isTrap(error)})
    }
}
