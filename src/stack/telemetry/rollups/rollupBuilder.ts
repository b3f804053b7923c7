/**
 * Fills the roll-ups of the stack for the days that they do not have as their tables do: from before they were made, after rows were
 * deleted, or after an insert that failed halfway. In the background, a day at a time, the newest first. Nothing is remembered of
 * what is done: the counts of a day say it, and until they are equal, charts read the rows. It also keeps those of values small.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { RollupName } from '../../config.ts'
import type { TaskLease, Tasks } from '../../cluster/tasks.ts'
import type { Engine } from '../engine/engine.ts'
import { quoted } from '../engine/tableName.ts'
import { dayCounts } from './completeDays.ts'
import { ownRollups, rollupOf, selectOfAllRows, selectOfRollup, type OwnRollup } from './ownRollups.ts'
import { isOfValue } from './rolledValues.ts'
import { definedRollup } from './rollupDefinition.ts'
import { dateOf, valueTrimmer, type ValueTrimmer } from './trimValues.ts'

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
  /** Between two looks for many new values. */
  trim: number
}

const usualPauses: Pauses = { settle: 5000, next: 10 * 60_000, trim: 60_000 }
/** Rows that a day of a roll-up of values may have more than when it was trimmed, until the next look. */
const manyRows = 100_000
const task = 'telemetry roll-ups'
/** Rows whose values are put into a roll-up at a time. */
const rowsOfPiece = 1_000_000

/** @returns ends it */
export function startRollupBuilder(parts: BuilderDependencies): () => Promise<void> {
  const { logger, tasks, pauses = usualPauses } = parts
  const closing = new AbortController()
  const { signal } = closing
  const wait = (milliseconds: number) => sleep(milliseconds, undefined, { signal, ref: false }).catch(() => undefined)

  const trimmer = valueTrimmer(parts)
  let nextLook = 0

  async function look(lease: TaskLease): Promise<void> {
    const course = { lease, trimmer, signal }
    const isRegular = performance.now() >= nextLook
    if (isRegular) await fillAll(parts, { ...course, settled: () => wait(pauses.settle) })
    await trimAll(parts, course, isRegular ? 1 : manyRows)
    if (isRegular) nextLook = performance.now() + pauses.next
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      const lease = await tasks.take(task).catch(() => null)
      try {
        if (lease) await look(lease)
      } catch (error) {
        if (!signal.aborted)
          logger.warn({ err: error }, 'Roll-ups of the telemetry cannot be filled. It is tried again')
      } finally {
        await lease?.release()
      }
      await wait(Math.min(pauses.next, pauses.trim))
    }
  }

  const running = run()
  return () => {
    closing.abort()
    return running
  }
}

interface Course {
  lease: TaskLease
  trimmer: ValueTrimmer
  signal: AbortSignal
}

/** The wanted ones. One that somebody else has made is theirs. */
async function builtRollups({ engine, wanted }: BuilderDependencies): Promise<OwnRollup[]> {
  const built: OwnRollup[] = []
  for (const rollup of ownRollups.filter(({ name }) => wanted.includes(name))) {
    const base = { database: engine.database, table: rollup.of }
    const defined = await definedRollup(engine, rollupOf(rollup), { table: base, time: 'Timestamp' })
    if (typeof defined !== 'string') built.push(rollup)
  }
  return built
}

/** @param least how many rows a day has more than when it was trimmed */
async function trimAll(parts: BuilderDependencies, { lease, trimmer, signal }: Course, least: number): Promise<void> {
  const ofValues = (await builtRollups(parts)).filter(({ valuesOf }) => valuesOf !== undefined)
  for (const { table } of ofValues) {
    for (const day of await trimmer.changedDays(table, least)) {
      if (signal.aborted || !lease.isHeld()) return
      lease.refuseIfLost()
      await trimmer.trim(table, day)
    }
  }
}

async function fillAll(
  parts: BuilderDependencies,
  { lease, trimmer, signal, settled }: Course & { settled: () => Promise<unknown> },
): Promise<void> {
  for (const rollup of await builtRollups(parts)) {
    const different = await daysToFill(parts, rollup)
    if (different.size === 0) continue
    await settled()
    const still = await daysToFill(parts, rollup)
    for (const [day, counts] of [...still].toSorted(([a], [b]) => (a < b ? 1 : -1))) {
      if (signal.aborted || !lease.isHeld()) return
      if (different.get(day) !== counts) continue
      lease.refuseIfLost()
      await fillDay(parts, rollup, { day, rows: Number(counts.split(' ')[0]), signal })
      if (rollup.valuesOf) await trimmer.trim(rollup.table, day)
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
  { day, rows, signal }: { day: string; rows: number; signal: AbortSignal },
): Promise<void> {
  // The names of days are those of the engine: eight digits.
  if (!/^\d{8}$/.test(day)) return
  logger.info({ table: rollup.table, day }, 'Filling a roll-up')
  const base = { database: engine.database, table: rollup.of }
  const insert = (select: string) => engine.load(`INSERT INTO ${quoted(rollup.table)} ${select}`, { signal })
  await engine.command(`ALTER TABLE ${quoted(rollup.table)} DROP PARTITION ID '${day}'`)
  const isOfDay = `_partition_id = '${day}'`
  if (!rollup.valuesOf) return insert(selectOfRollup(rollup, base, isOfDay))
  // In pieces, because there may be about as many different values as rows. What tells that the day is complete comes last.
  const start = Date.parse(dateOf(day)) / 1000
  const hours = Math.max(1, Math.floor((24 * rowsOfPiece) / rows))
  for (let hour = 0; hour < 24; hour += hours) {
    const [from, to] = [hour, hour + hours].map((at) => `fromUnixTimestamp(${start + at * 3600})`)
    const isOfPiece = `${isOfDay} AND Timestamp >= ${from} AND Timestamp < ${to}`
    await insert(`SELECT * FROM (${selectOfRollup(rollup, base, isOfPiece)}) WHERE ${isOfValue}`)
  }
  await insert(selectOfAllRows(base, isOfDay))
}
