/**
 * Fills the roll-ups of the stack for the days that they do not have as their tables do: from before they were made, after rows were
 * deleted, or after an insert that failed halfway. It works in the background, a day at a time, the newest first, and remembers nothing
 * of what it has done: the counts of a day tell, and charts read the rows until they are equal. A day that fails is tried again at the
 * next regular look, and stops no other one. It also keeps the roll-ups of values small.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { RollupName } from '../../config.ts'
import type { TaskLease, Tasks } from '../../cluster/tasks.ts'
import type { Engine } from '../engine/engine.ts'
import { dayCounts } from './completeDays.ts'
import { fillDay } from './fillDay.ts'
import { ownRollups, rollupOf, type OwnRollup } from './ownRollups.ts'
import { definedRollup } from './rollupDefinition.ts'
import { valueTrimmer, type ValueTrimmer } from './trimValues.ts'

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
  /** Between two regular looks. */
  next: number
  /** Between two looks for many new values. */
  trim: number
}

const usualPauses: Pauses = { settle: 5000, next: 10 * 60_000, trim: 60_000 }
/** Rows that a day of a roll-up of values may have more than when it was trimmed, until the next look. */
const manyRows = 100_000
const task = 'telemetry roll-ups'

/** @returns ends it */
export function startRollupBuilder(parts: BuilderDependencies): () => Promise<void> {
  const { tasks, pauses = usualPauses } = parts
  const closing = new AbortController()
  const { signal } = closing
  const wait = (milliseconds: number) => sleep(milliseconds, undefined, { signal, ref: false }).catch(() => undefined)

  const shared = { trimmer: valueTrimmer(parts), failed: new Set<string>(), signal }
  const pause = wantedRollups(parts).some(isOfValues) ? Math.min(pauses.next, pauses.trim) : pauses.next
  let nextLook = 0

  async function look(lease: TaskLease): Promise<void> {
    const course = { ...shared, lease }
    const isRegular = performance.now() >= nextLook
    if (isRegular) {
      nextLook = performance.now() + pauses.next
      shared.failed.clear()
      await fillAll(parts, { ...course, settled: () => wait(pauses.settle) })
    }
    await trimAll(parts, course, isRegular ? 1 : manyRows)
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      const lease = await tasks.take(task).catch(() => null)
      try {
        if (lease) await look(lease)
      } finally {
        await lease?.release()
      }
      await wait(pause)
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
  /** The days of roll-ups that could not be filled or trimmed since the last regular look began. */
  failed: Set<string>
  signal: AbortSignal
}

const isOfValues = ({ valuesOf }: OwnRollup): boolean => valuesOf !== undefined

const wantedRollups = ({ wanted }: BuilderDependencies): OwnRollup[] =>
  ownRollups.filter(({ name }) => wanted.includes(name))

/** Whether the table is the roll-up. Tables of other products are left alone. */
async function isBuilt({ engine }: BuilderDependencies, rollup: OwnRollup): Promise<boolean> {
  const base = { database: engine.database, table: rollup.of }
  return typeof (await definedRollup(engine, rollupOf(rollup), { table: base, time: 'Timestamp' })) !== 'string'
}

/** Does a part of the work, unless it is to end. @returns false after a failure, which is logged and stops no other part */
async function attempt(
  { logger }: BuilderDependencies,
  { lease, signal }: Pick<Course, 'lease' | 'signal'>,
  { of, work }: { of: { table: string; day?: string }; work: () => Promise<void> },
): Promise<boolean> {
  const isEnding = () => signal.aborted || !lease.isHeld()
  if (isEnding()) return true
  try {
    await work()
    return true
  } catch (error) {
    if (!isEnding())
      logger.warn({ err: error, ...of }, 'A roll-up of the telemetry cannot be brought up to date. It is tried again')
    return false
  }
}

/** @param least how many rows a day has more than when it was trimmed */
async function trimAll(parts: BuilderDependencies, course: Course, least: number): Promise<void> {
  const { trimmer, failed, lease } = course
  for (const rollup of wantedRollups(parts).filter(isOfValues)) {
    const { table } = rollup
    const trimRollup = async () => {
      const changed = await trimmer.changedDays(table, least)
      const days = changed.filter((day) => !failed.has(`${table} ${day}`))
      if (days.length === 0 || !(await isBuilt(parts, rollup))) return
      for (const day of days) {
        const isDone = await attempt(parts, course, { of: { table, day }, work: () => trimmer.trim(table, day, lease) })
        if (!isDone) failed.add(`${table} ${day}`)
      }
    }
    await attempt(parts, course, { of: { table }, work: trimRollup })
  }
}

interface FillCourse extends Course {
  settled: () => Promise<unknown>
}

async function fillAll(parts: BuilderDependencies, course: FillCourse): Promise<void> {
  for (const rollup of wantedRollups(parts)) {
    const { table } = rollup
    await attempt(parts, course, { of: { table }, work: () => fillRollup(parts, rollup, course) })
  }
}

async function fillRollup(parts: BuilderDependencies, rollup: OwnRollup, course: FillCourse): Promise<void> {
  const { engine, logger } = parts
  const { lease, signal, trimmer, failed } = course
  const { table } = rollup
  if (!(await isBuilt(parts, rollup))) return
  const different = await daysToFill(parts, rollup)
  if (different.size === 0) return
  await course.settled()
  const still = await daysToFill(parts, rollup)
  const unchanged = [...still].filter(([day, counts]) => different.get(day) === counts)
  for (const [day, counts] of unchanged.toSorted(([a], [b]) => (a < b ? 1 : -1))) {
    const work = async () => {
      logger.info({ table, day }, 'Filling a roll-up')
      await fillDay(engine, rollup, { day, rows: Number(counts.split(' ')[0]), lease, signal })
      if (rollup.valuesOf) await trimmer.trim(table, day, lease)
    }
    const isDone = await attempt(parts, course, { of: { table, day }, work })
    if (!isDone) failed.add(`${table} ${day}`)
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
