// Draws on the board: the last move, check, the squares of a clause, men of a sentence, the targets of a man, arrows of moves.

import {Extension, EXTENSION_POINT} from "cm-chessboard/src/model/Extension.js"
import {Svg} from "cm-chessboard/src/lib/Svg.js"

export class Marks extends Extension {
    constructor(board) {
        super(board)
        // The letters and numbers of the board stay above the highlights.
        board.view.svg.insertBefore(board.view.coordinatesGroup, board.view.piecesLayer)
        this.below = Svg.addElement(board.view.markersLayer, "g")
        this.above = Svg.addElement(board.view.markersTopLayer, "g")
        Object.assign(this, {last: [], check: null, lights: null, men: [], targets: [], best: null, pointed: null})
        this.registerExtensionPoint(EXTENSION_POINT.afterRedrawBoard, () => this.draw())
        board.marks = this
    }

    // `last` are the squares of the last move, `check` that of a king in check; `lights` the `squares` where a man may stand, its
    // `home` and `picture`; `men` the squares of men pointed at; `targets` are [square, outcome]; the arrows `best` and `pointed` are
    // [from, to] or null.
    show(marks) {
        Object.assign(this, marks)
        this.draw()
    }

    draw() {
        const view = this.chessboard.view
        for (const group of [this.below, this.above]) group.replaceChildren()
        const size = view.squareWidth
        const fill = (group, square, name) => Svg.addElement(group, "rect",
            {...view.squareToPoint(square), width: size, height: size, class: name, [`data-${name}`]: square})
        for (const square of this.last) fill(this.below, square, "last")
        if (this.check) fill(this.below, this.check, "check")
        if (this.lights) this.drawLights(fill, size)
        for (const square of this.men) fill(this.above, square, "named")
        for (const [square, outcome] of this.targets) {
            const {x, y} = view.squareToPoint(square)
            const at = {cx: x + size / 2, cy: y + size / 2, r: size * 0.2}
            Svg.addElement(this.above, "circle", {...at, class: `target ${outcome}`, "data-target": square})
        }
        for (const name of ["best", "pointed"])
            if (this[name]) this.drawArrow(...this[name].map(square => view.squareToPoint(square)), size, name)
    }

    // The man itself stands pale on the squares, so that they are not taken for its moves.
    drawLights(fill, size) {
        for (const square of this.lights.squares) {
            fill(this.below, square, "lit")
            if (square === this.lights.home) continue
            const {x, y} = this.chessboard.view.squareToPoint(square)
            const pale = Svg.addElement(this.below, "svg", {x, y, width: size, height: size, viewBox: "0 0 40 40", class: "pale"})
            Svg.addElement(pale, "use", {href: `#${this.lights.picture}`})
        }
    }

    drawArrow(from, to, size, name) {
        const [x1, y1, x2, y2] = [from.x, from.y, to.x, to.y].map(value => value + size / 2)
        const length = Math.hypot(x2 - x1, y2 - y1)
        const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length]
        const [head, half, tip] = [size * 0.36, size * 0.21, length - size * 0.08]
        // Coordinates along the arrow and across it.
        const at = (along, aside) => `${x1 + ux * along - uy * aside},${y1 + uy * along + ux * aside}`
        const line = size * (name === "best" ? 0.075 : 0.04)
        const points = [
            at(size * 0.3, line), at(tip - head, line), at(tip - head, half), at(tip, 0),
            at(tip - head, -half), at(tip - head, -line), at(size * 0.3, -line),
        ]
        Svg.addElement(this.above, "polygon", {points: points.join(" "), class: `arrow ${name}`, [`data-${name}`]: ""})
    }
}
