/** Converts a condition on an expression to SQL, depending on the type of the expression. */
import type { Bindings } from '../bindings.ts'
import type { Value } from '../fieldExpressions.ts'
import type { ColumnType } from '../tableLayout.ts'
import { FilterError, type CompareOperator, type Matcher, type Term } from '#domain/query/filterSyntax.ts'
import { piecesSql } from './textMatch.ts'

const number = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i
const moment = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?)?$/

/**
 * SQL that is true where the value satisfies the term and false anywhere else: it is never NULL, so that its negation
 * finds all other rows.
 *
 * @throws FilterError where the type has no such condition
 */
export function matchSql(value: Value, term: Term, bindings: Bindings): string {
  return neverNull(conditionSql(value, term, bindings), value.type)
}

/** A condition on a value, false where the value is NULL. */
export function neverNull(condition: string, { kind, nullable }: ColumnType): string {
  return nullable || kind === 'json' || kind === 'other' ? orFalse(condition) : condition
}

const orFalse = (condition: string): string => `ifNull(${condition}, 0)`

function conditionSql(value: Value, term: Term, bindings: Bindings): string {
  const { sql, type } = value
  if (isAny(term.matcher)) return withKey(value, existsSql(value))
  switch (type.kind) {
    case 'number':
      return orderedSql(sql, term, 'a number such as 500, a comparison such as >500 or a range', (text) =>
        bindNumber(text, type.decimal ?? 0, bindings),
      )
    case 'time':
      return orderedSql(sql, term, 'a time such as "2026-01-31T12:00:00Z"', (text) => bindTime(text, bindings))
    case 'bool':
      return orderedSql(sql, term, 'true or false', bindBool)
    case 'array':
      return arraySql({ sql, type: type.item }, term, bindings)
    case 'map':
      return arraySql({ sql: `mapValues(${sql})`, type: type.value }, term, bindings)
    case 'text':
      return textSql(value, term, bindings)
    default:
      return textSql({ sql: `toString(${sql})`, type: { kind: 'text' } }, term, bindings)
  }
}

/** A condition that no absent key of a map satisfies. */
function withKey({ key }: Value, condition: string): string {
  return key?.isPresent === undefined ? condition : `(${key.isPresent} AND ${condition})`
}

/** `F:*` and `F:[* TO *]`: there is a value. */
function isAny(matcher: Matcher): boolean {
  if (matcher.kind === 'range') return matcher.from === null && matcher.to === null
  return matcher.kind === 'word' && matcher.pieces.length > 1 && matcher.pieces.every((piece) => piece === '')
}

function existsSql({ sql, type }: Value): string {
  if (type.kind === 'text') return `${sql} != ''`
  return type.kind === 'map' || type.kind === 'array' ? `notEmpty(${sql})` : `isNotNull(${sql})`
}

function textSql(value: Value, term: Term, bindings: Bindings): string {
  const { sql } = value
  const { matcher, grouped } = term
  switch (matcher.kind) {
    case 'word': {
      // On a field, a word matches anywhere; in `field:(…)` its wildcards determine where.
      const anchored = grouped && matcher.pieces.length > 1
      return piecesSql(value, anchored ? matcher.pieces : ['', ...matcher.pieces, ''], bindings)
    }
    case 'phrase':
      if (grouped) return piecesSql(value, ['', matcher.text, ''], bindings)
      return `${sql} = ${bindings.bind(matcher.text, 'String')}`
    default: {
      // Text that holds a number compares as one: '9' is less than '10'.
      const numeric = operandsOf(matcher).every((text) => number.test(text))
      if (!numeric) return boundsSql(sql, matcher, (text) => bindings.bind(text, 'String'))
      const bound = boundsSql(`toFloat64OrNull(${sql})`, matcher, (text) => bindings.bind(Number(text), 'Float64'))
      return withKey(value, orFalse(bound))
    }
  }
}

function arraySql({ sql, type }: Value, term: Term, bindings: Bindings): string {
  if (term.matcher.kind === 'compare' || term.matcher.kind === 'range') {
    throw new FilterError(
      `${term.field} holds several values: it takes a word or a quoted value, no comparison`,
      term.position,
    )
  }
  return `arrayExists(element -> ${matchSql({ sql: 'element', type }, term, bindings)}, ${sql})`
}

/** Numbers, times and truth values: equal, compared, or within a range. */
function orderedSql(sql: string, term: Term, wanted: string, bind: (text: string) => string | undefined): string {
  const { field, matcher, position } = term
  const bound = (text: string): string => {
    const placeholder = bind(text)
    if (placeholder !== undefined) return placeholder
    throw new FilterError(`${field} takes ${wanted}, not ${JSON.stringify(text)}`, position)
  }
  if (matcher.kind === 'word') return `${sql} = ${bound(matcher.pieces.join('*'))}`
  if (matcher.kind === 'phrase') return `${sql} = ${bound(matcher.text)}`
  return boundsSql(sql, matcher, bound)
}

type Bounds = Extract<Matcher, { kind: 'compare' | 'range' }>

function operandsOf(matcher: Bounds): string[] {
  if (matcher.kind === 'compare') return [matcher.value]
  return [matcher.from, matcher.to].filter((bound) => bound !== null)
}

function boundsSql(sql: string, matcher: Bounds, bind: (text: string) => string): string {
  const compare = (operator: CompareOperator, text: string) => `${sql} ${operator} ${bind(text)}`
  if (matcher.kind === 'compare') return compare(matcher.operator, matcher.value)
  const { from, to, includeFrom, includeTo } = matcher
  const conditions = [
    from === null ? [] : [compare(includeFrom ? '>=' : '>', from)],
    to === null ? [] : [compare(includeTo ? '<=' : '<', to)],
  ].flat()
  return conditions.length === 1 ? conditions.join('') : `(${conditions.join(' AND ')})`
}

const largestInteger = 2n ** 63n

/** The digits of decimals that the engine compares with each other without an overflow. */
const maxDigits = 38

/**
 * Whole numbers stay whole: nanoseconds since 1970 do not fit a Float64. Neither do all digits of a decimal.
 * @param decimals the digits of the column; 0 if it is none of decimals
 */
function bindNumber(text: string, decimals: number, bindings: Bindings): string | undefined {
  if (!number.test(text)) return undefined
  const [, whole = '', fraction = ''] = /^[+-]?(\d*)(?:\.(\d*))?$/.exec(text) ?? []
  const digits = whole.length + fraction.length
  if (decimals > 0 && decimals <= maxDigits && digits > 0 && digits <= maxDigits) {
    return bindings.bind(text.replace(/^\+/, ''), `Decimal(76, ${fraction.length})`)
  }
  if (/^-?\d+$/.test(text)) {
    const integer = BigInt(text)
    if (integer < largestInteger && integer >= -largestInteger) return bindings.bind(integer, 'Int64')
    if (integer > 0 && integer < 2n * largestInteger) return bindings.bind(integer, 'UInt64')
  }
  return bindings.bind(Number(text), 'Float64')
}

/** A time without a zone is in UTC. */
function bindTime(text: string, bindings: Bindings): string | undefined {
  if (!moment.test(text) || Number.isNaN(Date.parse(text.replace(' ', 'T')))) return undefined
  return `parseDateTime64BestEffort(${bindings.bind(text, 'String')}, 9, 'UTC')`
}

function bindBool(text: string): string | undefined {
  if (/^(true|1)$/i.test(text)) return 'true'
  return /^(false|0)$/i.test(text) ? 'false' : undefined
}
