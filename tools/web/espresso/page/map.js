// Karnaugh maps of up to six inputs: the last two inputs are columns, the two before them rows, the first ones sheets.

const GRAY = [[0], [0, 1], [0, 1, 3, 2]]

// Whether a row of a PLA has a minterm, whose highest bit is the first input.
export function has(row, inputs, output, minterm) {
    const fields = row.split(" ")
    const products = inputs > 0 ? fields[0] : ""
    if (fields.at(-1)[output] !== "1") return false
    return [...products].every((letter, v) => letter === "-" || Number(letter) === (minterm >> (inputs - 1 - v) & 1))
}

const code = (value, bits) => bits === 0 ? "" : value.toString(2).padStart(bits, "0")

// The tables of an output; `cell(minterm)` fills a cell. Each table is an object with its caption, the names and codes of rows
// and columns, and the minterms of its cells.
export function sheets(names) {
    const inputs = names.length
    const columns = Math.min(2, Math.ceil(Math.min(inputs, 4) / 2))
    const rows = Math.min(inputs, 4) - columns
    const over = inputs - rows - columns
    const group = (from, to) => names.slice(from, to).join(" ")
    return GRAY[over].map(sheet => ({
        caption: over === 0 ? "" : `${group(0, over)} = ${code(sheet, over)}`,
        corner: `${group(over, over + rows)} \\\n${group(over + rows, inputs)}`,
        columns: GRAY[columns].map(column => code(column, columns)),
        rows: GRAY[rows].map(row => ({
            code: code(row, rows),
            minterms: GRAY[columns].map(column => (sheet << rows | row) << columns | column),
        })),
    }))
}
