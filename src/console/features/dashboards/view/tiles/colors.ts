import { use } from 'react'
import { semanticIndex, colorVariable } from '#console/ui/series/palette.ts'
import { assignStyles, semanticColorOf, styleAt } from '#console/ui/series/seriesStyles.ts'
import { SharedHuesContext, shareHues, type SharedHues } from '#console/ui/series/useSeriesStyles.ts'
import { formatValue, type Unit } from '#domain/charts/units.ts'
import { isPlainObject } from '#domain/json/plainObject.ts'

const colorAt = (place: number): string => `var(${colorVariable(place)})`

/** CSS colour of what combines several groups. */
export const othersColor = colorAt(semanticIndex('neutral'))

/** CSS colour of each name, the one that its line has in other tiles. Names that come first choose first. */
export function useNameColors(names: readonly string[]): ReadonlyMap<string, string> {
  return nameColors(names, use(SharedHuesContext))
}

/** Colors of names that are shown beside their color: all names of one meaning, such as 404 and 499, have its color. */
export function useListedColors(names: readonly string[]): ReadonlyMap<string, string> {
  const colors = useNameColors(names)
  return new Map(
    [...colors].map(([name, color]) => {
      const meaning = semanticColorOf(name)
      return [name, meaning ? colorAt(semanticIndex(meaning)) : color]
    }),
  )
}

function nameColors(names: readonly string[], shared: SharedHues | null): ReadonlyMap<string, string> {
  const named = names.map((name) => ({ id: name, name }))
  const styles = assignStyles(named, { ...(shared && { elsewhere: shared }), dashed: false })
  if (shared) shareHues(shared, named, styles)
  return new Map([...styles].map(([name, style]) => [name, colorAt(styleAt(style, false).color)]))
}

/** Colours of tiles (docs/DEPLOYMENTS.md#tiles): the hue of that name, or the colour of a meaning. */
const colors: Record<string, string> = {
  'chart-blue': colorAt(0),
  'chart-orange': colorAt(1),
  'chart-cyan': colorAt(2),
  'chart-purple': colorAt(7),
  'chart-gray': colorAt(semanticIndex('neutral')),
  'chart-brown': colorAt(6),
  'chart-light-blue': colorAt(5),
  'chart-red': colorAt(semanticIndex('error')),
  'chart-pink': colorAt(9),
  'chart-green': colorAt(8),
  'chart-success': 'var(--ok)',
  'chart-warning': 'var(--warn)',
  'chart-error': 'var(--bad)',
}

/** A tile's colour in CSS; undefined for one that is not known. */
function tileColor(token: unknown): string | undefined {
  return typeof token === 'string' ? colors[token] : undefined
}

interface Matched {
  color: string | undefined
  label?: string
}

/** Colour and words of a value: the last rule that matches wins, or else the tile's colour. */
export function colorOf(value: number | null, rules: unknown, fallback: unknown, unit: Unit = 'number'): Matched {
  const matching = Array.isArray(rules) ? rules.filter((rule) => isPlainObject(rule) && matches(value, rule)) : []
  const last: unknown = matching.at(-1)
  if (!isPlainObject(last)) return { color: tileColor(fallback) }
  const label = typeof last.label === 'string' && last.label !== '' ? last.label : ruleText(last, unit)
  return { color: tileColor(last.color), ...(label && { label }) }
}

const operators: Record<string, string> = {
  gt: 'above',
  gte: 'at least',
  lt: 'below',
  lte: 'at most',
  between: 'between',
  eq: 'equal to',
  neq: 'other than',
}

/** `above 20`, `between 5 and 10`; empty for a rule that is not known. */
function ruleText({ operator, value }: Record<string, unknown>, unit: Unit): string {
  const words = operators[String(operator)]
  const limits = (Array.isArray(value) ? value : [value]).map((limit) => formatValue(Number(limit), unit))
  return words ? `${words} ${limits.join(' and ')}` : ''
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
