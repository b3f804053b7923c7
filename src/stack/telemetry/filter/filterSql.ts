/** Converts the tree of a filter to SQL. Its texts are bound, never concatenated. */
import type { Columns } from '../tableLayout.ts'
import type { FieldKind } from '#domain/query/fieldNames.ts'
import { FilterError, type FilterNode, type Term } from '#domain/query/filterSyntax.ts'
import { parseFilter } from '#domain/query/parseFilter.ts'
import { Bindings } from '../bindings.ts'
import { fieldValue, isSimilar, missingField, type Value } from '../fieldExpressions.ts'
import { matchSql, neverNull } from './matchSql.ts'
import { piecesSql, wordsSql } from './textMatch.ts'

export interface FilterScope {
  columns: Columns
  /** Where text without a field is searched, in any of them. Without one, such text is refused. */
  searched: readonly Value[]
  bindings: Bindings
}

interface NodeScope extends FilterScope {
  /** Within NOT, an index finds nothing: conditions for one would only cost. */
  negated?: boolean
}

/** The condition of a filter; undefined if it is blank. @throws FilterError */
export function filterSql(text: string, scope: FilterScope): string | undefined {
  const node = readFilter(text, scope.columns)
  return node ? nodeSql(node, scope) : undefined
}

/** The tree of a filter on a table; null if it is blank. @throws FilterError */
export function readFilter(text: string, columns: Columns): FilterNode | null {
  try {
    return parseFilter(text, fieldKinds(columns))
  } catch (error) {
    if (!(error instanceof FilterError) || error.field === undefined || hasField(error.field, columns)) throw error
    throw unknownField(error.field, columns, error.position)
  }
}

const hasField = (name: string, columns: Columns): boolean => fieldValue(name, columns, new Bindings()) !== undefined

const fieldKinds =
  (columns: Columns): FieldKind =>
  (name) => {
    if (hasField(name, columns)) return 'field'
    return isSimilar(name, columns) ? 'similar' : undefined
  }

function unknownField(field: string, columns: Columns, position: number): FilterError {
  return new FilterError(missingField(field, columns), position, { type: 'UNKNOWN_IDENTIFIER' })
}

function nodeSql(node: FilterNode, scope: NodeScope): string {
  switch (node.kind) {
    case 'term':
      return node.field === null
        ? bareSql(node, scope)
        : matchSql(valueOf(node, node.field, scope), node, scope.bindings)
    case 'not':
      return `NOT (${nodeSql(node.node, { ...scope, negated: true })})`
    default:
      return `(${node.nodes.map((child) => nodeSql(child, scope)).join(node.kind === 'and' ? ' AND ' : ' OR ')})`
  }
}

function valueOf(term: Term, field: string, { columns, bindings, negated }: NodeScope): Value {
  const value = fieldValue(field, columns, bindings)
  if (value) return negated ? withoutIndex(value) : value
  throw unknownField(field, columns, term.position)
}

/** Text without a field: whole words in any case; with wildcards, the text as a whole. */
function bareSql(term: Term, { searched, bindings, negated }: NodeScope): string {
  const { matcher, position } = term
  if (matcher.kind === 'compare' || matcher.kind === 'range') {
    throw new FilterError('a comparison needs a field, such as Duration:>500', position)
  }
  if (searched.length === 0) {
    throw new FilterError('this source has no body to search: use a field, as in MetricName:cpu', position)
  }
  const isPattern = matcher.kind === 'word' && matcher.pieces.length > 1
  if (isPattern && matcher.pieces.every((piece) => piece === '')) return 'true'
  const conditions = searched.map((target) => {
    const value = negated ? withoutIndex(target) : target
    const condition = isPattern
      ? piecesSql(value, matcher.pieces, bindings)
      : wordsSql(value, matcher.kind === 'phrase' ? matcher.text : matcher.pieces.join(''), bindings)
    return neverNull(condition, value.type)
  })
  return conditions.length === 1 ? conditions.join('') : `(${conditions.join(' OR ')})`
}

function withoutIndex({ sql, type, key }: Value): Value {
  const plain = type.kind === 'text' ? { ...type, words: undefined } : type
  return { sql, type: plain, ...(key && { key: { of: key.of } }) }
}
