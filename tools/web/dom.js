// Elements of both pages.

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
