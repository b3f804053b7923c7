/** Cuts texts to a length, on whole characters as people see them. */

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** At most `length` UTF-16 units, the last of which may be an ellipsis. */
export function shortened(text: string, length: number): string {
  if (text.length <= length) return text
  return length < 1 ? '' : `${beginning(text, length - 1)}…`
}

/** The longest beginning of at most `length` UTF-16 units. A single character that is longer is cut between code points. */
function beginning(text: string, length: number): string {
  // A character further back than this has no end that matters.
  const from = Math.max(0, length - 200)
  const near = text.slice(from, length + 200)
  const at = from + (characters.segment(near).containing(length - from)?.index ?? near.length)
  return text.slice(0, at > from || (from === 0 && at > 0) ? at : length).replace(/[\uD800-\uDBFF]$/, '')
}

const fence = '```'

/** A shorter text that ends with a whole entity or escape, and outside of a code block. */
export function cutMarkup(text: string, length: number): string {
  if (text.length <= length) return text
  const cut = wholeMarks(shortened(text, length))
  if (!isOpen(cut)) return cut
  const shorter = wholeMarks(shortened(text, Math.max(1, length - fence.length - 1)))
  return isOpen(shorter) ? `${shorter}\n${fence}` : shorter
}

const isOpen = (text: string): boolean => text.split(fence).length % 2 === 0

/** The text without the beginning of an entity or escape, or of a fence, before its ellipsis. */
const wholeMarks = (text: string): string =>
  text
    .replace(/&[a-z]{0,3}…$/, '…')
    .replace(/(?<!`)`{1,2}…$/, '…')
    .replace(/(?<!\\)((?:\\\\)*)\\…$/, '$1…')
