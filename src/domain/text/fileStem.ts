import { withoutEnd } from './withoutEnd.ts'

/** Other characters are replaced, because no system refuses letters and digits in the name of a file. */
const words = /[\p{L}\p{N}]+/gu
const wordsAndMarks = /[\p{L}\p{N}._]+/gu

/**
 * The name of a file without its ending, from a text of people: its words, with hyphens between them. Empty for a text
 * without letters and digits.
 * @param most characters
 * @param keepsMarks whether full stops and underscores stay, except at the beginning and the end
 */
export function fileStem(text: string, most: number, { keepsMarks = false } = {}): string {
  const stem = (text.match(keepsMarks ? wordsAndMarks : words) ?? []).join('-')
  return withoutEnd(stem.replace(/^[-.]+/, ''), /[-.]/).slice(0, most)
}
