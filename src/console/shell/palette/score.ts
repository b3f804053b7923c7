/** How well a query fits a text: letters in order, better when they begin words or follow each other. */

const wordStart = /[\s/:_.-]/

/** Null when a letter of the query is missing; the higher the better otherwise. */
export function score(query: string, text: string): number | null {
  const wanted = query.toLowerCase().replace(/\s+/g, '')
  if (wanted === '') return 0
  const inText = text.toLowerCase()
  const whole = inText.indexOf(query.trim().toLowerCase())
  if (whole !== -1) return 100 + (whole === 0 ? 50 : startsWord(inText, whole) ? 25 : 0) - inText.length / 100
  let points = 0
  let at = -1
  for (const letter of wanted) {
    const next = nextPlace(inText, letter, at)
    if (next === -1) return null
    points += next === at + 1 ? 3 : startsWord(inText, next) ? 4 : 1
    at = next
  }
  return points - inText.length / 100
}

/** The next place of a letter: directly after the last one, or at the start of a word, or else anywhere. */
function nextPlace(text: string, letter: string, after: number): number {
  if (text[after + 1] === letter) return after + 1
  for (let at = after + 1; at < text.length; at++) {
    if (text[at] === letter && startsWord(text, at)) return at
  }
  return text.indexOf(letter, after + 1)
}

function startsWord(text: string, at: number): boolean {
  return at === 0 || wordStart.test(text[at - 1] ?? '')
}
