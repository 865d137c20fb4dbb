// What mdBook's pages lack for screen readers and the keyboard.
{
    document.getElementById("mdbook-menu-bar").setAttribute("role", "banner")
    document.getElementById("mdbook-searchbar")?.setAttribute("aria-label", "Search this book")

    // The label that opens the contents is no button: a button stands for it.
    const label = document.getElementById("mdbook-sidebar-toggle")
    const opened = document.getElementById("mdbook-sidebar-toggle-anchor")
    const button = document.createElement("button")
    Object.assign(button, {type: "button", className: "icon-button", title: label.title, innerHTML: label.innerHTML})
    button.setAttribute("aria-label", label.title)
    button.setAttribute("aria-controls", "mdbook-sidebar")
    const state = () => button.setAttribute("aria-expanded", String(opened.checked))
    opened.addEventListener("change", state)
    button.onclick = () => label.click()
    state()
    label.hidden = true
    label.after(button)

    // An empty head of a column is no head.
    for (const head of document.querySelectorAll("main th:empty")) head.replaceWith(document.createElement("td"))
    // What is wider than the page is scrolled by arrow keys.
    function reach() {
        for (const part of document.querySelectorAll("main .table-wrapper, main pre > code")) {
            if (part.scrollWidth > part.clientWidth) part.tabIndex = 0
            else part.removeAttribute("tabindex")
        }
    }
    reach()
    addEventListener("resize", reach)
}
