/**
 * Keeps the roll-ups of values small: an attribute with too many different values on a day is left out of that day. All steps of the day
 * are marked before the values are deleted, so that at any moment, and after a crash, a chart finds the values or the mark.
 */
import type { Logger } from 'pino'
import { mutationWait } from '../engine/dialect.ts'
import type { Engine } from '../engine/engine.ts'
import { textLiteral } from '../engine/params.ts'
import { quoted } from '../engine/tableName.ts'
import { ownStep } from './ownRollups.ts'
import { maxValuesOfDay } from './rolledValues.ts'
import { keyColumns, valueColumn, type RowLabel } from './rollup.ts'

interface TrimDependencies {
  engine: Pick<Engine, 'query' | 'command' | 'load' | 'dialect'>
  logger: Pick<Logger, 'info'>
}

export interface ValueTrimmer {
  /** The days of a roll-up that have at least so many more or fewer rows than when they were trimmed. */
  changedDays(table: string, least: number): Promise<string[]>
  /** Deletes the values of attributes that have too many of them on a day. */
  trim(table: string, day: string): Promise<void>
}

/** Remembers how many rows of each day are left. */
export function valueTrimmer({ engine, logger }: TrimDependencies): ValueTrimmer {
  const left = new Map<string, number>()

  async function storedDays(table: string): Promise<{ day: string; rows: number }[]> {
    const days = await engine.query<{ day: string; rows: string }>(
      `SELECT partition_id AS day, sum(rows) AS rows FROM system.parts
       WHERE database = currentDatabase() AND table = {table:String} AND active GROUP BY day`,
      { params: { table } },
    )
    return days.map(({ day, rows }) => ({ day, rows: Number(rows) }))
  }

  return {
    changedDays: async (table, least) => {
      const days = await storedDays(table)
      const changed = days.filter(
        // Fewer rows have no attribute with too many values.
        ({ day, rows }) => rows > maxValuesOfDay && Math.abs(rows - (left.get(`${table} ${day}`) ?? 0)) >= least,
      )
      return changed.map(({ day }) => day)
    },
    trim: async (table, day) => {
      // The names of days are those of the engine: eight digits.
      if (!/^\d{8}$/.test(day)) return
      const attributes = await attributesWithMany(engine, table, day)
      if (attributes.length > 0) {
        logger.info(
          { table, day, attributes: attributes.length },
          'Leaving attributes with many values out of a roll-up',
        )
        await markLeftOut(engine, table, { day, attributes })
        await engine.command(
          `ALTER TABLE ${quoted(table)} DELETE IN PARTITION ID '${day}'
           WHERE (${keyColumns.map}, ${keyColumns.key}) IN (${literals(attributes)}) SETTINGS ${mutationWait(engine.dialect)}`,
        )
      }
      const days = await storedDays(table)
      left.set(`${table} ${day}`, days.find((one) => one.day === day)?.rows ?? 0)
    },
  }
}

function attributesWithMany(engine: Pick<Engine, 'query'>, table: string, day: string): Promise<RowLabel[]> {
  const { map, key } = keyColumns
  return engine.query<RowLabel>(
    `SELECT ${map} AS map, ${key} AS key FROM ${quoted(table)} WHERE _partition_id = {day:String} AND ${map} != ''
     GROUP BY map, key HAVING uniqExact(${valueColumn}) > ${maxValuesOfDay}`,
    { params: { day } },
  )
}

async function markLeftOut(
  engine: Pick<Engine, 'load'>,
  table: string,
  { day, attributes }: { day: string; attributes: readonly RowLabel[] },
): Promise<void> {
  await engine.load(
    `INSERT INTO ${quoted(table)} (Timestamp, ${keyColumns.map}, ${keyColumns.key}, ${valueColumn}, count)
     SELECT toDateTime('${dateOf(day)} 00:00:00', 'UTC') + number * ${ownStep}, '', attribute.1, attribute.2, 1
     FROM numbers(${86_400 / ownStep}) ARRAY JOIN [${literals(attributes)}] AS attribute`,
  )
}

/** @param day as the engine names a partition: `20261129` */
export const dateOf = (day: string): string => `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`

const literals = (attributes: readonly RowLabel[]): string =>
  attributes.map(({ map, key }) => `(${textLiteral(map)}, ${textLiteral(key)})`).join(', ')
