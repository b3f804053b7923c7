/**
 * Drops telemetry that is older than the retention from the embedded engine, a day at a time. The engine would do so by the
 * clock of the machine, and delete everything within seconds once that is set far ahead.
 */
import type { Logger } from 'pino'
import { wallClock, type WallClock } from '#node/clock/wallClock.ts'
import type { Engine } from './engine/engine.ts'
import { tables } from './tables.ts'

const day = 86_400_000
/** Milliseconds between two looks for old days. */
const interval = 10 * 60_000

interface RetentionParts {
  engine: Pick<Engine, 'query' | 'command'>
  retentionDays: number
  logger: Pick<Logger, 'error'>
  clock?: Pick<WallClock, 'deletionTime'>
}

/** Drops old days now, and regularly from then on. @returns ends it */
export async function startRetention({
  engine,
  retentionDays,
  logger,
  clock = wallClock,
}: RetentionParts): Promise<() => Promise<void>> {
  let running: Promise<void> = Promise.resolve()
  const drop = () => {
    running = dropOldDays(engine, retentionDays, clock.deletionTime()).catch((error: unknown) =>
      logger.error({ err: error }, 'Old telemetry could not be deleted. The next attempt repeats it'),
    )
    return running
  }
  const timer = setInterval(() => void drop(), interval)
  timer.unref()
  await drop()
  return () => {
    clearInterval(timer)
    return running
  }
}

/** Drops the days whose rows are all older than the retention. @param now epoch milliseconds */
export async function dropOldDays(
  engine: Pick<Engine, 'query' | 'command'>,
  retentionDays: number,
  now: number,
): Promise<void> {
  const firstDay = new Date(now - retentionDays * day).toISOString().slice(0, 10).replaceAll('-', '')
  const old = await engine.query<{ table: string; day: string }>(
    `SELECT DISTINCT table, partition_id AS day FROM system.parts
      WHERE database = currentDatabase() AND table IN {names:Array(String)} AND active AND partition_id < {firstDay:String}`,
    { params: { names: Object.values(tables), firstDay } },
  )
  // The IDs are those of the engine: eight digits.
  for (const { table, day: id } of old) await engine.command(`ALTER TABLE ${table} DROP PARTITION ID '${id}'`)
}
