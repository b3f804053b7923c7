/**
 * Which colour and dash a series has. A name with a meaning has the colour of it. The others take the ten hues in their
 * order, and keep them.
 */
import {
  chartColors,
  dashes,
  hueCount,
  type SemanticColor,
  semanticIndex,
  styleOf,
  type SeriesStyle,
} from './palette.ts'

/** Names with a colour of their meaning: log severities, span statuses, HTTP status codes and their classes, and the rest. */
const semanticNames: readonly (readonly [names: RegExp, color: SemanticColor])[] = [
  [/^(fatal|critical|crit|emergency|emerg|alert|panic)$/i, 'critical'],
  [/^((status_code_)?err(or)?|severe|failed|failure|5xx|5\d\d)$/i, 'error'],
  [/^(warn(ing)?|4xx|4\d\d)$/i, 'warning'],
  [/^(info(rmation(al)?)?|notice|3xx|3\d\d)$/i, 'info'],
  [/^((status_code_)?ok|success(ful)?|2xx|2\d\d)$/i, 'success'],
  [/^(debug|trace|verbose|(status_code_)?unset|unspecified|others|1xx|1\d\d|\((none|null)\))$/i, 'neutral'],
]

/** The semantic color of a name; null for most names. */
export function semanticColorOf(name: string): SemanticColor | null {
  return semanticNames.find(([names]) => names.test(name.trim()))?.[1] ?? null
}

/** A colour and a dash as one number: the first dash with each colour, then the second with each, and so on. */
export type StyleIndex = number

const colorCount = chartColors.light.length
const rounds = dashes.map((_, round) => round)
const hues = Array.from({ length: hueCount }, (_, hue) => hue)

export interface Named {
  id: string
  /** Decides whether the style has a meaning, and is known in other charts. */
  name: string
}

interface Known {
  /** Styles that the ids of this chart had, also those that it does not show now: the first are preferred. */
  before?: ReadonlyMap<string, StyleIndex>
  /** Styles that names have in other charts of the page. */
  elsewhere?: ReadonlyMap<string, StyleIndex>
  /** Whether dashes can be seen. */
  dashed: boolean
}

/**
 * Styles by id, for series in the order in which they may choose. Each keeps the one that it had, or takes that of its
 * meaning, else the one that its name has elsewhere, else the next hue that is free. Beyond ten hues, they repeat with
 * other dashes; where those cannot be seen, or all are taken, the rest is neutral.
 */
export function assignStyles(series: readonly Named[], known: Known): Map<string, StyleIndex> {
  const { before = new Map<string, StyleIndex>(), elsewhere, dashed } = known
  const names = new Map(series.map(({ id, name }) => [id, name]))
  const styles = new Map<string, StyleIndex>()
  const taken = new Set<StyleIndex>()
  const choose = (id: string, choices: readonly StyleIndex[]) => {
    const free = choices.find((style) => !taken.has(style))
    if (free === undefined) return
    styles.set(id, free)
    taken.add(free)
  }
  const visible = dashed ? rounds : [0]
  const withDashes = (color: number) => visible.map((round) => round * colorCount + color)

  for (const [id, style] of before) {
    const name = names.get(id)
    if (name !== undefined && (dashed || style < colorCount) && fits(name, style)) choose(id, [style])
  }
  for (const { id, name } of series.filter(({ id }) => !styles.has(id))) {
    const meaning = semanticColorOf(name)
    const hue = elsewhere?.get(name)
    // Another dash keeps the meaning, but only where it can be seen.
    choose(id, meaning ? withDashes(semanticIndex(meaning)) : hue === undefined ? [] : [hue])
  }
  // Hues of series that are not shown now stay theirs while there are others.
  const reserved = new Set([...before].flatMap(([id, style]) => (names.has(id) ? [] : [style])))
  const choices = [
    ...hues.filter((hue) => !reserved.has(hue)),
    ...hues,
    ...visible.slice(1).flatMap((round) => hues.map((hue) => round * colorCount + hue)),
  ]
  for (const { id } of series.filter(({ id }) => !styles.has(id))) choose(id, choices)
  for (const { id, name } of series.filter(({ id }) => !styles.has(id)))
    styles.set(id, semanticIndex(semanticColorOf(name) ?? 'neutral'))
  return styles
}

/** Whether a name may have a style: a colour with a meaning is for names of that meaning. */
function fits(name: string, style: StyleIndex): boolean {
  const color = style % colorCount
  const meaning = semanticColorOf(name)
  return color < hueCount || (meaning !== null && color === semanticIndex(meaning))
}

/** Series whose styles are remembered at most, besides those that are shown: names of containers come and go. */
const maxKept = 500

/** The styles of an assignment, then those of series that are not shown now. */
export function keptStyles(
  assigned: ReadonlyMap<string, StyleIndex>,
  before: ReadonlyMap<string, StyleIndex>,
): Map<string, StyleIndex> {
  return new Map([...assigned, ...[...before].filter(([id]) => !assigned.has(id)).slice(0, maxKept)])
}

/** Whether a style is a hue with no dash: the one that a name has in other charts too. */
export const isHue = (style: StyleIndex): boolean => style < hueCount

export function styleAt(style: StyleIndex, dashed: boolean): SeriesStyle {
  const dash = dashes[Math.floor(style / colorCount) % dashes.length] ?? []
  return styleOf(style % colorCount, dashed ? dash : [])
}
