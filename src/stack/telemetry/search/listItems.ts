/** Splits the lists of a search: the columns of `select` and the terms of `orderBy`. */
import { ExpressionError } from '../expression/lexical.ts'

/** At most this many columns, or terms of an order. */
const maxItems = 200

const closing: Record<string, string> = { '(': ')', '[': ']' }

/** Parts between commas that are not in brackets or quotes. @throws ExpressionError */
export function listItems(text: string): string[] {
  if (text.trim() === '') return []
  const items: string[] = []
  let start = 0
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? ''
    if (/['"`]/.test(character)) at = endOfQuote(text, at)
    else if (closing[character]) depth++
    else if (character === ')' || character === ']') depth--
    else if (character === ',' && depth === 0) {
      items.push(text.slice(start, at))
      start = at + 1
    }
  }
  const all = [...items, text.slice(start)].map((item) => item.trim())
  if (all.some((item) => item === ''))
    throw new ExpressionError('an item is empty: remove the extra comma', 'SYNTAX_ERROR')
  if (all.length > maxItems) throw new ExpressionError(`at most ${maxItems} items are allowed`)
  return all
}

/** Offset of the quote that ends what begins at `start`, or the end of the text. */
function endOfQuote(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === text[start]) return at
  }
  return text.length
}

export interface Column {
  expression: string
  /** The name after AS. */
  alias: string | undefined
}

const aliased = /^(.+?)\s+AS\s+(?:([A-Za-z_]\w*)|`([^`\\]+)`|"([^"\\]+)")$/is

export function readColumn(item: string): Column {
  const [, expression, ...names] = aliased.exec(item) ?? []
  return expression === undefined
    ? { expression: item, alias: undefined }
    : { expression, alias: names.find((name) => name !== undefined) }
}

export interface OrderTerm {
  expression: string
  /** What follows the expression: ASC or DESC, and where nulls are. */
  direction: string
}

const ordered = /^(.+?)(?:\s+(ASC|DESC))?(?:\s+NULLS\s+(FIRST|LAST))?$/is

export function readOrderTerm(item: string): OrderTerm {
  const [, expression = item, direction = 'ASC', nulls] = ordered.exec(item) ?? []
  return { expression, direction: direction.toUpperCase() + (nulls ? ` NULLS ${nulls.toUpperCase()}` : '') }
}
