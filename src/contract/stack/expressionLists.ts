/** Lists of expressions in one text, such as the group by of a tile, separated by commas outside of brackets and quotes. */

const closing: Record<string, string> = { '(': ')', '[': ']', '{': '}' }

/** `ServiceName, LogAttributes['a,b'], round(x, 2)` -> three expressions, trimmed, none empty. */
export function splitExpressions(text: string): string[] {
  return readList(text).parts
}

/** The parts of a list, trimmed. One that has nothing between its commas is empty. */
export function splitList(text: string): string[] {
  return readParts(text, 0).parts
}

/**
 * The parts of a list, trimmed, none empty, from a position on: to the end of the text, or to the closing bracket.
 * `end` is the position of that bracket, or -1 without one.
 */
export function readList(text: string, from = 0, close?: ')'): { parts: string[]; end: number } {
  const { parts, end } = readParts(text, from, close)
  return { parts: parts.filter((part) => part !== ''), end }
}

function readParts(text: string, from: number, close?: ')'): { parts: string[]; end: number } {
  const parts: string[] = []
  const open: string[] = []
  let quote: string | null = null
  let part = ''
  let end = -1
  for (let at = from; at < text.length; at++) {
    const char = text[at]!
    if (quote !== null && char === '\\') {
      part += char + (text[++at] ?? '')
      continue
    }
    if (quote !== null) quote = char === quote ? null : quote
    else if (char === "'" || char === '"' || char === '`') quote = char
    else if (char === close && open.length === 0) {
      end = at
      break
    } else if (closing[char]) open.push(closing[char])
    else if (char === open.at(-1)) open.pop()
    else if (char === ',' && open.length === 0) {
      parts.push(part)
      part = ''
      continue
    }
    part += char
  }
  return { parts: [...parts, part].map((expression) => expression.trim()), end }
}
