/** Which colour and dash a series has: the same name looks the same in every chart. */
import { chartColors, dashes, hueCount, type Meaning, meaningPlace, styleOf, type SeriesStyle } from './palette.ts'

/** Names that are drawn by what they mean: log severities, span statuses, HTTP status codes and their classes. */
const meaningful: readonly (readonly [names: RegExp, meaning: Meaning])[] = [
  [/^(fatal|critical|crit|emergency|emerg|alert|panic)$/i, 'critical'],
  [/^((status_code_)?err(or)?|severe|failed|failure|5xx|5\d\d)$/i, 'error'],
  [/^(warn(ing)?|4xx|4\d\d)$/i, 'warning'],
  [/^(info(rmation(al)?)?|notice|3xx|3\d\d)$/i, 'info'],
  [/^((status_code_)?ok|success(ful)?|2xx|2\d\d)$/i, 'success'],
  [/^(debug|trace|verbose|(status_code_)?unset|unspecified|1xx|1\d\d|\(none\))$/i, 'neutral'],
]

/** What a name means; null for one like any other. */
export function meaningOf(name: string): Meaning | null {
  return meaningful.find(([names]) => names.test(name.trim()))?.[1] ?? null
}

/** A colour and a dash as one number, so that looks can be compared: dashes count the rounds over all colours. */
type Look = number

const colorCount = chartColors.light.length
const rounds = dashes.map((_, round) => round)

/** The look of a single name by itself: its meaning, or a hue that its text decides. */
export function preferredLook(name: string): Look {
  const meaning = meaningOf(name)
  return meaning ? meaningPlace(meaning) : hash(name) % hueCount
}

export interface Named {
  id: string
  /** What decides the look. */
  name: string
}

interface Before {
  /** Looks that series had in the answer before; they keep them. */
  before?: ReadonlyMap<string, Look>
  /** Whether dashes can be seen; where not, two series never share a colour while another one is free. */
  dashed: boolean
}

/**
 * Looks by id. Each name takes the one that it has by itself; where two of one chart would look the same, the later
 * name takes the next free look. Beyond all looks (10 hues times 4 dashes), they repeat.
 */
export function assignLooks(series: readonly Named[], { before = new Map(), dashed }: Before): Map<string, Look> {
  const looks = new Map<string, Look>()
  for (const { id } of series) {
    const look = before.get(id)
    if (look !== undefined) looks.set(id, look)
  }
  const taken = new Set(looks.values())
  const newcomers = series.filter(({ id }) => !looks.has(id)).toSorted((a, b) => compare(a.name, b.name))
  for (const { id, name } of newcomers) {
    const look = candidates(name, dashed).find((one) => !taken.has(one)) ?? preferredLook(name)
    looks.set(id, look)
    taken.add(look)
  }
  return looks
}

function candidates(name: string, dashed: boolean): Look[] {
  const first = preferredLook(name)
  // Another dash keeps the meaning, but only where it can be seen.
  const meant = first < hueCount ? [] : (dashed ? rounds : [0]).map((round) => round * colorCount + first)
  const start = hash(name)
  const others = rounds.flatMap((round) =>
    Array.from({ length: hueCount }, (_, step) => round * colorCount + ((start + step) % hueCount)),
  )
  return [...meant, ...others]
}

export function lookStyle(look: Look, dashed: boolean): SeriesStyle {
  const dash = dashes[Math.floor(look / colorCount) % dashes.length] ?? []
  return styleOf(look % colorCount, dashed ? dash : [])
}

/** FNV-1a over the characters: stable, and short names spread well. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  // The lowest bits of short texts differ least.
  return (value ^ (value >>> 15)) >>> 0
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
