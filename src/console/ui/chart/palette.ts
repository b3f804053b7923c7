/**
 * Ten colours told apart without red or green vision, by lightness as much as by hue, and strong enough (3:1) on each background.
 * The eleventh series takes the first colour again with another dash.
 */
import type { CSSObject, Theme } from '@mui/material/styles'

export const chartColors = {
  light: ['#4f5bd5', '#c2691b', '#0c8a8f', '#6f283f', '#9b84d2', '#5f521b', '#28a35e', '#46276e', '#1b0bc9', '#111418'],
  dark: ['#8b93f0', '#e39a55', '#44b8bd', '#d6eca2', '#7453d9', '#187e58', '#e8e529', '#2271a2', '#cbecd3', '#8a6613'],
} as const

const dashes = [[], [6, 3], [2, 3], [10, 3, 2, 3]]

/** Place in the palette and dash for each id. Ids that were there before keep theirs, so that a refresh repaints nothing. */
export function assignSlots(ids: readonly string[], before: ReadonlyMap<string, number>): Map<string, number> {
  const slots = new Map<string, number>()
  for (const id of ids) {
    const slot = before.get(id)
    if (slot !== undefined) slots.set(id, slot)
  }
  const taken = new Set(slots.values())
  let next = 0
  for (const id of ids) {
    if (slots.has(id)) continue
    while (taken.has(next)) next++
    slots.set(id, next)
    taken.add(next)
  }
  return slots
}

/** The palette as CSS variables of an element and what it holds: switching the theme repaints without rendering. */
export function chartVariables(theme: Theme): CSSObject {
  return { ...variables('light'), ...theme.applyStyles('dark', variables('dark')) }
}

function variables(scheme: keyof typeof chartColors): Record<string, string> {
  return Object.fromEntries(chartColors[scheme].map((color, index) => [`--chart-${index + 1}`, color]))
}

/** How a series is drawn. */
export interface SeriesStyle {
  /** Place in the palette. */
  place: number
  /** CSS variable of the colour. */
  variable: string
  /** Lengths of dash and gap; none for the first ten. */
  dash: readonly number[]
}

/** Style of a slot. `dashed` false leaves the dashes out: where points lie dense, nobody sees them and painting them is slow. */
export function slotStyle(slot: number, dashed: boolean): SeriesStyle {
  const round = Math.floor(slot / chartColors.light.length) % dashes.length
  const place = slot % chartColors.light.length
  return { place, variable: `--chart-${place + 1}`, dash: dashed ? dashes[round]! : [] }
}

/** For a series that has no style yet. */
export const plainStyle: SeriesStyle = slotStyle(0, false)
