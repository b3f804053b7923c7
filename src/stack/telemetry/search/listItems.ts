/** Splits the lists of a search: the columns of `select` and the terms of `orderBy`. */
import { splitList } from '#contract/expressionLists.ts'
import { ExpressionError } from '../expression/lexical.ts'

/** At most this many columns, or terms of an order. */
const maxItems = 200

/** Parts between commas that are not in brackets or quotes. @throws ExpressionError */
export function listItems(text: string): string[] {
  if (text.trim() === '') return []
  const items = splitList(text)
  if (items.includes('')) throw new ExpressionError('an item is empty: remove the extra comma', 'SYNTAX_ERROR')
  if (items.length > maxItems) throw new ExpressionError(`at most ${maxItems} items are allowed`)
  return items
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
