/** One pass: finds the alerts that are due, reads their windows, evaluates them, and writes what became of them. */
import type { Logger } from 'pino'
import { stepTolerance } from '#node/clock/wallClock.ts'
import { newestEnd } from '#domain/alerting/schedule.ts'
import { alertCursors, hasCursorsAfter, setBackCursors } from '../documents/alertCursors.ts'
import { alertRows } from '../documents/alertRows.ts'
import { writeClockMemory } from '../documents/clockMemory.ts'
import { StoreError } from '#node/database/storeError.ts'
import type { Engine } from '../telemetry/engine/engine.ts'
import type { Readable } from '../telemetry/series/seriesQuery.ts'
import { dueAlerts, CatchUpLimits } from './dueAlerts.ts'
import { executionErrorOf } from './reading/executionError.ts'
import { keepLease, LeaseLost, takeLease } from './lease.ts'
import { Reader } from './reading/reader.ts'
import { record, type Outcome, type Recorded, type RecordingDependencies } from './recording.ts'

export interface PassDependencies extends RecordingDependencies {
  engine: Engine
  /** The sources and databases that alerts may read. */
  readable: () => Promise<Readable>
  logger?: Pick<Logger, 'error' | 'warn'>
  /** Time limit of a statement. Default 20 s. */
  maxSeconds?: number
  /** Maximum number of queries of one statement. */
  maxQueries?: number
}

export interface PassResult extends Recorded {
  /** Number of alerts that were due. */
  due: number
  statements: number
  /** Evaluation lag of the slowest alert, in milliseconds. */
  behind: number
}

export interface Passes {
  /**
   * Runs one pass. @returns null if another stack evaluates alerts. @throws LeaseLost if another stack took over meanwhile
   */
  run(signal: AbortSignal): Promise<PassResult | null>
}

const defaultMaxSeconds = 20
const defaultMaxQuestions = 100
/** Parts of one pass, at most: one for each window that an alert can catch up with. */
const maxParts = 50
/** A statement may take long, and the lease must not expire meanwhile. */
const renewEveryMs = 20_000
/** Statements at the same time: the embedded engine has few connections, and charts need them too. */
const lanes = { embedded: 1, remote: 4 }

export function createPasses(parts: PassDependencies): Passes {
  const { store, engine, holder, clock, maxSeconds = defaultMaxSeconds, maxQueries = defaultMaxQuestions } = parts
  const reader = new Reader({ engine, maxSeconds, maxQueries })
  const catchUpLimits = new CatchUpLimits()

  async function run(outer: AbortSignal): Promise<PassResult | null> {
    const now = clock.now()
    if (!(await takeLease(store, holder, now))) return null
    const lost = new AbortController()
    const renew = () => store.write((transaction) => keepLease(transaction, holder, clock.now()))
    const renewing = setInterval(() => void renew().catch((error: unknown) => lost.abort(error)), renewEveryMs)
    const signal = AbortSignal.any([outer, lost.signal])
    try {
      await setBack(now)
      const { total, unfinished } = await evaluateDue({ now, signal, only: null })
      let left = unfinished
      for (let part = 1; left.size > 0 && part < maxParts && !signal.aborted; part++) {
        const next = await evaluateDue({ now, signal, only: left })
        left = next.unfinished
        total.statements += next.total.statements
        total.evaluations += next.total.evaluations
        total.errors += next.total.errors
        total.events += next.total.events
      }
      await rememberClock()
      return { ...total, behind: await behind(now) }
    } finally {
      clearInterval(renewing)
    }
  }

  /** Cursors ahead of the time would keep their alerts from being evaluated. */
  async function setBack(now: number): Promise<void> {
    const limit = now + stepTolerance
    if (!(await hasCursorsAfter(store, limit))) return
    const count = await store.write(async (transaction) => {
      await keepLease(transaction, holder, clock.now())
      return setBackCursors(transaction, await alertRows.all(transaction), { now, limit })
    })
    if (count > 0)
      parts.logger?.warn({ alerts: count }, 'The clock was set back. Alerts are evaluated again from now on')
  }

  /** For the next process, which continues where this one has ended. */
  async function rememberClock(): Promise<void> {
    await store.write(async (transaction) => {
      await keepLease(transaction, holder, clock.now())
      await writeClockMemory(transaction, clock)
    })
  }

  /** Alerts that cannot be evaluated are counted elsewhere. */
  async function behind(now: number): Promise<number> {
    const cursors = await alertCursors(store)
    const lags = (await alertRows.all(store)).map((alert) => {
      const done = cursors.get(alert.id)?.done ?? null
      const newest = newestEnd(alert, now)
      const isRead = !alert.paused && !alert.executionErrors?.some(({ type }) => type !== 'WEBHOOK_ERROR')
      return isRead && done !== null && newest !== null ? Math.abs(newest - done) : 0
    })
    return lags.reduce((most, lag) => Math.max(most, lag), 0)
  }

  /** Writes outcomes together. If one of them cannot be written, that must not keep the others from being written. */
  async function recordEach(outcomes: readonly Outcome[], now: number): Promise<Recorded[]> {
    try {
      return [await record(parts, outcomes, now)]
    } catch (error) {
      if (error instanceof LeaseLost || error instanceof StoreError) throw error
      const [first] = outcomes
      if (outcomes.length > 1) {
        const middle = Math.ceil(outcomes.length / 2)
        const written = await recordEach(outcomes.slice(0, middle), now)
        return [...written, ...(await recordEach(outcomes.slice(middle), now))]
      }
      parts.logger?.error({ err: error, alert: first?.due.alert.id }, 'An alert could not be evaluated')
      // The second failure is that of the store, not of the alert.
      if (!first?.answer || 'error' in first.answer) throw error
      return [await record(parts, [{ ...first, answer: { error: executionErrorOf(error, maxSeconds) } }], now)]
    }
  }

  /** `unfinished` are alerts with windows left that can be read now, because all of them at once were too much. */
  async function evaluateDue({ now, signal, only }: { now: number; signal: AbortSignal; only: Set<string> | null }) {
    const alerts = (await alertRows.all(store)).filter(({ id }) => only?.has(id) ?? true)
    const due = await dueAlerts(store, alerts, await alertCursors(store), {
      now,
      gaps: clock.gaps(),
      catchUpLimits,
    })
    const unfinished = new Set(due.unread.flatMap(({ alert, hasMore }) => (hasMore ? [alert.id] : [])))
    const total: PassResult = {
      due: due.windowQueries.length + due.invalid.length,
      statements: 0,
      evaluations: 0,
      errors: 0,
      events: 0,
      behind: 0,
    }
    const write = async (outcomes: readonly Outcome[]) => {
      if (outcomes.length === 0 || signal.aborted) return
      for (const written of await recordEach(outcomes, now)) {
        total.evaluations += written.evaluations
        total.errors += written.errors
        total.events += written.events
      }
    }
    // Nothing has to be read for these.
    await write([
      ...due.invalid.map(({ due, error }): Outcome => ({ due, answer: { error } })),
      ...due.unread.map((due): Outcome => ({ due, answer: null })),
    ])
    if (due.windowQueries.length === 0) return { total, unfinished }
    const readable = await parts.readable()
    const batches = reader.batches(due.windowQueries, readable)
    const lane = async () => {
      for (let batch = batches.shift(); batch && !signal.aborted; batch = batches.shift()) {
        const answers = await reader.read(batch, readable, signal)
        total.statements++
        await write(
          batch.entries.flatMap(({ waiting, span }, at): Outcome[] => {
            const answer = answers[at]
            if (!answer) return []
            catchUpLimits.learn(waiting.alert.id, span.windows.length, answer)
            const hasMore = waiting.hasMore || span.windows.length < waiting.windows.length
            if (!('error' in answer) && hasMore) unfinished.add(waiting.alert.id)
            return [{ due: waiting, answer }]
          }),
        )
      }
    }
    await Promise.all(Array.from({ length: lanes[engine.kind] }, lane))
    return { total, unfinished }
  }

  return { run }
}
