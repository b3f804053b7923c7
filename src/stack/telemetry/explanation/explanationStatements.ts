/**
 * The statements of an explanation: one counts the rows of both sides by time, the other counts the values of all attributes. What is
 * listed, left out and put into ranges is what `domain/explanation/countAttributes.ts` says.
 */
import { countRules } from '#domain/explanation/countAttributes.ts'
import { ranges } from '#domain/explanation/valueRanges.ts'
import type { Span } from '#domain/time/span.ts'
import { quoted } from '../engine/tableName.ts'
import { everyRow, lengthsSql, pairsSql, type ExplainedColumn } from './explainedColumns.ts'
import type { Window } from './sampleWindows.ts'

/** The rows of the chart, and which of them are inside, as conditions over them. */
export interface ExplainedRows {
  table: string
  /** The condition of the rows; true for all. */
  where: string
  inside: string
  /** The time of a row in milliseconds. */
  at: string
  /** The condition of a part of the range by which the engine skips others. Some rows after its end satisfy it, too. */
  around: (span: Span) => string
}

/** Attributes that are answered: those that most rows have. */
export const maxAttributes = 1000

/** Rows by bucket and side, and how many attributes they have. */
export function countsStatement(
  { table, where, inside, at }: ExplainedRows,
  columns: readonly ExplainedColumn[],
  { from, bucketMs }: { from: number; bucketMs: number },
): string {
  return `SELECT intDiv(${at} - ${from}, ${bucketMs}) AS __bucket, ${inside} AS __inside, count() AS __rows,
    sum(${[columns.length, ...lengthsSql(columns)].join(' + ')}) AS __pairs
    FROM ${table} WHERE ${where} GROUP BY __bucket, __inside`
}

/**
 * A row for each attribute, those that most rows have first, and one for `everyRow`. Its columns: the place of the column and the key of
 * the map; how many values there are and in how many rows of both sides; the values to list; the ranges of numbers, with the first number,
 * the last one and the rows of each; whether the numbers follow the clock; and the number of all rows of the answer.
 */
export function valuesStatement(
  rows: ExplainedRows,
  columns: readonly ExplainedColumn[],
  windows: { inside: readonly Window[]; outside: readonly Window[] },
): string {
  const { fewestRows, longestText, manyNumbers, risingShare } = countRules
  const numbers = ['__number', '__in', '__out', '__first', '__last']
  const lists = numbers.map((name) => `groupArrayIf(assumeNotNull(${name}), isNotNull(__number))`)
  return `SELECT __column, __key, __values, __i, __o, ${listedSql} AS __listed, ${rangesSql} AS __ranges,
    __isRanged AND ${risingSql} >= ${risingShare} * (length(__numbers) - 1) AS __isClock, count() OVER () AS __attributes
    FROM (SELECT *, if(__isRanged, ${placesSql}, []) AS __places FROM (
      SELECT __column, __key, count() AS __values, sum(__in) AS __i, sum(__out) AS __o,
        groupArrayIf((__value, __in, __out), __in + __out >= ${fewestRows} AND NOT __isLong) AS __common,
        countIf(isNull(__number)) = 0 AND __values > ${manyNumbers} AS __isRanged,
        if(__isRanged, arraySort(__one -> (__one.1, __one.4, __one.5), arrayZip(${lists.join(', ')})), []) AS __numbers
      FROM (
        SELECT __pair.1 AS __column, __pair.2 AS __key,
          lengthUTF8(__pair.3) > ${longestText} AS __isLong, if(__isLong, hex(sipHash128(__pair.3)), __pair.3) AS __value,
          ${numberSql} AS __number,
          countIf(__inside) AS __in, countIf(NOT __inside) AS __out, min(__at) AS __first, max(__at) AS __last
        FROM (${sampledSql(rows, columns, windows)})
        ARRAY JOIN __pairs AS __pair
        WHERE __pair.3 != ''
        GROUP BY __column, __key, __isLong, __value
      )
      GROUP BY __column, __key
    ))
    ORDER BY __column = ${everyRow} DESC, __i + __o DESC, __column, __key LIMIT ${maxAttributes + 1}`
}

/**
 * The rows that are compared: of each window its share, chosen by a hash of their places in what is read. Their order, which is that of
 * the sorting key, has no say.
 */
function sampledSql(
  { table, where, inside, at, around }: ExplainedRows,
  columns: readonly ExplainedColumn[],
  windows: { inside: readonly Window[]; outside: readonly Window[] },
): string {
  const within = (time: string, { from, to }: Window) => `(${time} >= ${from} AND ${time} < ${to})`
  const anyOf = (conditions: readonly string[]) => `(${conditions.join(' OR ') || '0'})`
  const windowsOf = (list: readonly Window[]) => anyOf(list.map((window) => within(at, window)))
  const limitOf = (list: readonly Window[]) =>
    `multiIf(${list.map((window) => `${within('__at', window)}, ${Math.ceil(window.share * hashes)}`).join(', ')}, 0)`
  const read = anyOf([...windows.inside, ...windows.outside].map((window) => `(${around(window)})`))
  const names = columns.map(({ name }) => quoted(name))
  return `SELECT __at, __inside, ${pairsSql(columns)} AS __pairs
    FROM (
      SELECT ${[`${at} AS __at`, `${inside} AS __inside`, 'rowNumberInAllBlocks() AS __row', ...names].join(', ')}
      FROM ${table} WHERE ${where} AND ${read}
        AND if(${inside}, ${windowsOf(windows.inside)}, ${windowsOf(windows.outside)})
    )
    WHERE cityHash64(__row) % ${hashes} < if(__inside, ${limitOf(windows.inside)}, ${limitOf(windows.outside)})`
}

/** The number of hash values: a row is sampled if its hash is below a share of it. */
const hashes = 2 ** 32

/** The number that a text is; NULL for all else. */
const numberSql = `if(NOT __isLong AND match(__value, '^[-+]?[0-9]+(?:\\\\.[0-9]+)?(?:[eE][-+]?[0-9]+)?$') AND isFinite(toFloat64OrZero(__value)), toFloat64OrNull(__value) + 0, NULL)`

/** The common values, those with the largest share first. */
const shareSql = 'greatest(__one.2 / greatest(1, __i), __one.3 / greatest(1, __o))'
const listedSql = `arraySlice(arraySort(__one -> (-${shareSql}, __one.1), arrayFilter(__one -> ${shareSql} >= ${countRules.fewestShare}, __common)), 1, ${countRules.listed})`

/** Numbers whose rows are all after those of the number before. */
const risingSql = `arrayCount((__one, __before) -> __one.4 >= __before.5, arraySlice(__numbers, 2), arraySlice(__numbers, 1, -1))`

/** The range of each number: both sides have the same say, however many rows each has. Numbers that are equal are in one. */
const placesSql = `arrayFill((__place, __isOther) -> __isOther,
  arrayMap((__one, __sumIn, __sumOut) ->
    intDiv(((__sumIn - __one.2) * greatest(1, __o) + (__sumOut - __one.3) * greatest(1, __i)) * ${ranges / 2}, greatest(1, __i) * greatest(1, __o)),
    __numbers, arrayCumSum(__numbers.2), arrayCumSum(__numbers.3)),
  arrayMap((__one, __before) -> __one.1 != __before.1, __numbers, arrayPushFront(arrayPopBack(__numbers), (-inf, 0, 0, 0, 0))))`
const ofRange = '(__one, __place) -> __place = __range'
const sumOfRange = (part: number) =>
  `arraySum((__one, __place) -> if(__place = __range, __one.${part}, 0), __numbers, __places)`
const rangesSql = `if(__isRanged, arrayFilter(__one -> __one.3 + __one.4 > 0, arrayMap(__range ->
    (arrayFirst(${ofRange}, __numbers, __places).1, arrayLast(${ofRange}, __numbers, __places).1, ${sumOfRange(2)}, ${sumOfRange(3)}),
  range(${ranges}))), [])`
