// Elements of the page, and the words and pictures of men.

export const ROLES = {k: "king", q: "queen", r: "rook", b: "bishop", n: "knight", p: "pawn"}
export const COLORS = {w: "White", b: "Black"}

export const element = id => document.getElementById(id)

export function made(name, attributes = {}, ...children) {
    const node = document.createElement(name)
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value)
    node.append(...children)
    return node
}

export function button(attributes, action, ...children) {
    const node = made("button", {type: "button", ...attributes}, ...children)
    node.onclick = action
    return node
}

export function picture(man) {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg")
    svg.setAttribute("viewBox", "0 0 40 40")
    svg.setAttribute("aria-hidden", "true")
    const use = document.createElementNS("http://www.w3.org/2000/svg", "use")
    use.setAttribute("href", `#${man}`)
    svg.append(use)
    return svg
}

export const capitalized = text => text && text[0].toUpperCase() + text.slice(1)
