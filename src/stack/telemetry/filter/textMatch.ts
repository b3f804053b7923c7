/** Compares texts in any case: ASCII by the engine's fastest functions, other scripts by regular expressions. */
import type { Bindings } from '../bindings.ts'
import type { Value } from '../fieldExpressions.ts'

/** SQL that is true for a text that consists of the pieces, with anything between them. */
export function piecesSql(value: Value, pieces: readonly string[], bindings: Bindings): string {
  return allOf([...wordConditions(value, pieces, bindings), exactPieces(value, pieces, bindings)])
}

function exactPieces({ sql, key }: Value, pieces: readonly string[], bindings: Bindings): string {
  if (pieces.every(isAscii)) {
    // The engine looks for such a pattern in an index on the values of the map.
    if (key) return `${sql} ILIKE ${bindings.bind(likePattern(pieces), 'String')}`
    const [first, text = '', last] = pieces
    const isWithin = pieces.length === 3 && first === '' && last === ''
    if (isWithin) return `positionCaseInsensitive(${sql}, ${bindings.bind(text, 'String')}) > 0`
    return `lower(${sql}) LIKE ${bindings.bind(lowerAscii(likePattern(pieces)), 'String')}`
  }
  const start = pieces[0] === '' ? '' : String.raw`\A`
  const end = pieces.at(-1) === '' ? '' : String.raw`\z`
  const inner = pieces.slice(start === '' ? 1 : 0, end === '' ? -1 : undefined)
  return matchesSql(sql, start + inner.map(literal).join('.*') + end, bindings)
}

/** SQL that is true for a text that contains the words, next to each other. */
export function wordsSql(value: Value, text: string, bindings: Bindings): string {
  // To the functions on tokens, a sign beyond ASCII is a part of the word beside it: the text itself is not at the edge of one.
  return allOf([...wordConditions(value, ['', text, ''], bindings), exactWords(value, text, bindings)])
}

function exactWords(value: Value, text: string, bindings: Bindings): string {
  const { sql } = value
  // Alone: a second condition that is cheaper makes the two together dearer than this one.
  if (!isAscii(text)) return matchesSql(sql, wholeWords(text), bindings)
  const words = text.split(/[^A-Za-z0-9]+/).filter((word) => word !== '')
  const conditions = words.map((word) => `hasTokenCaseInsensitive(${sql}, ${bindings.bind(word, 'String')})`)
  const isPart = exactPieces(value, ['', text, ''], bindings)
  if (words[0] !== text) conditions.push(isPart)
  const isFound = conditions.join(' AND ')
  if (words.length === 0) return isFound
  const hasOthers = `length(${sql}) != lengthUTF8(${sql})`
  return `(${isFound} OR ${hasOthers} AND ${isPart} AND ${matchesSql(sql, wholeWords(text), bindings)})`
}

function allOf(conditions: readonly string[]): string {
  return conditions.length === 1 ? conditions.join('') : `(${conditions.join(' AND ')})`
}

/** The functions for ASCII compare the case of its letters alone. */
// oxlint-disable-next-line no-control-regex
const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text)

function likePattern(pieces: readonly string[]): string {
  return pieces.map((piece) => piece.replaceAll(/[\\%_]/g, String.raw`\$&`)).join('%')
}

function matchesSql(sql: string, pattern: string, bindings: Bindings): string {
  return `match(${sql}, ${bindings.bind(`(?is)${pattern}`, 'String')})`
}

/** A text as a part of a regular expression. */
const literal = (text: string): string =>
  text.replaceAll(/[!-/:-@[-`{-~]/g, String.raw`\$&`).replaceAll('\0', String.raw`\x00`)

/** Scripts whose words have no space between them. */
const unspacedScripts = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar']
const unspaced = new RegExp(`[${unspacedScripts.map((script) => `\\p{Script=${script}}`).join('')}]`, 'u')
/** Separators of words: any sign, and the characters of those scripts. */
const between = String.raw`[^\pL\pM\pN]|[${unspacedScripts.map((script) => `\\p{${script}}`).join('')}]`
const wordCharacter = /[\p{L}\p{M}\p{N}]/u

/** The text where neither end is within a word. */
function wholeWords(text: string): string {
  const characters = [...text]
  const isEdge = (character = '') => wordCharacter.test(character) && !unspaced.test(character)
  const start = isEdge(characters[0]) ? String.raw`(?:\A|${between})` : ''
  const end = isEdge(characters.at(-1)) ? String.raw`(?:\z|${between})` : ''
  return start + literal(text) + end
}

/** The engine does not look for shorter texts in the words of an index. */
const shortestPart = 4
const maxWords = 8

/**
 * Conditions that an index on the words of a column answers. They only say what every text with the pieces satisfies, so they
 * stand beside the exact condition and change nothing of what it finds.
 * @param pieces of the text, with anything between them: a word at the edge of one may go on beyond it
 * @returns nothing for a value without such an index
 */
function wordConditions({ sql, type }: Value, pieces: readonly string[], bindings: Bindings): string[] {
  if (type.kind !== 'text' || type.words === undefined) return []
  const { words, parts } = wordsOf(pieces)
  const lowered = `lower(${sql})`
  if (words.length > 0) {
    const longest = words.toSorted((a, b) => b.length - a.length).slice(0, maxWords)
    return longest.map((word) => `hasToken(${lowered}, ${bindings.bind(word, 'String')})`)
  }
  if (type.words === 'bloom') return []
  // One is enough: the engine reads all words of the index for it.
  const [part] = parts
    .filter((candidate) => lengthOf(candidate) >= shortestPart)
    .toSorted((a, b) => lengthOf(b) - lengthOf(a))
  return part === undefined ? [] : [`${lowered} LIKE ${bindings.bind(`%${part}%`, 'String')}`]
}

const lengthOf = (text: string): number => [...text].length

/** The whole words of the pieces, and parts of others. To an index, words end at signs of ASCII. */
function wordsOf(pieces: readonly string[]): { words: string[]; parts: string[] } {
  const areAscii = pieces.every(isAscii)
  const words = new Set<string>()
  const parts = new Set<string>()
  for (const [at, piece] of pieces.entries()) {
    const runs = piece.split(asciiSigns)
    for (const [place, run] of runs.entries()) {
      const isOpen = (place === 0 && at > 0) || (place === runs.length - 1 && at < pieces.length - 1)
      const lowered = lowerAscii(run)
      const kept = areAscii ? [lowered].filter(Boolean) : (lowered.match(withoutCase) ?? [])
      if (!isOpen && kept.length === 1 && kept[0] === lowered && isAscii(lowered)) words.add(lowered)
      else for (const part of kept) parts.add(part)
    }
  }
  return { words: [...words], parts: [...parts] }
}

/** Equals the engine's `lower`. */
const lowerAscii = (text: string): string => text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())

// oxlint-disable-next-line no-control-regex
const asciiSigns = /[\0-/:-@[-`{-\x7f]+/
/** To a regular expression, k and s have a third form beyond ASCII. Other letters have no case, such as those of Han. */
const withoutCase = /[0-9a-jl-rt-z\p{Lo}]+/gu
