/** Which colour and dash a series has: the same name has the same ones in every chart. */
import {
  chartColors,
  dashes,
  hueCount,
  type SemanticColor,
  semanticIndex,
  styleOf,
  type SeriesStyle,
} from './palette.ts'

/** Names with a colour of their meaning: log severities, span statuses, HTTP status codes and their classes. */
const semanticNames: readonly (readonly [names: RegExp, color: SemanticColor])[] = [
  [/^(fatal|critical|crit|emergency|emerg|alert|panic)$/i, 'critical'],
  [/^((status_code_)?err(or)?|severe|failed|failure|5xx|5\d\d)$/i, 'error'],
  [/^(warn(ing)?|4xx|4\d\d)$/i, 'warning'],
  [/^(info(rmation(al)?)?|notice|3xx|3\d\d)$/i, 'info'],
  [/^((status_code_)?ok|success(ful)?|2xx|2\d\d)$/i, 'success'],
  [/^(debug|trace|verbose|(status_code_)?unset|unspecified|1xx|1\d\d|\((none|null)\))$/i, 'neutral'],
]

/** The semantic color of a name; null for most names. */
export function semanticColorOf(name: string): SemanticColor | null {
  return semanticNames.find(([names]) => names.test(name.trim()))?.[1] ?? null
}

/** A colour and a dash as one number: the first dash with each colour, then the second with each, and so on. */
type StyleIndex = number

const colorCount = chartColors.light.length
const rounds = dashes.map((_, round) => round)

/** The style of a name on its own: the colour of its meaning, or a hue that its text decides. */
export function preferredStyle(name: string): StyleIndex {
  const color = semanticColorOf(name)
  return color ? semanticIndex(color) : hash(name) % hueCount
}

export interface Named {
  id: string
  /** Decides the style. */
  name: string
}

interface Before {
  /** Styles of the series in the previous answer, which they keep. */
  before?: ReadonlyMap<string, StyleIndex>
  /** Whether dashes can be seen; where not, two series never share a colour while another one is free. */
  dashed: boolean
}

/**
 * Styles by id. Each name takes its own; where two names of one chart have the same, the later one takes the next that
 * is free. Beyond all styles (10 hues times 4 dashes), they repeat.
 */
export function assignStyles(
  series: readonly Named[],
  { before = new Map(), dashed }: Before,
): Map<string, StyleIndex> {
  const styles = new Map<string, StyleIndex>()
  for (const { id } of series) {
    const style = before.get(id)
    if (style !== undefined) styles.set(id, style)
  }
  const taken = new Set(styles.values())
  const newcomers = series.filter(({ id }) => !styles.has(id)).toSorted((a, b) => compare(a.name, b.name))
  for (const { id, name } of newcomers) {
    const style = candidates(name, dashed).find((one) => !taken.has(one)) ?? preferredStyle(name)
    styles.set(id, style)
    taken.add(style)
  }
  return styles
}

function candidates(name: string, dashed: boolean): StyleIndex[] {
  const first = preferredStyle(name)
  // Another dash keeps the meaning, but only where it can be seen.
  const meant = first < hueCount ? [] : (dashed ? rounds : [0]).map((round) => round * colorCount + first)
  const start = hash(name)
  const others = rounds.flatMap((round) =>
    Array.from({ length: hueCount }, (_, step) => round * colorCount + ((start + step) % hueCount)),
  )
  return [...meant, ...others]
}

export function styleAt(style: StyleIndex, dashed: boolean): SeriesStyle {
  const dash = dashes[Math.floor(style / colorCount) % dashes.length] ?? []
  return styleOf(style % colorCount, dashed ? dash : [])
}

/** FNV-1a over the characters: stable, and short names spread well. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  // The lowest bits of short texts differ least.
  return (value ^ (value >>> 15)) >>> 0
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
