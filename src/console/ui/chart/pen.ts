/** What a path is drawn with. A `Path2D` of the browser is a pen, too. */

export interface Pen {
  moveTo(x: number, y: number): void
  lineTo(x: number, y: number): void
  closePath(): void
}

/** A coordinate to a tenth of a pixel. */
export const px = (value: number): string => String(Math.round(value * 10) / 10)

/** Writes a path as SVG has it. */
export class SvgPen implements Pen {
  #text = ''

  moveTo(x: number, y: number): void {
    this.#text += `M${px(x)},${px(y)}`
  }

  lineTo(x: number, y: number): void {
    this.#text += `L${px(x)},${px(y)}`
  }

  closePath(): void {
    this.#text += 'Z'
  }

  toString(): string {
    return this.#text
  }
}
