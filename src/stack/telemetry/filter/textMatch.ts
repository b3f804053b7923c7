/** Compares texts in any case: ASCII by the engine's fastest functions, other scripts by regular expressions. */
import type { Bindings } from '../bindings.ts'

/** SQL that is true for a text that consists of the pieces, with anything between them. */
export function piecesSql(sql: string, pieces: readonly string[], bindings: Bindings): string {
  if (pieces.every(isAscii)) return `${sql} ILIKE ${bindings.bind(likePattern(pieces), 'String')}`
  const start = pieces[0] === '' ? '' : String.raw`\A`
  const end = pieces.at(-1) === '' ? '' : String.raw`\z`
  const inner = pieces.slice(start === '' ? 1 : 0, end === '' ? -1 : undefined)
  return matchesSql(sql, start + inner.map(literal).join('.*') + end, bindings)
}

/** SQL that is true for a text that contains the words, next to each other. */
export function wordsSql(sql: string, text: string, bindings: Bindings): string {
  // Alone: a second condition that is cheaper makes the two together dearer than this one.
  if (!isAscii(text)) return matchesSql(sql, wholeWords(text), bindings)
  const words = text.split(/[^A-Za-z0-9]+/).filter((word) => word !== '')
  const conditions = words.map((word) => `hasTokenCaseInsensitive(${sql}, ${bindings.bind(word, 'String')})`)
  if (words[0] !== text) conditions.push(piecesSql(sql, ['', text, ''], bindings))
  return conditions.length === 1 ? conditions.join('') : `(${conditions.join(' AND ')})`
}

/** ILIKE and the functions on tokens compare the case of ASCII alone, or not of every letter beyond. */
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
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const wordCharacter = /[\p{L}\p{M}\p{N}]/u

/** The text where neither end is within a word. */
function wholeWords(text: string): string {
  const characters = [...text]
  const isEdge = (character = '') => wordCharacter.test(character) && !unspaced.test(character)
  const start = isEdge(characters[0]) ? String.raw`(?:\A|[^\pL\pM\pN])` : ''
  const end = isEdge(characters.at(-1)) ? String.raw`(?:\z|[^\pL\pM\pN])` : ''
  return start + literal(text) + end
}
