import { slotStyle } from '#console/ui/chart/palette.ts'
import { isObject } from '../../model/json.ts'

/** CSS colour of a place in the chart's palette, inside of an element with the palette's variables. */
export function chartColor(slot: number): string {
  return `var(${slotStyle(slot, false).variable})`
}

/** Colours of tiles (reference 4.4) as places in the chart's palette. Status colours come from the theme. */
const slots: Record<string, number> = {
  'chart-blue': 0,
  'chart-orange': 1,
  'chart-cyan': 2,
  'chart-purple': 3,
  'chart-gray': 9,
  'chart-brown': 8,
  'chart-light-blue': 6,
  'chart-red': 7,
  'chart-pink': 3,
  'chart-green': 2,
}
const statuses: Record<string, string> = {
  'chart-success': 'success.main',
  'chart-warning': 'warning.main',
  'chart-error': 'error.main',
}

/** A tile's colour for `sx`; undefined for one that is not known. */
export function tileColor(token: unknown): string | undefined {
  if (typeof token !== 'string') return undefined
  const slot = slots[token]
  return statuses[token] ?? (slot === undefined ? undefined : chartColor(slot))
}

interface Matched {
  color: string | undefined
  label?: string
}

/** Colour and word of a value: the last rule that matches wins, or else the tile's colour. */
export function colorOf(value: number | null, rules: unknown, fallback: unknown): Matched {
  const matching = Array.isArray(rules) ? rules.filter((rule) => isObject(rule) && matches(value, rule)) : []
  const last: unknown = matching.at(-1)
  if (!isObject(last)) return { color: tileColor(fallback) }
  return { color: tileColor(last.color), ...(typeof last.label === 'string' && { label: last.label }) }
}

function matches(value: number | null, { operator, value: limit }: Record<string, unknown>): boolean {
  if (value === null) return false
  if (operator === 'between') return Array.isArray(limit) && value >= Number(limit[0]) && value <= Number(limit[1])
  const other = Number(limit)
  switch (operator) {
    case 'gt':
      return value > other
    case 'gte':
      return value >= other
    case 'lt':
      return value < other
    case 'lte':
      return value <= other
    case 'eq':
      return value === other
    case 'neq':
      return value !== other
    default:
      return false
  }
}
