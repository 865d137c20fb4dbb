// Sorts the table by a column when its head is clicked. Without this script the table is in the order of materials.
document.querySelectorAll(".scripted").forEach((note) => (note.hidden = false));
for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const key = (row) => row.cells[column].dataset.value ?? "";
      const empty = (text) => text === "";
      const compare = (one, two) => {
        const [a, b] = [key(one), key(two)];
        // Cells without a value come last in both directions.
        if (empty(a) || empty(b)) return empty(a) - empty(b);
        const order = isNaN(a) || isNaN(b) ? a.localeCompare(b) : a - b;
        return down ? -order : order;
      };
      const body = table.tBodies[0];
      body.append(...[...body.rows].sort(compare));
    });
  });
}
