/** Which entries the palette shows, and in which order. */
import { hasId, matchesTerms, searchTerms, searchText } from '#console/ui/search.ts'

interface Rankable {
  id: string
  group: string
  label: string
  detail?: string
  /** Shown in place of the detail. */
  disabled?: string | undefined
  /** The ID of a record, which is found when its beginning is typed. */
  recordId?: string
}

interface PaletteGroup<Entry> {
  title: string
  /** The first of them. */
  entries: Entry[]
  /** Whether there are more. */
  isCut: boolean
}

/** Entries of a group that are shown: nobody reads hundreds, and each of them is drawn with every letter. */
const shownOfGroup = 40

/** Without a query: recents first, then every group. With one: by group, groups by their best entry. */
export function rank<Entry extends Rankable>(
  entries: readonly Entry[],
  query: string,
  recents: readonly string[],
): PaletteGroup<Entry>[] {
  if (query.trim() === '') {
    const recent = recents.flatMap((id) => entries.find((entry) => entry.id === id) ?? [])
    const rest = entries.filter((entry) => !recent.includes(entry))
    return grouped([...recent.map((entry) => ({ title: 'Recent', entry })), ...rest.map(titled)])
  }
  const found = entries
    .flatMap((entry) => {
      const points = pointsOf(entry, query)
      return points === null ? [] : [{ entry, points: points + (recents.includes(entry.id) ? 5 : 0) }]
    })
    .toSorted((a, b) => b.points - a.points)
  return grouped(found.map(({ entry }) => titled(entry)))
}

/** More than any text gets. */
const idPoints = 1000

/** Searches the displayed text of an entry, and IDs only if one is typed. */
function pointsOf({ label, detail = '', disabled, recordId }: Rankable, query: string): number | null {
  const text = searchText(label, recordId)
  if (hasId(text, query.trim().toLowerCase())) return idPoints
  const whole = `${text.shown} ${disabled ?? detail}`
  return score(query, text.shown) ?? lower(score(query, whole)) ?? wordScore(whole, query)
}

/** The lowest score, for a text with all words of the query in any order. */
function wordScore(shown: string, query: string): number | null {
  return matchesTerms({ shown: shown.toLowerCase(), ids: [] }, searchTerms(query)) ? 0 : null
}

const lower = (points: number | null) => (points === null ? null : points / 2)
const titled = <Entry extends Rankable>(entry: Entry) => ({ title: entry.group, entry })

function grouped<Entry>(titled: { title: string; entry: Entry }[]): PaletteGroup<Entry>[] {
  const groups = new Map<string, Entry[]>()
  for (const { title, entry } of titled) {
    const group = groups.get(title)
    if (group) group.push(entry)
    else groups.set(title, [entry])
  }
  return [...groups].map(([title, entries]) => ({
    title,
    entries: entries.slice(0, shownOfGroup),
    isCut: entries.length > shownOfGroup,
  }))
}

const wordStart = /[\s/:_.-]/

/**
 * Scores a text against a query: letters in order, better at the start of words or in sequence. Numbers match as a
 * whole. Null when a letter of the query is missing; the higher the better otherwise.
 */
export function score(query: string, text: string): number | null {
  // Digits that are scattered over a text are not the number that was typed.
  const parts = query.toLowerCase().match(/\d+|\S/g)
  if (!parts) return 0
  const inText = text.toLowerCase()
  const exact = inText.indexOf(query.trim().toLowerCase())
  if (exact !== -1) return 100 + (exact === 0 ? 50 : startsWord(inText, exact) ? 25 : 0) - inText.length / 100
  let points = 0
  let at = -1
  for (const part of parts) {
    const next = nextPlace(inText, part, at)
    if (next === -1) return null
    points += next === at + 1 ? 3 : startsWord(inText, next) ? 4 : 1
    at = next + part.length - 1
  }
  return points - inText.length / 100
}

/** The next place of a letter or number: directly after the last one, or at the start of a word, or else anywhere. */
function nextPlace(text: string, part: string, after: number): number {
  if (text.startsWith(part, after + 1)) return after + 1
  for (let at = after + 1; at < text.length; at++) {
    if (text.startsWith(part, at) && startsWord(text, at)) return at
  }
  return text.indexOf(part, after + 1)
}

function startsWord(text: string, at: number): boolean {
  return at === 0 || wordStart.test(text[at - 1] ?? '')
}
