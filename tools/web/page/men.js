// The words and pictures of men.

export const ROLES = {k: "king", q: "queen", r: "rook", b: "bishop", n: "knight", p: "pawn"}
export const COLORS = {w: "White", b: "Black"}

export function picture(man) {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg")
    svg.setAttribute("viewBox", "0 0 40 40")
    svg.setAttribute("aria-hidden", "true")
    const use = document.createElementNS("http://www.w3.org/2000/svg", "use")
    use.setAttribute("href", `#${man}`)
    svg.append(use)
    return svg
}
