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

// The tables of an output. Each is an object with its caption, the names and codes of rows and columns, and the minterms of its
// cells. Four sheets are in the order 00 01 10 11, for two rows of two.
export function sheets(names) {
    const inputs = names.length
    const columns = Math.min(2, Math.ceil(Math.min(inputs, 4) / 2))
    const rows = Math.min(inputs, 4) - columns
    const over = inputs - rows - columns
    const group = (from, to) => names.slice(from, to).join(" ")
    return GRAY[over].toSorted().map(sheet => ({
        caption: over === 0 ? "" : `${group(0, over)} = ${code(sheet, over)}`,
        rowNames: group(over, over + rows),
        columnNames: group(over + rows, inputs),
        columns: GRAY[columns].map(column => code(column, columns)),
        rows: GRAY[rows].map(row => ({
            code: code(row, rows),
            minterms: GRAY[columns].map(column => (sheet << rows | row) << columns | column),
        })),
    }))
}

// The sides that the loop of a product has at its cells: an object from minterm to some of "top", "right", "bottom" and "left".
// `isIn(minterm)` says whether the product has a minterm. A loop that goes on at the opposite rim is open there.
export function loop(sheet, isIn) {
    const cells = sheet.rows.map(row => row.minterms)
    const rows = cells.map(row => row.some(isIn))
    const columns = cells[0].map((_, column) => cells.some(row => isIn(row[column])))
    // Whether the cell before or after place `at` is in the product too.
    const goesOn = (within, at, step) => {
        const next = at + step
        if (next >= 0 && next < within.length) return within[next]
        return within.length === 4 && within.includes(false) && within.at(next % 4)
    }
    const sides = {}
    cells.forEach((row, r) => row.forEach((minterm, c) => {
        if (!isIn(minterm)) return
        const lines = {top: [rows, r, -1], right: [columns, c, 1], bottom: [rows, r, 1], left: [columns, c, -1]}
        sides[minterm] = Object.keys(lines).filter(side => !goesOn(...lines[side]))
    }))
    return sides
}

// A level for each product, such that products with a common minterm have different ones.
export function levels(products) {
    const chosen = []
    for (const minterms of products) {
        const taken = chosen.filter((_, other) => products[other].some(minterm => minterms.includes(minterm)))
        let level = 0
        while (taken.includes(level)) level++
        chosen.push(level)
    }
    return chosen
}
