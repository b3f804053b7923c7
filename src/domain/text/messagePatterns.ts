/**
 * Groups messages that differ only in their values: `order 17 placed` and `order 18 placed` become `order <*> placed`. Values
 * that are recognized by themselves are replaced first; messages of the same number of words whose other words are mostly the
 * same are then one pattern, as in Drain (He et al., 2017).
 */

export interface MessagePattern {
  /** `<*>` in the place of each value. */
  pattern: string
  count: number
  /** The place of its first message in the list. */
  first: number
}

const value = '<*>'
/** Characters that are compared of a message. */
const longest = 1000
/** Patterns of one length and first word that a message is compared with. */
const compared = 60
/** The share of words that have to be the same. */
const similar = 0.6

/** The patterns of messages, the commonest first. */
export function messagePatterns(messages: readonly string[]): MessagePattern[] {
  const groups = new Map<string, Draft[]>()
  for (const [at, message] of messages.entries()) {
    const words = maskedWords(message)
    const key = `${words.length} ${words[0] ?? ''}`
    const drafts = groups.get(key) ?? []
    groups.set(key, drafts)
    // Many messages that have nothing in common are not compared with all of the others.
    const known = drafts.slice(0, compared).find((draft) => isSimilar(draft.words, words))
    if (known) {
      known.words = known.words.map((word, place) => (word === words[place] ? word : value))
      known.count += 1
    } else drafts.push({ words, count: 1, first: at })
  }
  return merged([...groups.values()].flat()).toSorted((a, b) => b.count - a.count || a.first - b.first)
}

interface Draft {
  words: string[]
  count: number
  first: number
}

/** Words that are values by themselves: quoted, or with a digit. */
function maskedWords(message: string): string[] {
  return message
    .slice(0, longest)
    .replace(/"[^"]*"/g, `"${value}"`)
    .replace(/[\p{L}\p{N}_.:-]+/gu, (word) => (/\p{N}/u.test(word) ? value : word))
    .split(/\s+/)
    .filter((word) => word !== '')
}

/** The first words are the same already. Two places of values are the same. */
function isSimilar(a: readonly string[], b: readonly string[]): boolean {
  const same = a.filter((word, at) => word === b[at]).length
  return a.length === 0 || same / a.length >= similar
}

/** Patterns that became the same when their words were replaced. */
function merged(drafts: readonly Draft[]): MessagePattern[] {
  const patterns = new Map<string, MessagePattern>()
  for (const { words, count, first } of drafts) {
    const pattern = words.join(' ')
    const known = patterns.get(pattern)
    if (known) patterns.set(pattern, { pattern, count: known.count + count, first: Math.min(known.first, first) })
    else patterns.set(pattern, { pattern, count, first })
  }
  return [...patterns.values()]
}
