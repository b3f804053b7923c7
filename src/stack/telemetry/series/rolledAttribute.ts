/** The rows of a roll-up of values, counted by the values of one attribute or column. */
import { EngineError } from '../engine/engineError.ts'
import { quoted, tableSql } from '../engine/tableName.ts'
import type { Attribute } from '../fieldExpressions.ts'
import { keyColumns, labelOf, rolledColumn, valueColumn, type Rollup } from '../rollups/rollup.ts'
import { allRows, leftOutSql } from '../rollups/rolledValues.ts'
import type { StatementBuilder } from './seriesPlan.ts'

/** The columns of rolled rows. */
export const rolledNames = { time: '__step', key: '__key', count: '__rows' }

const isThrown = 395

/** A roll-up does not have the values that it was to answer: they were left out after it was chosen, or its counts contradict each other. */
export class ValuesLeftOut extends Error {
  override readonly name = 'ValuesLeftOut'
}

/** The error of a statement with `countedValues`. */
export function leftOutError(error: unknown): unknown {
  return error instanceof EngineError && error.code === isThrown ? new ValuesLeftOut() : error
}

interface CountedValues {
  rollup: Rollup
  valuesOf: Attribute
  /** The condition of the steps that are read. */
  steps: string
  /** A condition of the rows that reads nothing but the attribute. */
  condition: string
}

/**
 * SELECT of the step, the value and its count. A row without the attribute has no text, as in the rows themselves: all rows but
 * those with another value. The statement fails where values of a step are left out, and where there are more values than rows.
 */
export function countedValues(
  builder: StatementBuilder,
  { rollup, valuesOf, steps, condition }: CountedValues,
): string {
  const { map, key } = keyColumns
  const labeled = (label: { map: string; key: string }) =>
    `(${map} = ${builder.bindings.bind(label.map, 'String')} AND ${key} = ${builder.bindings.bind(label.key, 'String')})`
  const own = labelOf(valuesOf)
  const [isValue, isOfAll] = [labeled(own), labeled(rollup.total ?? allRows)]
  const isLeftOut = `(${leftOutSql(builder.bindings.bind(own.map, 'String'), builder.bindings.bind(own.key, 'String'))})`
  const count = `toInt64(${quoted(rolledColumn(rollup, 'count') ?? '')})`
  const { time, key: value, count: rows } = rolledNames
  const others = `('', if(throwIf(others < 0), 0, others))`
  return `SELECT ${time}, ${value}, ${rows} FROM (
      SELECT toDateTime(step) AS ${time}, one.1 AS ${value}, one.2 AS ${rows}, ${asRead(builder, valuesOf, 'one.1')}
      FROM (SELECT step, sum(if(isOfAll, number, 0) - if(isValue, number, 0)) AS others,
          arrayPushBack(groupArrayIf((text, number), isValue), ${others}) AS counts
        FROM (SELECT ${quoted(rollup.time)} AS step, toString(${valueColumn}) AS text, if(throwIf(${isLeftOut}), 0, ${count}) AS number,
            ${isValue} AS isValue, ${isOfAll} AS isOfAll
          FROM ${tableSql(rollup.table)} WHERE ${steps} AND (${isValue} OR ${isOfAll} OR ${isLeftOut})) GROUP BY step) ARRAY JOIN counts AS one)
    WHERE ${builder.filtered(condition)}`
}

/** A value under the name that conditions have for it. */
function asRead(builder: StatementBuilder, { column, key }: Attribute, value: string): string {
  if (key === undefined) return `${value} AS ${quoted(column)}`
  return `CAST(map(${builder.bindings.bind(key, 'String')}, ${value}), 'Map(LowCardinality(String), String)') AS ${quoted(column)}`
}

/** The value of a row of the table itself. */
export function textOfRow(builder: StatementBuilder, { column, key }: Attribute): string {
  return `toString(${quoted(column)}${key === undefined ? '' : `[${builder.bindings.bind(key, 'String')}]`})`
}
