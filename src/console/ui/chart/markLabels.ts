/** Labels of marks in one row above a plot, as many as there is room for. */

interface Labelled {
  /** Pixels of the chart. */
  x: number
  label: string
  strong: boolean
}

export interface PlacedLabel {
  /** The index of the mark in the list. */
  index: number
  /** Where the text begins, pixels of the chart. */
  x: number
  text: string
}

/** About the width of a letter, with some air. */
const letterWidth = 6.2
const maxLetters = 28
/** Pixels between two labels. */
const gap = 10

/** Centred on their marks and within the plot. Of two that would overlap, the stronger one stays, then the later one. */
export function placeLabels(
  marks: readonly Labelled[],
  { left, right }: { left: number; right: number },
): PlacedLabel[] {
  const most = Math.min(maxLetters, Math.floor((right - left) / letterWidth))
  if (most < 4) return []
  const order = [...marks.keys()].toSorted((a, b) => rank(marks[b]) - rank(marks[a]) || b - a)
  const placed: (PlacedLabel & { end: number })[] = []
  for (const index of order) {
    const { x: at = 0, label = '' } = marks[index] ?? {}
    if (label === '') continue
    const letters = [...label]
    const text = letters.length > most ? `${letters.slice(0, most - 1).join('')}…` : label
    const width = [...text].length * letterWidth
    const x = Math.max(left, Math.min(at - width / 2, right - width))
    const end = x + width
    if (placed.every((other) => end + gap <= other.x || other.end + gap <= x)) placed.push({ index, x, text, end })
  }
  return placed.map(({ index, x, text }) => ({ index, x, text })).toSorted((a, b) => a.x - b.x)
}

const rank = (mark: Labelled | undefined): number => (mark?.strong ? 1 : 0)
