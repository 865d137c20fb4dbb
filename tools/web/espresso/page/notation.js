// Functions as text: in the notations of textbooks and LaTeX, as lists of minterms, and as trees of gates.

const TEXTBOOK = {name: name => name, not: name => `${name}'`, and: "·", or: " + ", open: "(", close: ")"}
const LATEX = {name: latexName, not: name => `\\overline{${name}}`, and: " \\cdot ", or: " + ", open: "(", close: ")"}
const OPERATORS = ["not", "and", "xor", "or"].flatMap(word => [word, word.toUpperCase()])

function latexName(name) {
    const [, letters, digits] = /^(\p{L}+)_?(\d*)$/u.exec(name) ?? [, name, ""]
    const escaped = letters.replace(/[\\{}_^~%&#$]/g, sign => sign === "\\" ? "\\backslash " : `\\${sign}`)
    return `${letters.length > 1 ? `\\mathit{${escaped}}` : escaped}${digits && `_{${digits}}`}`
}

// The literals of a row of a PLA: pairs of a name and whether it is not complemented. For the row of a complement they are those
// of a sum, by De Morgan.
function literals(row, inputs, isSum) {
    const values = inputs.length > 0 ? row.split(" ")[0] : ""
    return [...values].flatMap((value, v) => value === "-" ? [] : [[inputs[v], (value === "1") !== isSum]])
}

// A product, or the sum that a row of a complement stands for.
function term(row, inputs, isSum, style) {
    const parts = literals(row, inputs, isSum).map(([name, isPlain]) => isPlain ? style.name(name) : style.not(style.name(name)))
    return parts.length === 0 ? String(Number(!isSum)) : parts.join(isSum ? style.or : style.and)
}

export const termOf = (row, inputs, isSum) => term(row, inputs, isSum, TEXTBOOK)

export const rowsOf = ({rows}, output) => rows.filter(row => row.split(" ").at(-1)[output] === "1")

// The terms of an output, each with the sign after it: a line may break between them.
function terms(result, output, style) {
    const isSum = result.complemented[output] === 1
    const rows = rowsOf(result, output)
    if (rows.length === 0) return [String(Number(isSum))]
    return rows.map((row, place) => {
        const text = term(row, result.inputs, isSum, style)
        const isInner = isSum && rows.length > 1 && text.includes(style.or)
        const whole = isInner ? `${style.open}${text}${style.close}` : text
        return place === rows.length - 1 ? whole : `${whole}${isSum ? style.and : style.or}`
    })
}

export const textbook = (result, output) => terms(result, output, TEXTBOOK)

export function latex(result) {
    const lines = result.outputs.map((name, output) => `${latexName(name)} &= ${terms(result, output, LATEX).join("")}`)
    return `\\begin{align*}\n${lines.join(" \\\\\n")}\n\\end{align*}\n`
}

const isName = name => /^(?!\/|.*\/\/)(?:[!-~]|\p{L}|\p{N})+$/u.test(name) && !/[!~'&*|+^()=;#,]/.test(name)
    && !["0", "1", ...OPERATORS].includes(name)

// The text of a function given by maps: lists of minterms if the names allow it, otherwise truth tables.
export function written({kind, inputs, outputs}, maps) {
    const names = [...inputs, ...outputs]
    if (kind === "truth-table" || !names.every(isName) || new Set(names).size < names.length) return `${maps.join("\n")}\n`
    const list = (map, value) => [...map].flatMap((other, minterm) => other === value ? [minterm] : []).join(", ")
    return outputs.map((name, output) => {
        const [on, dc] = [list(maps[output], "1"), list(maps[output], "-")]
        return `${name}(${inputs.join(", ")}) = m(${on})${dc && ` + d(${dc})`};\n`
    }).join("")
}

// The gates of an output, as nested arrays.
export function gates(result, output) {
    const isSum = result.complemented[output] === 1
    const [inner, outer] = isSum ? ["|", "&"] : ["&", "|"]
    // The library reads marks in names.
    const plain = name => name.replace(/[<>&]/g, "_")
    const join = (gate, parts, none) => parts.length === 0 ? none : parts.length === 1 ? parts[0] : [gate, ...parts]
    const products = rowsOf(result, output).map(row => join(inner,
        literals(row, result.inputs, isSum).map(([name, isPlain]) => isPlain ? plain(name) : ["~", plain(name)]), String(Number(!isSum))))
    return [plain(result.outputs[output]), join(outer, products, String(Number(isSum)))]
}
