// Random positions of two to four men, or more, legal or not, the same in every run: node positions.js NUMBER prints FENs.

import {pathToFileURL} from "node:url"

// 32-bit xorshift.
let state = 0x2545f491
function below(number) {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % number
}

function position(most) {
    const men = ["K", "k"]
    for (let count = below(most - 1); count > 0; count--) men.push("QRBNPqrbnp"[below(10)])
    const squares = Array(64).fill(" ")
    for (const man of men) {
        const isPawn = man.toLowerCase() === "p"
        let square
        do square = isPawn ? 8 + below(48) : below(64)
        while (squares[square] !== " ")
        squares[square] = man
    }
    const rows = Array.from({length: 8}, (_, row) => squares.slice(8 * row, 8 * row + 8).join(""))
    const board = rows.join("/").replace(/ +/g, empty => empty.length)
    return `${board} ${"wb"[below(2)]} - - 0 1`
}

export const positions = (number, most = 4) => Array.from({length: number}, () => position(most))

if (import.meta.url === pathToFileURL(process.argv[1]).href) console.log(positions(Number(process.argv[2])).join("\n"))
