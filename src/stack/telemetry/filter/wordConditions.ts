/**
 * Conditions that an index on the words of a column answers. They only say what every text with the pieces satisfies, so they
 * stand beside the exact condition and change nothing of what it finds.
 */
import type { Bindings } from '../bindings.ts'
import type { Value } from '../fieldExpressions.ts'

/** The engine does not look for shorter texts in the words of an index. */
const shortestPart = 4
const mostWords = 8

/**
 * @param pieces of the text, with anything between them: a word at the edge of one may go on beyond it
 * @returns nothing for a value without such an index
 */
export function wordConditions({ sql, type }: Value, pieces: readonly string[], bindings: Bindings): string[] {
  if (type.kind !== 'text' || type.words === undefined) return []
  const { words, parts } = wordsOf(pieces)
  const lowered = `lower(${sql})`
  if (words.length > 0) {
    const longest = words.toSorted((a, b) => b.length - a.length).slice(0, mostWords)
    return longest.map((word) => `hasToken(${lowered}, ${bindings.bind(word, 'String')})`)
  }
  if (type.words === 'bloom') return []
  // One is enough: the engine reads all words of the index for it.
  const [part] = parts.filter((one) => lengthOf(one) >= shortestPart).toSorted((a, b) => lengthOf(b) - lengthOf(a))
  return part === undefined ? [] : [`${lowered} LIKE ${bindings.bind(`%${part}%`, 'String')}`]
}

const lengthOf = (text: string): number => [...text].length

/** The whole words of the pieces, and parts of others. To an index, words end at signs of ASCII. */
function wordsOf(pieces: readonly string[]): { words: string[]; parts: string[] } {
  const isAscii = pieces.every((piece) => ascii.test(piece))
  const words = new Set<string>()
  const parts = new Set<string>()
  for (const [at, piece] of pieces.entries()) {
    const runs = piece.split(asciiSigns)
    for (const [place, run] of runs.entries()) {
      const isOpen = (place === 0 && at > 0) || (place === runs.length - 1 && at < pieces.length - 1)
      const lowered = lowerAscii(run)
      const kept = isAscii ? [lowered].filter(Boolean) : (lowered.match(withoutCase) ?? [])
      if (!isOpen && kept.length === 1 && kept[0] === lowered && ascii.test(lowered)) words.add(lowered)
      else for (const part of kept) parts.add(part)
    }
  }
  return { words: [...words], parts: [...parts] }
}

/** As the engine's `lower`. */
export const lowerAscii = (text: string): string => text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())

// oxlint-disable-next-line no-control-regex
const ascii = /^[\0-\x7f]*$/
// oxlint-disable-next-line no-control-regex
const asciiSigns = /[\0-/:-@[-`{-\x7f]+/
/** To a regular expression, k and s have a third form beyond ASCII. Other letters have no case, such as those of Han. */
const withoutCase = /[0-9a-jl-rt-z\p{Lo}]+/gu
