/** Computes a day of a roll-up again from the rows of its table. */
import type { TaskLease } from '../../cluster/tasks.ts'
import type { Engine } from '../engine/engine.ts'
import { quoted } from '../engine/tableName.ts'
import { ownStep, selectOfRollup, type OwnRollup } from './ownRollups.ts'
import { dateOf } from './trimValues.ts'

/** Rows whose values are put into a roll-up at a time. */
const rowsOfPiece = 250_000
const stepsOfDay = 86_400 / ownStep

/**
 * All rows of an insert become one part, so that the counts of all rows, which tell whether the day is complete, are never stored
 * without the keys and values that belong to them.
 */
const oneBlock =
  'SETTINGS min_insert_block_size_rows = 1000000000, min_insert_block_size_bytes = 0, max_insert_threads = 1'

interface FilledDay {
  /** As the engine names a partition: `20261129`. */
  day: string
  /** The rows of the table on that day. */
  rows: number
  lease: Pick<TaskLease, 'refuseIfLost'>
  signal: AbortSignal
}

/**
 * Drops the day and inserts it again. After an interruption, and where a piece is inserted twice, the counts of the day differ from
 * its rows, so that it is filled again.
 * @throws EngineError, and TaskLost once another stack may fill it
 */
export async function fillDay(
  engine: Pick<Engine, 'command' | 'load' | 'database'>,
  rollup: OwnRollup,
  { day, rows, lease, signal }: FilledDay,
): Promise<void> {
  // The names of days are those of the engine: eight digits.
  if (!/^\d{8}$/.test(day)) return
  lease.refuseIfLost()
  await engine.command(`ALTER TABLE ${quoted(rollup.table)} DROP PARTITION ID '${day}'`)
  const base = { database: engine.database, table: rollup.of }
  for (const piece of piecesOf(rollup, day, rows)) {
    lease.refuseIfLost()
    const select = selectOfRollup(rollup, base, `_partition_id = '${day}'${piece}`)
    await engine.load(`INSERT INTO ${quoted(rollup.table)} ${oneBlock} ${select}`, { signal })
  }
}

/** Conditions of the pieces in which a day is inserted: of whole steps, because there may be about as many values as rows. */
function piecesOf({ valuesOf }: OwnRollup, day: string, rows: number): string[] {
  if (rows === 0) return []
  if (!valuesOf) return ['']
  const start = Date.parse(dateOf(day)) / 1000
  const steps = Math.max(1, Math.floor((stepsOfDay * rowsOfPiece) / rows))
  return Array.from({ length: Math.ceil(stepsOfDay / steps) }, (_, at) => {
    const [from, to] = [at * steps, (at + 1) * steps].map((step) => `fromUnixTimestamp(${start + step * ownStep})`)
    return ` AND Timestamp >= ${from} AND Timestamp < ${to}`
  })
}
