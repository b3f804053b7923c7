/** Splits the lists of a search: the columns of `select` and the terms of `orderBy`. */
import { splitList } from '#contract/stack/expressionLists.ts'
import { ExpressionError } from '#domain/query/sqlLexical.ts'

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

const aliased = /\sAS\s+(?:([A-Za-z_]\w*)|`([^`\\]+)`|"([^"\\]+)")$/i

export function readColumn(item: string): Column {
  const [expression, ...names] = withoutEnding(item, aliased)
  return { expression, alias: names.find((name) => name !== undefined) }
}

export interface OrderTerm {
  expression: string
  /** The suffix of the expression: ASC or DESC, and where nulls are. */
  direction: string
}

export function readOrderTerm(item: string): OrderTerm {
  const [whole, nulls] = withoutEnding(item, /\sNULLS\s+(FIRST|LAST)$/i)
  const [expression, direction = 'ASC'] = withoutEnding(whole, /\s(ASC|DESC)$/i)
  return { expression, direction: direction.toUpperCase() + (nulls ? ` NULLS ${nulls.toUpperCase()}` : '') }
}

/** @returns the text before an ending and the groups of the ending; the whole item if it has no ending or nothing else */
function withoutEnding(item: string, ending: RegExp): [string, ...(string | undefined)[]] {
  const found = ending.exec(item)
  const before = found ? item.slice(0, found.index).trimEnd() : ''
  return found && before !== '' ? [before, ...found.slice(1)] : [item]
}
