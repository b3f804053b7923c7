/**
 * Scores a text against a query: letters in order, better at the start of words or in sequence. Numbers match as a
 * whole.
 */

const wordStart = /[\s/:_.-]/

/** Null when a letter of the query is missing; the higher the better otherwise. */
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
