// The minimizer in a thread of its own, so that the page goes on while it works and can end it.

import * as minimizer from "minimizer"

const FORMATS = ["f", "eqntott", "verilog", "blif", "json"]

function minimized({text, kind, effort}) {
    const seen = kind === "any" ? minimizer.kind_of(text) : kind
    const made = minimizer.minimize(text, seen, effort)
    const written = {}
    for (const format of FORMATS) {
        try {
            written[format] = {text: made.written(format)}
        } catch (error) {
            written[format] = {problem: error.message}
        }
    }
    const {inputs, outputs, cubes_before, literals_before, rows, literals, lower_bound, maps, warnings} = made
    made.free()
    return {kind: seen, inputs, outputs, cubes_before, literals_before, rows, literals, lower_bound, maps, warnings, written}
}

onmessage = ({data}) => {
    if (data.module) {
        minimizer.initSync({module: data.module})
        return
    }
    try {
        postMessage({number: data.number, result: minimized(data)})
    } catch (error) {
        // A trap leaves the memory as it was then: another worker has to go on.
        postMessage({number: data.number, problem: error.message, isTrap: error instanceof WebAssembly.RuntimeError})
    }
}
