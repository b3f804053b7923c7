/**
 * Groups messages that differ only in their values: `order 17 placed` and `order 18 placed` become `order <*> placed`. Values
 * that are recognized by themselves are replaced first; messages of the same number of words whose other words are mostly the
 * same are then one pattern, as in Drain (He et al., 2017).
 */

export interface MessagePattern {
  /** `<*>` in the place of each value. */
  pattern: string
  /** The places of its messages in the list, in their order; at least one. */
  places: [number, ...number[]]
}

const value = '<*>'
/** Characters that are compared of a message. */
const longest = 1000
/** Patterns of one length and first word that a message is compared with. */
const compared = 60
/** The share of words that have to be the same. */
const similar = 0.6
/** Pieces of a pattern to filter by. */
const maxPieces = 20

/** The patterns of messages, the commonest first. */
export function messagePatterns(messages: readonly string[]): MessagePattern[] {
  const groups = new Map<string, Draft[]>()
  for (const [at, message] of messages.entries()) {
    const words = wordsWithPlaceholders(message)
    const key = `${words.length} ${words[0] ?? ''}`
    const drafts = groups.get(key) ?? []
    groups.set(key, drafts)
    // Many messages that have nothing in common are not compared with all of the others.
    const known = drafts.slice(0, compared).find((draft) => isSimilar(draft.words, words))
    if (known) {
      known.words = known.words.map((word, place) => (word === words[place] ? word : value))
      known.places.push(at)
    } else drafts.push({ words, places: [at] })
  }
  return merged([...groups.values()].flat()).toSorted(
    (a, b) => b.places.length - a.places.length || a.places[0] - b.places[0],
  )
}

/**
 * The texts that all messages of a pattern have, one after the other with anything between them, to filter by. An empty one at
 * the start or the end stands for anything there. Only letters, digits and few signs are in them, which no filter has to escape.
 *
 * @param messages those of the pattern
 * @returns null where they have no letters or digits in common
 */
export function commonPieces(pattern: string, messages: readonly string[]): string[] | null {
  const all = pattern.split(/[^\p{L}\p{N}_.@/'-]+/u)
  const pieces = all.length > maxPieces ? [...all.slice(0, maxPieces), ''] : all
  if (!pieces.some((piece) => /[\p{L}\p{N}]/u.test(piece))) return null
  // The words of a pattern are without the space around them.
  if (pieces[0] !== '' && messages.some((message) => /^\s/.test(message))) pieces.unshift('')
  if (pieces.at(-1) !== '' && messages.some((message) => /\s$/.test(message))) pieces.push('')
  return pieces
}

interface Draft {
  words: string[]
  places: MessagePattern['places']
}

/** Words that are values by themselves: quoted, or with a digit; and what is left out of a long message. */
function wordsWithPlaceholders(message: string): string[] {
  const words = masked(message.slice(0, longest))
  return message.length > longest ? [...words.slice(0, -1), value] : words
}

function masked(text: string): string[] {
  return text
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
  for (const { words, places } of drafts) {
    const pattern = words.join(' ')
    const known = patterns.get(pattern)
    patterns.set(pattern, { pattern, places: known ? inOrder([...known.places, ...places]) : places })
  }
  return [...patterns.values()]
}

function inOrder([first, ...others]: MessagePattern['places']): MessagePattern['places'] {
  const [least = first, ...rest] = [first, ...others].toSorted((a, b) => a - b)
  return [least, ...rest]
}
