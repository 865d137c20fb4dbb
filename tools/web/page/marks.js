// Draws on the board: highlighted squares, the targets of a man by outcome, the arrow of a move.

import {Extension, EXTENSION_POINT} from "cm-chessboard/src/model/Extension.js"
import {Svg} from "cm-chessboard/src/lib/Svg.js"

export class Marks extends Extension {
    constructor(board) {
        super(board)
        // The letters and numbers of the board stay above the highlights.
        board.view.svg.insertBefore(board.view.coordinatesGroup, board.view.piecesLayer)
        this.below = Svg.addElement(board.view.markersLayer, "g")
        this.above = Svg.addElement(board.view.markersTopLayer, "g")
        this.clear()
        this.registerExtensionPoint(EXTENSION_POINT.afterRedrawBoard, () => this.draw())
        board.marks = this
    }

    clear() {
        this.lit = []
        this.home = null
        this.targets = []
        this.arrow = null
    }

    // `lit` squares, and the `home` of the man that may stand there; `targets` as [square, outcome];
    // `arrow` as [from, to] or null.
    show({lit = this.lit, home = this.home, targets = this.targets, arrow = this.arrow}) {
        Object.assign(this, {lit, home, targets, arrow})
        this.draw()
    }

    draw() {
        const view = this.chessboard.view
        for (const group of [this.below, this.above]) group.replaceChildren()
        const size = view.squareWidth
        for (const square of this.lit) {
            const {x, y} = view.squareToPoint(square)
            // The man's own square is filled, the others have discs: even with many of them the board stays recognizable.
            if (square === this.home)
                Svg.addElement(this.below, "rect", {x, y, width: size, height: size, class: "lit home", "data-lit": square})
            else
                Svg.addElement(this.below, "circle", {cx: x + size / 2, cy: y + size / 2, r: size * 0.3, class: "lit", "data-lit": square})
        }
        for (const [square, outcome] of this.targets) {
            const {x, y} = view.squareToPoint(square)
            const at = {cx: x + size / 2, cy: y + size / 2, r: size * 0.2}
            Svg.addElement(this.above, "circle", {...at, class: `target ${outcome}`, "data-target": square})
        }
        if (this.arrow) this.drawArrow(...this.arrow.map(square => view.squareToPoint(square)), size)
    }

    drawArrow(from, to, size) {
        const [x1, y1, x2, y2] = [from.x, from.y, to.x, to.y].map(value => value + size / 2)
        const length = Math.hypot(x2 - x1, y2 - y1)
        const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length]
        const [head, half, tip] = [size * 0.36, size * 0.21, length - size * 0.08]
        // Coordinates along the arrow and across it.
        const at = (along, aside) => `${x1 + ux * along - uy * aside},${y1 + uy * along + ux * aside}`
        const line = size * 0.075
        const points = [
            at(size * 0.3, line), at(tip - head, line), at(tip - head, half), at(tip, 0),
            at(tip - head, -half), at(tip - head, -line), at(size * 0.3, -line),
        ]
        Svg.addElement(this.above, "polygon", {points: points.join(" "), class: "arrow"})
    }
}
