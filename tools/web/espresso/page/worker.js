// Runs the minimizer in a separate thread, so that the page stays responsive and can stop it.

import * as minimizer from "minimizer"

// After a trap or a stack overflow, the memory is in an undefined state: a new worker must take over.
const isTrap = error => error instanceof WebAssembly.RuntimeError || error instanceof RangeError

const FORMATS = ["f", "eqntott", "verilog", "blif", "json"]

function minimized({text, kind, effort, complement}) {
    const seen = kind === "any" ? minimizer.kind_of(text) : kind
    const made = minimizer.minimize(text, seen, effort, complement)
    const written = {}
    for (const format of FORMATS) {
        try {
            written[format] = {text: made.written(format)}
        } catch (error) {
            if (isTrap(error)) throw error
            written[format] = {problem: error.message}
        }
    }
    const {inputs, outputs, cubes_before, literals_before, rows, literals, lower_bound, complemented, maps, primes, warnings} = made
    made.free()
    return {
        kind: seen, inputs, outputs, cubes_before, literals_before, rows, literals, lower_bound,
        complemented: [...complemented], maps, primes, warnings, written,
    }
}

onmessage = ({data}) => {
    if (data.module) {
        minimizer.initSync({module: data.module})
        postMessage({isReady: true})
        return
    }
    try {
        postMessage({number: data.number, result: minimized(data)})
    } catch (error) {
        postMessage({number: data.number, problem: error.message, isTrap: isTrap(error)})
    }
}
