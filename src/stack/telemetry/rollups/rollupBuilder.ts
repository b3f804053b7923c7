/**
 * Fills the roll-ups of the stack for the days that they do not have as their tables do: from before they were made, after rows were
 * deleted, or after an insert that failed halfway. In the background, a day at a time, the newest first. Nothing is remembered of
 * what is done: the counts of a day say it, and until they are equal, charts read the rows.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { RollupName } from '../../config.ts'
import type { TaskLease, Tasks } from '../../cluster/tasks.ts'
import type { Engine } from '../engine/engine.ts'
import { quoted } from '../engine/tableName.ts'
import { dayCounts } from './completeDays.ts'
import { ownRollups, rollupOf, selectOfRollup, type OwnRollup } from './ownRollups.ts'
import { definedRollup } from './rollupDefinition.ts'

interface BuilderDependencies {
  engine: Pick<Engine, 'query' | 'command' | 'load' | 'dialect' | 'database' | 'identity'>
  tasks: Pick<Tasks, 'take'>
  wanted: readonly RollupName[]
  logger: Pick<Logger, 'info' | 'warn'>
  /** Milliseconds since 1970. */
  now: () => number
  pauses?: Pauses
}

interface Pauses {
  /** Milliseconds until an insert that runs is in both tables. */
  settle: number
  /** Between two looks. */
  next: number
}

const usualPauses: Pauses = { settle: 5000, next: 10 * 60_000 }
const task = 'telemetry roll-ups'

/** @returns ends it */
export function startRollupBuilder(parts: BuilderDependencies): () => Promise<void> {
  const { logger, tasks, pauses = usualPauses } = parts
  const closing = new AbortController()
  const { signal } = closing
  const wait = (milliseconds: number) => sleep(milliseconds, undefined, { signal, ref: false }).catch(() => undefined)

  async function run(): Promise<void> {
    while (!signal.aborted) {
      const lease = await tasks.take(task).catch(() => null)
      try {
        if (lease) await fillAll(parts, lease, { signal, settled: () => wait(pauses.settle) })
      } catch (error) {
        if (!signal.aborted)
          logger.warn({ err: error }, 'Roll-ups of the telemetry cannot be filled. It is tried again')
      } finally {
        await lease?.release()
      }
      await wait(pauses.next)
    }
  }

  const running = run()
  return () => {
    closing.abort()
    return running
  }
}

interface Course {
  signal: AbortSignal
  settled: () => Promise<unknown>
}

async function fillAll(parts: BuilderDependencies, lease: TaskLease, { signal, settled }: Course): Promise<void> {
  for (const rollup of ownRollups.filter(({ name }) => parts.wanted.includes(name))) {
    // One that somebody else has made is theirs.
    const base = { database: parts.engine.database, table: rollup.of }
    const defined = await definedRollup(parts.engine, rollupOf(rollup), { table: base, time: 'Timestamp' })
    if (typeof defined === 'string') continue
    const different = await daysToFill(parts, rollup)
    if (different.size === 0) continue
    await settled()
    const still = await daysToFill(parts, rollup)
    for (const [day, counts] of [...still].toSorted(([a], [b]) => (a < b ? 1 : -1))) {
      if (signal.aborted || !lease.isHeld()) return
      if (different.get(day) !== counts) continue
      lease.refuseIfLost()
      await fillDay(parts, rollup, day, signal)
    }
  }
}

/** The days before today whose counts differ, with both. */
async function daysToFill({ engine, now }: BuilderDependencies, rollup: OwnRollup): Promise<Map<string, string>> {
  const today = new Date(now()).toISOString().slice(0, 10).replaceAll('-', '')
  const days = await dayCounts(engine, rollupOf(rollup), { database: engine.database, table: rollup.of })
  return new Map(
    days
      .filter(({ day, stored, counted }) => day < today && stored !== counted)
      .map(({ day, stored, counted }) => [day, `${stored} ${counted}`]),
  )
}

async function fillDay(
  { engine, logger }: BuilderDependencies,
  rollup: OwnRollup,
  day: string,
  signal: AbortSignal,
): Promise<void> {
  // The names of days are those of the engine: eight digits.
  if (!/^\d{8}$/.test(day)) return
  logger.info({ table: rollup.table, day }, 'Filling a roll-up')
  const base = { database: engine.database, table: rollup.of }
  await engine.command(`ALTER TABLE ${quoted(rollup.table)} DROP PARTITION ID '${day}'`)
  await engine.load(`INSERT INTO ${quoted(rollup.table)} ${selectOfRollup(rollup, base, `_partition_id = '${day}'`)}`, {
    signal,
  })
}
