// FENs as text: reading what a person typed or pasted, and the changes that set up a position.

import {ROLES} from "./men.js"

const EXAMPLE = "8/8/8/4k3/8/8/8/R3K3 w - - 0 1"
const EXPECTED = `Enter a FEN, such as ${EXAMPLE}, or an address of lichess or syzygy-tables.info.`
const BOARD = /(?:[1-8kqrbnp]{1,8}\/){7}[1-8kqrbnp]{1,8}/i
// The squares that the king and the rook of a castling right stand on.
const RIGHTS = {K: ["e1", "h1"], Q: ["e1", "a1"], k: ["e8", "h8"], q: ["e8", "a8"]}

export const turnOf = fen => fen.split(" ")[1]
// The part of a FEN that is equal in repeated positions.
export const identity = fen => fen.split(" ").slice(0, 4).join(" ")
// The name of a man's picture: "wk" of "K".
export const manOf = letter => (letter === letter.toLowerCase() ? "b" : "w") + letter.toLowerCase()
export const isWhite = letter => letter !== letter.toLowerCase()

const VARIANT = /lichess\.org\/(?:\w+\/)?(antichess|atomic|crazyhouse|horde|kingOfTheHill|racingKings|threeCheck)\b/i

// Why `men` is not a board, or "". `text` is what was entered.
function problemOf(men, text) {
    const rows = men.split("/")
    if (rows.length !== 8 || !/^[1-8kqrbnp/]+$/i.test(men)) return `“${shortened(text)}” is not a position.`
    const sizes = rows.map(row => row.replace(/\d/g, digit => " ".repeat(Number(digit))).length)
    const wrong = sizes.findIndex(size => size !== 8)
    return wrong < 0 ? "" : `Rank ${8 - wrong} (“${shortened(rows[wrong])}”) has ${sizes[wrong]} ${sizes[wrong] === 1 ? "square" : "squares"}, not 8.`
}

// The first field of a FEN as a map from squares to letters, and back.
export function readMen(fen) {
    const men = new Map()
    fen.split(" ")[0].split("/").forEach((row, index) => {
        let file = 0
        for (const letter of row) {
            if (letter >= "1" && letter <= "8") file += Number(letter)
            else men.set("abcdefgh"[file++] + (8 - index), letter)
        }
    })
    return men
}

const writeMen = men => Array.from({length: 8}, (_, row) =>
    Array.from("abcdefgh", file => men.get(file + (8 - row)) ?? " ").join("").replace(/ +/g, empty => empty.length)).join("/")

// The FEN that a text stands for: a FEN with blanks or underscores, or an address with one. Throws an error in a person's words.
export function fenOf(text) {
    // PGN has the FEN in a tag.
    const trimmed = (/^\s*\[FEN\s+"(.*)"\s*\]/is.exec(text)?.[1] ?? text).trim()
    if (trimmed === "") throw new Error(`Enter a position as FEN, such as ${EXAMPLE}. Or choose “Set up” and place the men.`)
    const isAddress = /^(\w+:\/\/|lichess\.org|syzygy-tables\.info)/i.test(trimmed)
    const fen = isAddress ? fenOfAddress(trimmed) : trimmed.replaceAll("_", " ")
    const fields = fen.split(/\s+/)
    // Of the operations of EPD, which end with a semicolon, only the clock and the number of the move are read.
    const isNumber = field => /^\d+$/.test(field)
    const operation = name => new RegExp(`\\b${name}\\s+(\\d+)\\s*;`).exec(fen)?.[1]
    const [men, turn = "w", castling = "-", passed = "-", halfmoves = operation("hmvc") ?? "0", number = operation("fmvn") ?? "1"] =
        fen.endsWith(";") ? fields.filter((field, index) => index < 4 || index < 6 && fields.slice(4, index + 1).every(isNumber)) : fields
    const problem = problemOf(men, trimmed)
    if (problem) throw new Error(`${problem} ${EXPECTED}`)
    if (!/^[wb]$/.test(turn)) throw new Error(`After the men comes the side to move: w or b, not “${shortened(turn)}”.`)
    return [men, turn, castling, passed, halfmoves, number].join(" ")
}

const shortened = text => text.length > 60 ? `${text.slice(0, 60)}…` : text

function fenOfAddress(address) {
    let text = address
    try {
        text = decodeURIComponent(address)
    } catch {
        // An address with a lone % is searched as it is.
    }
    const variant = VARIANT.exec(address)?.[1]
    if (variant) throw new Error(`This address is of the variant ${variant}. The tables are of standard chess.`)
    const at = text.search(new RegExp(`${BOARD.source}(?:[_ +]|$|[?#&])`, "i"))
    if (at < 0) throw new Error("This address has no position in it.")
    return text.slice(at).split(/[?#&]/)[0].replace(/[_+]/g, " ")
}

// "KRvK": the men of both sides, the stronger side first.
export function materialOf(fen) {
    const letters = [...readMen(fen).values()]
    const order = letter => "KQRBNP".indexOf(letter)
    const side = some => some.map(letter => letter.toUpperCase()).sort((a, b) => order(a) - order(b))
    const sides = [side(letters.filter(isWhite)), side(letters.filter(letter => !isWhite(letter)))]
    const key = side => String.fromCharCode(99 - side.length, ...side.map(letter => 48 + order(letter)))
    return sides.sort((a, b) => key(a) < key(b) ? -1 : 1).map(side => side.join("")).join("v")
}

// "white king"
export const nameOf = letter => `${isWhite(letter) ? "white" : "black"} ${ROLES[letter.toLowerCase()]}`

export const spoken = fen => [...readMen(fen)].map(([square, letter]) => `${nameOf(letter)} ${square}`).join(", ")

// The castling rights whose king and rook are in place.
export const possibleRights = men => Object.keys(RIGHTS).filter(right => {
    const [king, rook] = RIGHTS[right]
    const own = letter => right === "K" || right === "Q" ? letter : letter.toLowerCase()
    return men.get(king) === own("K") && men.get(rook) === own("R")
})

// The squares that a pawn may have passed, so that a pawn of the side to move can take it.
export function possiblePassed(men, turn) {
    const [rank, behind, from, own, other] = turn === "w" ? [5, 6, 7, "P", "p"] : [4, 3, 2, "p", "P"]
    return Array.from("abcdefgh").filter((file, index) => men.get(file + rank) === other && !men.has(file + behind)
        && !men.has(file + from) && [-1, 1].some(by => men.get("abcdefgh"[index + by] + rank) === own)).map(file => file + behind)
}

// The FEN of men that are set up, with the castling rights and the passed square as far as they are possible.
export function setUp(men, turn, castling, passed) {
    const rights = possibleRights(men).filter(right => castling.includes(right)).join("") || "-"
    return [writeMen(men), turn, rights, possiblePassed(men, turn).includes(passed) ? passed : "-", 0, 1].join(" ")
}

// The position with `letter` on a square, or nothing if it is empty. A second king of a side replaces the first.
export function withMan(fen, square, letter) {
    const [, turn, castling, passed] = fen.split(" ")
    const men = readMen(fen)
    men.delete(square)
    if (letter.toLowerCase() === "k") for (const [other, there] of men) if (there === letter) men.delete(other)
    if (letter) men.set(square, letter)
    return setUp(men, turn, castling, passed)
}

export function withMove(fen, from, to) {
    const letter = readMen(fen).get(from)
    return withMan(withMan(fen, from, ""), to, letter)
}

export function mirrored(fen) {
    const [, turn, , passed] = fen.split(" ")
    const mirror = square => "hgfedcba"["abcdefgh".indexOf(square[0])] + square[1]
    return setUp(new Map([...readMen(fen)].map(([square, letter]) => [mirror(square), letter])), turn, "", mirror(passed))
}

export function swapped(fen) {
    const [, turn, castling, passed] = fen.split(" ")
    const other = letter => isWhite(letter) ? letter.toLowerCase() : letter.toUpperCase()
    const across = square => square[0] + (9 - square[1])
    const men = new Map([...readMen(fen)].map(([square, letter]) => [across(square), other(letter)]))
    return setUp(men, turn === "w" ? "b" : "w", Array.from(castling, other).join(""), across(passed))
}
