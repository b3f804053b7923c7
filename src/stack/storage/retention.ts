/**
 * Drops telemetry that is older than its retention from the embedded engine, a day at a time. The engine would do so by the
 * clock of the machine, and delete everything within seconds once that is set far ahead.
 */
import type { Logger } from 'pino'
import { wallClock, type WallClock } from '#node/clock/wallClock.ts'
import type { Engine } from '../telemetry/engine/engine.ts'
import { signalOf, type Retention } from './retentionSettings.ts'
import { keepRollupTtl } from '../telemetry/rollups/ensureRollups.ts'
import { ownRollups } from '../telemetry/rollups/ownRollups.ts'
import { keepTtl, tables } from '../telemetry/tables.ts'

const day = 86_400_000
/** Milliseconds between two looks for old days. */
const interval = 10 * 60_000

interface RetentionDependencies {
  engine: Pick<Engine, 'kind' | 'dialect' | 'database' | 'query' | 'command'>
  retention: Pick<Retention, 'of' | 'refresh'>
  logger: Pick<Logger, 'error'>
  clock?: Pick<WallClock, 'deletionTime'>
}

/** Drops old days now, and regularly from then on. On a server, tells its tables how long to keep rows. @returns ends it */
export async function startRetention({
  engine,
  retention,
  logger,
  clock = wallClock,
}: RetentionDependencies): Promise<() => Promise<void>> {
  const daysOf = (table: string) => retention.of(signalOf(table)).days
  const pass = async () => {
    await retention.refresh()
    if (engine.kind === 'embedded') return dropOldDays(engine, daysOf, clock.deletionTime())
    await keepTtl(engine, daysOf)
    return keepRollupTtl(engine, daysOf)
  }
  let running: Promise<void> = Promise.resolve()
  const drop = () => {
    running = pass().catch((error: unknown) =>
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

/** Drops the days whose rows are all older than the retention of their table. @param now epoch milliseconds */
export async function dropOldDays(
  engine: Pick<Engine, 'query' | 'command'>,
  daysOf: (table: string) => number,
  now: number,
): Promise<void> {
  const names = [...Object.values(tables), ...ownRollups.map((rollup) => rollup.table)]
  const firstDayOf = (table: string) =>
    new Date(now - daysOf(table) * day).toISOString().slice(0, 10).replaceAll('-', '')
  const stored = await engine.query<{ table: string; day: string }>(
    `SELECT DISTINCT table, partition_id AS day FROM system.parts
      WHERE database = currentDatabase() AND table IN {names:Array(String)} AND active`,
    { params: { names } },
  )
  for (const { table, day: id } of stored.filter(({ day, table }) => day < firstDayOf(table))) {
    // The names are those above, and the IDs those of the engine: eight digits.
    await engine.command(`ALTER TABLE ${table} DROP PARTITION ID '${id}'`)
  }
}
