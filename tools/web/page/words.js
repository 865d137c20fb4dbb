// Clauses in words: each literal, as `nearer.wk.bk.wp=0-6`, as a sentence about the board that the reader sees.
// src/pcn/FORMAT.md defines the families. A clause speaks of the canonical position; what has a direction is turned back.

const ROLES = {k: "king", q: "queen", r: "rook", b: "bishop", n: "knight", p: "pawn"}

// The parts of "0-2,5".
const partsOf = text => text.split(",").flatMap(run => {
    const [first, last = first] = run.split("-").map(Number)
    return Array.from({length: last - first + 1}, (_, index) => first + index)
})

const either = words => words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`

const several = (number, unit) => `${unit}${number === 1 ? "" : "s"}`

// Neighbouring values as [first, last].
const runs = values => values.reduce((found, value) => {
    if (found.length && found.at(-1)[1] === value - 1) found.at(-1)[1] = value
    else found.push([value, value])
    return found
}, [])

// A number below `count`; the last one stands for all larger ones if `open`.
function amount(values, count, open = false) {
    const top = count - 1
    const all = runs(values)
    if (all.length === 1) {
        const [first, last] = all[0]
        if (first === last) return open && first === top ? `${first} or more` : `${first}`
        if (first === 0) return `at most ${last}`
        if (last === top) return `at least ${first}`
    }
    return either(all.map(([first, last]) => {
        if (open && last === top) return `${first} or more`
        return first === last ? `${first}` : `${first} to ${last}`
    }))
}

// Such a number of things: "no squares", "at least 1 square".
function counted(values, count, unit, open = false) {
    const number = amount(values, count, open).replace(/^0$/, "no")
    return `${number} ${several(/\b1$/.test(number) ? 1 : 2, unit)}`
}

// A difference of -7 to 7, the ends standing for what is beyond: "the king is" "at least 2 squares" "nearer ...".
function compared(values, {subject, less, equal, more, unit}) {
    const side = value => value < 0 ? less : more
    const some = (value, how = "") => value === 0
        ? equal
        : `${how}${Math.abs(value)} ${unit ? several(Math.abs(value), unit) + " " : ""}${side(value)}`
    const all = runs(values)
    const phrase = ([first, last]) => {
        if (first === last) return some(first, Math.abs(first) === 7 ? "at least " : "")
        if (first === -7) return last < 0 ? some(last, "at least ") : last === 0 ? `${equal} or ${less}` : some(last, "at most ")
        if (last === 7) return first > 0 ? some(first, "at least ") : first === 0 ? `${equal} or ${more}` : some(first, "at most ")
        if (first === 0) return `${equal}, or up to ${some(last)}`
        if (last === 0) return `${equal}, or up to ${some(first)}`
        if (first < 0 && last > 0) return `between ${some(first)} and ${some(last)}`
        const [least, most] = [Math.abs(first), Math.abs(last)].sort((a, b) => a - b)
        return `${least} to ${some(first < 0 ? -most : most)}`
    }
    return `${subject} ${either(all.map(phrase))}`
}

const STANDINGS = ["attacked and not guarded", "attacked and guarded", "neither attacked nor guarded", "guarded and not attacked"]
const STANDING_SETS = {
    "0,1": "attacked", "2,3": "not attacked", "1,3": "guarded", "0,2": "not guarded",
    "1,2,3": "guarded or not attacked", "0,2,3": "not guarded or not attacked",
    "0,1,3": "attacked or guarded", "0,1,2": "attacked or not guarded",
}
const standing = values => STANDING_SETS[values.join()] ?? either(values.map(value => STANDINGS[value]))

// Yes or no.
const whether = (yes, no) => values => values[0] === 1 ? yes : no

const nearer = (a, b, c, how = "") =>
    ({subject: `${a} is`, less: `nearer to ${c} than ${b}${how}`, equal: `as near to ${c} as ${b}${how}`, more: `further from ${c} than ${b}${how}`, unit: "square"})

const goal = pawn => `the promotion square of ${pawn}`

// What a literal of each family says, given its parts and its men.
const FAMILIES = {
    ep: values => `an en-passant capture is ${either(values.map(value => value ? `possible on file ${"abcdefgh"[value - 1]}` : "not possible"))}`,
    larger: (values, a, b) => values.join() === "1"
        ? `${a} and ${b} stand side by side`
        : `${a} and ${b} are ${counted(values, 8, "king move")} apart`,
    smaller: (values, a, b) => values.join() === "0" ? `${a} and ${b} are on one file or rank`
        : values.join() === "1,2,3,4,5,6,7" ? `${a} and ${b} are neither on one file nor on one rank`
        : `${a} and ${b} are ${amount(values, 8)} apart by files or by ranks, whichever is less`,
    excess: (values, a, b) => values.join() === "0" ? `${a} and ${b} are on one diagonal`
        : values.join() === "1,2,3,4,5,6,7" ? `${a} and ${b} are not on one diagonal`
        : `${a} and ${b} are ${counted(values, 8, "square")} off a common diagonal`,
    moves: (values, a) => `${a} has ${counted(values, 9, "square")} to go to`,
    contact: (values, a) => `${a} is ${standing(values)}`,
    takes: (values, a, b) => ({
        0: `${a} does not attack ${b}`,
        1: `${a} attacks ${b}, but cannot take it safely`,
        2: `${a} can take ${b} safely`,
        "0,1": `${a} cannot take ${b} safely`,
        "1,2": `${a} attacks ${b}`,
        "0,2": `${a} can take ${b} safely or does not attack it`,
    })[values],
    line: (values, a, b) => ({
        0: `${b} is on no line of ${a}`,
        1: `${b} is on a line of ${a}, with men between`,
        2: `${a} looks at ${b} along an open line`,
        "0,1": `${a} does not look at ${b} along an open line`,
        "1,2": `${b} is on a line of ${a}`,
        "0,2": `no man stands between ${a} and ${b} on a line`,
    })[values],
    pinned: (values, a, b) => whether(`${b} pins ${a}`, `${b} does not pin ${a}`)(values),
    cut: (values, a, b, c) => ({
        0: `${c} is between ${a} and ${b} neither by file nor by rank`,
        1: `${c} is between ${a} and ${b} by file or by rank, not by both`,
        2: `${c} is between ${a} and ${b} by file and by rank`,
        "0,1": `${c} is not between ${a} and ${b} by both file and rank`,
        "1,2": `${c} is between ${a} and ${b} by file or by rank`,
        "0,2": `${c} is between ${a} and ${b} by both file and rank or by neither`,
    })[values],
    race: (values, a, b) => compared(values, {subject: `${a} reaches ${goal(b)}`, less: "before it", equal: "in as many moves as the pawn", more: "after it", unit: "move"}),
    goal: (values, a, b) => `${a} is ${counted(values, 8, "king move")} from ${goal(b)}`,
    in_time: (values, a, b) => compared(values, {subject: `${a} can meet ${b} on its way`, less: "before it is there", equal: "just in time", more: "too late", unit: "move"}),
    front: (values, a) => values[0] > 0
        ? `the square in front of ${a} is empty and ${standing(values.map(value => value - 1))}`
        : `the square in front of ${a} is ${either(["occupied", ...values.slice(1).map(value => `empty and ${STANDINGS[value - 1]}`)])}`,
    clear: (values, a) => `${a} has ${counted(values, 7, "empty square", true)} straight ahead`,
    free: (values, a) => `straight ahead ${a} has ${counted(values, 7, "square", true)} before one that is occupied or attacked`,
    path_attacked: (values, a) => `on the way of ${a} the foe attacks ${counted(values, 7, "square", true)}`,
    path_guarded: (values, a) => `on the way of ${a} its own side guards ${counted(values, 7, "square", true)}`,
    path_taken: (values, a) => `${a} has ${amount(values, 3, true).replace(/^0$/, "none")} of the men in its way`,
    goal_standing: (values, a) => `${goal(a)} is ${standing(values)}`,
    on_path: (values, a, b) => whether(`${a} stands in the way of ${b}`, `${a} does not stand in the way of ${b}`)(values),
    crown: (values, a, b) => `promoted to a queen, ${a} would ${whether("attack", "not attack")(values)} ${b}`,
    crown_goal: (values, a, b) => `promoted to a queen, ${a} would ${whether("attack", "not attack")(values)} ${goal(b)}`,
    wrong: (values, a, b) => whether(
        `${b} is a rook's pawn and ${a} is not of the colour of its promotion square`,
        `${b} is no rook's pawn, or ${a} is of the colour of its promotion square`)(values),
    passed: (values, a, b) => whether(`${a} and ${b} can pass each other`, `${a} and ${b} are not past each other`)(values),
    steps_lead: (values, a, b) => compared(values, {subject: `${a} needs`, less: `fewer to promote than ${b}`, equal: `as many moves to promote as ${b}`, more: `more to promote than ${b}`, unit: "move"}),
    race_lead: (values, a, b) => compared(values, {subject: `${a} is ahead of the king that hunts it by`, less: `less than ${b}`, equal: `as much as ${b}`, more: `more than ${b}`, unit: "move"}),
    raid: (values, a, b) => compared(values, {subject: `the king that hunts ${a} is`, less: `nearer to it than the other king to ${b}`, equal: `as near to it as the other king to ${b}`, more: `further from it than the other king from ${b}`, unit: "square"}),
    hops: (values, a, b) => `${a} is ${counted(values, 7, "knight move")} from where ${b} stands`,
    nearer: (values, a, b, c) => compared(values, nearer(a, b, c)),
    detour: (values, a, b, c) => values.join() === "0"
        ? `${c} is on a shortest way of a king between ${a} and ${b}`
        : `the way of a king between ${a} and ${b} by ${c} is ${counted(values, 15, "move", true)} longer than the shortest`,
    taxi: (values, a, b) => `${a} and ${b} are ${amount(values, 15)} apart, files and ranks added`,
    taxi_nearer: (values, a, b, c) => compared(values, nearer(a, b, c, ", files and ranks added")),
    area: (values, a, b, c) => values.join() === "0"
        ? `${a}, ${b} and ${c} are on one straight line`
        : `the triangle of ${a}, ${b} and ${c} has an area of ${counted(values, 16, "half square", true)}`,
}

// The name of each man by what the model calls it: "the white rook on a2", the square only where it is needed.
export function namesOf(men) {
    const alike = {}
    for (const {letter} of men) alike[letter] = (alike[letter] ?? 0) + 1
    return Object.fromEntries(men.map(({name, letter, square}) => {
        const color = letter === letter.toLowerCase() ? "black" : "white"
        return [name, `the ${color} ${ROLES[letter.toLowerCase()]}${alike[letter] > 1 ? ` on ${square}` : ""}`]
    }))
}

// Which files or ranks, of the board that is seen, a literal of `file` or `rank` allows.
function lines(family, values, man, {symmetry, exchanged}) {
    const isFile = (family === "file") === !(symmetry & 4)
    const isMirrored = isFile ? symmetry & 1 : !(symmetry & 2) !== !exchanged
    const shown = values.map(value => isMirrored ? 7 - value : value).sort((a, b) => a - b)
    const label = value => isFile ? "abcdefgh"[value] : `${value + 1}`
    const all = runs(shown).map(([first, last]) => first === last ? label(first)
        : last === first + 1 ? `${label(first)} or ${label(last)}` : `${label(first)} to ${label(last)}`)
    const kind = isFile ? "file" : "rank"
    return `${man} is on ${values.length <= 2 ? kind : kind + "s"} ${either(all)}`
}

function sentence(literal, names, explanation) {
    const [variable, text] = literal.split("=")
    const [family, ...short] = variable.split(".")
    const values = partsOf(text)
    const men = short.map(name => names[name])
    const mirrored = flip => values.map(value => flip ? 7 - value : value - 7).sort((a, b) => a - b)
    switch (family) {
        case "file":
        case "rank":
            return lines(family, values, men[0], explanation)
        case "files":
            return compared(mirrored(explanation.symmetry & 1), {subject: `${men[1]} is`, less: `to the left of ${men[0]}`, equal: `on the file of ${men[0]}`, more: `to the right of ${men[0]}`, unit: "file"})
        case "ranks":
            return compared(mirrored(explanation.exchanged), {subject: `${men[1]} is`, less: `below ${men[0]}`, equal: `on the rank of ${men[0]}`, more: `above ${men[0]}`, unit: "rank"})
        case "goal_lead":
            return compared(mirrored(false), nearer(names.wk, names.bk, goal(men[0])))
        case "front_lead":
            return compared(mirrored(false), nearer(names.wk, names.bk, `the square in front of ${men[0]}`))
    }
    const signed = ["race", "in_time", "steps_lead", "race_lead", "raid", "nearer", "taxi_nearer"].includes(family)
    return FAMILIES[family]?.(signed ? mirrored(false) : values, ...men) ?? literal
}

// The sentences of a clause, each without its full stop.
export function words(explanation) {
    if (explanation.literals === "always") return []
    const names = namesOf(explanation.men)
    return explanation.literals.split(" ").map(literal => sentence(literal, names, explanation))
}
