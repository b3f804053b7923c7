/** Conditions of the field:value language as SQL, where a query has a condition in SQL already: a query has one language. */
import type { Source } from '#contract/stack/sources.ts'
import { searchedExpressions } from '#contract/stack/sourceExpressions.ts'
import { requirements } from '#domain/query/conditions.ts'
import { fieldOf } from '#domain/query/fieldNames.ts'
import type { FilterNode, Matcher, Term } from '#domain/query/filterSyntax.ts'
import { printFilter } from '#domain/query/printFilter.ts'
import { sqlValues } from '#domain/query/sqlValues.ts'
import { fieldsOf } from '../fields.ts'
import { readCondition } from '../conditions/readCondition.ts'
import type { ConditionAsSql } from '../conditions/combinedCondition.ts'

/**
 * Finds what the condition finds in the tables of a source. A part on a column whose type is not known is left out, and so
 * is a condition that is invalid.
 */
export function conditionAsSql(condition: string, source: Source | undefined): ConditionAsSql {
  const filter = readCondition(condition)
  if (filter === undefined || !source) return { sql: '', leftOut: [condition] }
  const parts = requirements(filter).map((part) => ({ part, sql: nodeSql(part, source) }))
  return {
    sql: parts.flatMap(({ sql }) => sql ?? []).join(' AND '),
    leftOut: parts.flatMap(({ part, sql }) => (sql === null ? printFilter(part) : [])),
  }
}

/** The translation for the sources of a connection. */
export const asSqlFor =
  (sources: readonly Source[]) =>
  (condition: string, sourceId: string): ConditionAsSql =>
    conditionAsSql(
      condition,
      sources.find(({ id }) => id === sourceId),
    )

function nodeSql(node: FilterNode, source: Source): string | null {
  switch (node.kind) {
    case 'term': {
      const sql = termSql(node, source)
      // Never NULL, so that a negation finds all other rows.
      return sql && `ifNull(${sql}, 0)`
    }
    case 'not': {
      const inner = nodeSql(node.node, source)
      return inner && `NOT (${inner})`
    }
    default: {
      const parts = node.nodes.map((filterNode) => nodeSql(filterNode, source))
      return parts.every((part) => part !== null) ? `(${parts.join(node.kind === 'and' ? ' AND ' : ' OR ')})` : null
    }
  }
}

function termSql(term: Term, source: Source): string | null {
  const { field, matcher } = term
  if (field === null) {
    const searched = searchedExpressions(source)
    if (searched.length === 0 || !searched.every(fieldOf)) return null
    // Charts search text within the body: see `withFreeTextIn`.
    const parts = searched.map((expression) => textSql(expression, { ...term, grouped: true }))
    if (parts.length === 1) return parts.join('')
    return parts.every((part) => part !== null) ? `(${parts.map((part) => `ifNull(${part}, 0)`).join(' OR ')})` : null
  }
  const known = fieldsOf(source)
  const column = known.find(({ name }) => name === field)
  if (column)
    return column.kind === 'map' ? null : column.kind === 'number' ? numberSql(field, matcher) : textSql(field, term)
  const map = known.find(({ name, kind }) => kind === 'map' && field.startsWith(`${name}.`))
  return map ? textSql(`${map.name}[${sqlValues([field.slice(map.name.length + 1)])}]`, term) : null
}

function textSql(sql: string, { matcher, grouped, field }: Term): string | null {
  switch (matcher.kind) {
    case 'word': {
      const { pieces } = matcher
      if (isAny(pieces)) return field === null ? 'true' : `${sql} != ''`
      const isAnchored = grouped && pieces.length > 1
      return likeSql(sql, isAnchored ? pieces : ['', ...pieces, ''])
    }
    case 'phrase':
      return grouped ? likeSql(sql, ['', matcher.text, '']) : `${sql} = ${sqlValues([matcher.text])}`
    default:
      if (field === null) return null
      if (operandsOf(matcher).length === 0) return `${sql} != ''`
      // Text with a number compares as a number.
      return operandsOf(matcher).every(isNumber)
        ? boundsSql(`toFloat64OrNull(${sql})`, matcher, String)
        : boundsSql(sql, matcher, (text) => sqlValues([text]))
  }
}

function numberSql(sql: string, matcher: Matcher): string | null {
  if (matcher.kind === 'word' && isAny(matcher.pieces)) return `isNotNull(${sql})`
  if (matcher.kind === 'word' || matcher.kind === 'phrase') {
    const value = matcher.kind === 'word' ? matcher.pieces.join('*') : matcher.text
    return isNumber(value) ? `${sql} = ${value}` : null
  }
  if (operandsOf(matcher).length === 0) return `isNotNull(${sql})`
  return operandsOf(matcher).every(isNumber) ? boundsSql(sql, matcher, String) : null
}

const isAny = (pieces: readonly string[]): boolean => pieces.length > 1 && pieces.every((piece) => piece === '')
const isNumber = (text: string): boolean => /^-?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(text)

type Bounds = Extract<Matcher, { kind: 'compare' | 'range' }>

const operandsOf = (matcher: Bounds): string[] =>
  matcher.kind === 'compare' ? [matcher.value] : [matcher.from, matcher.to].filter((bound) => bound !== null)

function boundsSql(sql: string, matcher: Bounds, write: (text: string) => string): string {
  if (matcher.kind === 'compare') return `${sql} ${matcher.operator} ${write(matcher.value)}`
  const { from, to, includeFrom, includeTo } = matcher
  const parts = [
    from === null ? [] : [`${sql} ${includeFrom ? '>=' : '>'} ${write(from)}`],
    to === null ? [] : [`${sql} ${includeTo ? '<=' : '<'} ${write(to)}`],
  ].flat()
  return parts.length === 1 ? parts.join('') : `(${parts.join(' AND ')})`
}

/** The pieces with anything between them, in any case. `ILIKE` knows the case of ASCII alone. */
function likeSql(sql: string, pieces: readonly string[]): string {
  // oxlint-disable-next-line no-control-regex -- the range of ASCII begins with NUL
  if (pieces.every((piece) => /^[\0-\x7f]*$/.test(piece))) {
    const pattern = pieces.map((piece) => piece.replaceAll(/[\\%_]/g, String.raw`\$&`)).join('%')
    return `${sql} ILIKE ${sqlValues([pattern])}`
  }
  const literal = pieces.map((piece) => piece.replaceAll(/[!-/:-@[-`{-~]/g, String.raw`\$&`)).join('.*')
  return `match(${sql}, ${sqlValues([String.raw`(?is)\A${literal}\z`])})`
}
