/**
 * Keeps the roll-ups of values small: an attribute with too many different values on a day, or a map with too many names, is left out of
 * that day. All steps of the day are marked, on disk, before the values are deleted, so that a chart finds the values or the mark at any
 * moment, also after a crash or a power failure.
 */
import type { Logger } from 'pino'
import type { TaskLease } from '../../cluster/tasks.ts'
import { mutationWait } from '../engine/dialect.ts'
import type { Engine } from '../engine/engine.ts'
import { textLiteral } from '../engine/params.ts'
import { quoted } from '../engine/tableName.ts'
import { ownStep } from './ownRollups.ts'
import { maxNames, maxValuesOfDay } from './rolledValues.ts'
import { keyColumns, valueColumn, type RowLabel } from './rollup.ts'

interface TrimDependencies {
  engine: Pick<Engine, 'query' | 'command' | 'load' | 'dialect'>
  logger: Pick<Logger, 'info'>
}

export interface ValueTrimmer {
  /** The days of a roll-up that have at least so many more or fewer rows than when they were trimmed. */
  changedDays(table: string, least: number): Promise<string[]>
  /**
   * Deletes the values of attributes that have too many of them on a day, and of maps that have too many attributes.
   * @throws EngineError, and TaskLost once another stack may fill the day, which drops the marks
   */
  trim(table: string, day: string, lease: Pick<TaskLease, 'refuseIfLost'>): Promise<void>
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
        // Fewer rows have neither too many values nor too many names.
        ({ day, rows }) =>
          rows > Math.min(maxNames, maxValuesOfDay) && Math.abs(rows - (left.get(`${table} ${day}`) ?? 0)) >= least,
      )
      return changed.map(({ day }) => day)
    },
    trim: async (table, day, lease) => {
      // The names of days are those of the engine: eight digits.
      if (!/^\d{8}$/.test(day)) return
      const maps = await mapsWithMany(engine, table, day)
      const attributes = await attributesWithMany(engine, table, { day, maps })
      if (maps.length + attributes.length > 0) {
        logger.info({ table, day, maps, attributes: attributes.length }, 'Leaving many values out of a roll-up')
        lease.refuseIfLost()
        await markLeftOut(engine, table, { day, labels: [...maps.map((map) => ({ map, key: '' })), ...attributes] })
        const conditions = [
          ...(maps.length > 0 ? [ofMaps(maps)] : []),
          ...(attributes.length > 0 ? [`(${keyColumns.map}, ${keyColumns.key}) IN (${literals(attributes)})`] : []),
        ]
        lease.refuseIfLost()
        await engine.command(
          `ALTER TABLE ${quoted(table)} DELETE IN PARTITION ID '${day}'
           WHERE ${conditions.join(' OR ')} SETTINGS ${mutationWait(engine.dialect)}`,
        )
      }
      const days = await storedDays(table)
      left.set(`${table} ${day}`, days.find((candidate) => candidate.day === day)?.rows ?? 0)
    },
  }
}

/** The maps with too many names, counted with those whose values are left out. */
async function mapsWithMany(engine: Pick<Engine, 'query'>, table: string, day: string): Promise<string[]> {
  const { map, key } = keyColumns
  const rows = await engine.query<{ name: string }>(
    `SELECT label.1 AS name FROM (
       SELECT if(${map} = '', (toString(${key}), ${valueColumn}), (toString(${map}), toString(${key}))) AS label
       FROM ${quoted(table)} WHERE _partition_id = {day:String})
     WHERE label.1 != '' AND label.2 != '' GROUP BY name HAVING uniqExact(label.2) > ${maxNames}`,
    { params: { day } },
  )
  return rows.map(({ name }) => name)
}

/** The values of maps, and the marks of their attributes. */
function ofMaps(maps: readonly string[]): string {
  const { map, key } = keyColumns
  const names = maps.map(textLiteral).join(', ')
  return `${map} IN (${names}) OR (${map} = '' AND ${key} IN (${names}) AND ${valueColumn} != '')`
}

/** The attributes with too many values, without those of some maps. */
async function attributesWithMany(
  engine: Pick<Engine, 'query'>,
  table: string,
  { day, maps }: { day: string; maps: readonly string[] },
): Promise<RowLabel[]> {
  const { map, key } = keyColumns
  const labels = await engine.query<RowLabel>(
    `SELECT ${map} AS map, ${key} AS key FROM ${quoted(table)} WHERE _partition_id = {day:String} AND ${map} != ''
     GROUP BY map, key HAVING uniqExact(${valueColumn}) > ${maxValuesOfDay}`,
    { params: { day } },
  )
  return labels.filter((label) => !maps.includes(label.map))
}

async function markLeftOut(
  engine: Pick<Engine, 'load'>,
  table: string,
  { day, labels }: { day: string; labels: readonly RowLabel[] },
): Promise<void> {
  await engine.load(
    `INSERT INTO ${quoted(table)} (Timestamp, ${keyColumns.map}, ${keyColumns.key}, ${valueColumn}, count)
     SELECT toDateTime('${dateOf(day)} 00:00:00', 'UTC') + number * ${ownStep}, '', label.1, label.2, 1
     FROM numbers(${86_400 / ownStep}) ARRAY JOIN [${literals(labels)}] AS label`,
  )
}

/** @param day as the engine names a partition: `20261129` */
export const dateOf = (day: string): string => `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`

const literals = (labels: readonly RowLabel[]): string =>
  labels.map(({ map, key }) => `(${textLiteral(map)}, ${textLiteral(key)})`).join(', ')
