/** Searching in lists: words in the displayed text, IDs only if an ID is typed. */

/** Ids as deployments write them: 24 hexadecimal digits, or a UUID. */
const wholeIds = /\b(?:[0-9a-f]{24}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\b/g

/** The beginning of either, of at least six digits: fewer are a number or a word. */
const idStart = /^(?:[0-9a-f]{6,24}|[0-9a-f]{8}-[0-9a-f]{0,4}(?:-[0-9a-f]{0,12}){0,3})$/

/** The text that a search looks through, in lower case. */
export interface SearchText {
  /** The shown text, without the ids in it. */
  shown: string
  ids: readonly string[]
}

/** The text of a row or entry: its displayed text, and its ID, which need not be displayed. */
export function searchText(shown: string, ownId?: string): SearchText {
  const lower = shown.toLowerCase()
  const ids = lower.match(wholeIds) ?? []
  return {
    shown: ids.length === 0 ? lower : lower.replace(wholeIds, ''),
    ids: ownId === undefined ? ids : [ownId.toLowerCase(), ...ids],
  }
}

/** The typed text, word by word. */
export function searchTerms(typed: string): string[] {
  return typed
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
}

/** Whether the text contains every word, in any order. */
export function matchesTerms(text: SearchText, words: readonly string[]): boolean {
  return words.every((word) => text.shown.includes(word) || hasId(text, word))
}

/** Whether a word is the beginning of one of the ids, and long enough to be meant as one. */
export function hasId({ ids }: SearchText, word: string): boolean {
  return idStart.test(word) && ids.some((id) => id.startsWith(word))
}
