/** Converts the tree of a filter to SQL. Its texts are bound, never concatenated. */
import type { Bindings } from '../bindings.ts'
import type { Columns } from '../tableLayout.ts'
import { fieldValue, missingField, type Value } from '../fieldExpressions.ts'
import { likePattern, matchSql } from './matchSql.ts'
import { parseFilter } from './parseFilter.ts'
import { FilterError, type FilterNode, type Term } from './filterSyntax.ts'

export interface FilterScope {
  columns: Columns
  /** Where bare text is searched; undefined to refuse bare text. */
  body: Value | undefined
  bindings: Bindings
}

/** The condition of a filter; undefined if it is blank. @throws FilterError */
export function filterSql(text: string, scope: FilterScope): string | undefined {
  const node = parseFilter(text)
  return node ? nodeSql(node, scope) : undefined
}

function nodeSql(node: FilterNode, scope: FilterScope): string {
  switch (node.kind) {
    case 'term':
      return node.field === null
        ? bareSql(node, scope)
        : matchSql(valueOf(node, node.field, scope), node, scope.bindings)
    case 'not':
      return `NOT (${nodeSql(node.node, scope)})`
    default:
      return `(${node.nodes.map((child) => nodeSql(child, scope)).join(node.kind === 'and' ? ' AND ' : ' OR ')})`
  }
}

function valueOf(term: Term, field: string, { columns, bindings }: FilterScope): Value {
  const value = fieldValue(field, columns, bindings)
  if (value) return value
  throw new FilterError(missingField(field, columns), term.position, 'UNKNOWN_IDENTIFIER')
}

/** Text without a field: whole words in any case; with wildcards, the body as a whole. */
function bareSql(term: Term, { body, bindings }: FilterScope): string {
  const { matcher, position } = term
  if (matcher.kind === 'compare' || matcher.kind === 'range') {
    throw new FilterError('a comparison needs a field, such as Duration:>500', position)
  }
  if (!body) throw new FilterError('this source has no body to search: use a field, as in MetricName:cpu', position)
  if (matcher.kind === 'word' && matcher.pieces.length > 1) {
    if (matcher.pieces.every((piece) => piece === '')) return 'true'
    return `${body.sql} ILIKE ${likePattern(matcher.pieces, bindings)}`
  }
  const text = matcher.kind === 'word' ? matcher.pieces.join('') : matcher.text
  const words = text.split(/[^A-Za-z0-9\u0080-\u{10ffff}]+/u).filter((word) => word !== '')
  const conditions = words.map((word) => `hasTokenCaseInsensitive(${body.sql}, ${bindings.bind(word, 'String')})`)
  if (words[0] !== text) conditions.push(`${body.sql} ILIKE ${likePattern(['', text, ''], bindings)}`)
  return conditions.length === 1 ? conditions.join('') : `(${conditions.join(' AND ')})`
}
