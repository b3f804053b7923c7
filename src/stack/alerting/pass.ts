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
import { dueAlerts, CatchUpLimits, type DueAlert, type DueAlerts } from './dueAlerts.ts'
import { executionErrorOf } from './reading/executionError.ts'
import { keepLease, LeaseLost, takeLease } from './lease.ts'
import { Reader, type Answer, type Batch } from './reading/reader.ts'
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

const defaultMaxSeconds = 20
const defaultMaxQueries = 100
/** Parts of one pass, at most: one for each window that an alert can catch up with. */
const maxParts = 50
/** A statement may take long, and the lease must not expire meanwhile. */
const renewEveryMs = 20_000
/** Statements at the same time: the embedded engine has few connections, and charts need them too. */
const lanes = { embedded: 1, remote: 4 }

interface DueWork {
  now: number
  signal: AbortSignal
  /** The alerts to evaluate; null for all. */
  only: ReadonlySet<string> | null
}

export class Passes {
  readonly #dependencies: PassDependencies
  readonly #maxSeconds: number
  readonly #reader: Reader
  readonly #catchUpLimits = new CatchUpLimits()

  constructor(dependencies: PassDependencies) {
    const { engine, maxSeconds = defaultMaxSeconds, maxQueries = defaultMaxQueries } = dependencies
    this.#dependencies = dependencies
    this.#maxSeconds = maxSeconds
    this.#reader = new Reader({ engine, maxSeconds, maxQueries })
  }

  /**
   * Runs one pass. @returns null if another stack evaluates alerts. @throws LeaseLost if another stack took over meanwhile
   */
  async run(outer: AbortSignal): Promise<PassResult | null> {
    const { store, holder, clock } = this.#dependencies
    const now = clock.now()
    if (!(await takeLease(store, holder, now))) return null
    const lost = new AbortController()
    const renew = () => store.write((transaction) => keepLease(transaction, holder, clock.now()))
    const renewing = setInterval(() => void renew().catch((error: unknown) => lost.abort(error)), renewEveryMs)
    const signal = AbortSignal.any([outer, lost.signal])
    try {
      await this.#setBack(now)
      const { total, unfinished } = await this.#evaluateDue({ now, signal, only: null })
      let left = unfinished
      for (let part = 1; left.size > 0 && part < maxParts && !signal.aborted; part++) {
        const next = await this.#evaluateDue({ now, signal, only: left })
        left = next.unfinished
        total.statements += next.total.statements
        addRecorded(total, next.total)
      }
      await this.#rememberClock()
      return { ...total, behind: await this.#behind(now) }
    } finally {
      clearInterval(renewing)
    }
  }

  /** Cursors ahead of the time would keep their alerts from being evaluated. */
  async #setBack(now: number): Promise<void> {
    const { store, holder, clock, logger } = this.#dependencies
    const limit = now + stepTolerance
    if (!(await hasCursorsAfter(store, limit))) return
    const count = await store.write(async (transaction) => {
      await keepLease(transaction, holder, clock.now())
      return setBackCursors(transaction, await alertRows.all(transaction), { now, limit })
    })
    if (count > 0) logger?.warn({ alerts: count }, 'The clock was set back. Alerts are evaluated again from now on')
  }

  /** For the next process, which continues where this one has ended. */
  async #rememberClock(): Promise<void> {
    const { store, holder, clock } = this.#dependencies
    await store.write(async (transaction) => {
      await keepLease(transaction, holder, clock.now())
      await writeClockMemory(transaction, clock)
    })
  }

  /** Alerts that cannot be evaluated are counted elsewhere. */
  async #behind(now: number): Promise<number> {
    const { store } = this.#dependencies
    const cursors = await alertCursors(store)
    const lags = (await alertRows.all(store)).map((alert) => {
      const done = cursors.get(alert.id)?.done ?? null
      const newest = newestEnd(alert, now)
      const isRead = !alert.paused && !alert.executionErrors?.some(({ type }) => type !== 'WEBHOOK_ERROR')
      return isRead && done !== null && newest !== null ? Math.abs(newest - done) : 0
    })
    return lags.reduce((most, lag) => Math.max(most, lag), 0)
  }

  /** Evaluates the due windows of alerts. `unfinished` are alerts with windows left that can be read now, because all of them at once were too much. */
  async #evaluateDue(work: DueWork): Promise<{ total: PassResult; unfinished: Set<string> }> {
    const { store, clock } = this.#dependencies
    const { now, signal, only } = work
    const alerts = (await alertRows.all(store)).filter(({ id }) => only?.has(id) ?? true)
    const due = await dueAlerts(store, alerts, await alertCursors(store), {
      now,
      gaps: clock.gaps(),
      catchUpLimits: this.#catchUpLimits,
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
      for (const written of await this.#recordEach(outcomes, now)) addRecorded(total, written)
    }
    // Nothing has to be read for these.
    await write([
      ...due.invalid.map(({ due, error }): Outcome => ({ due, answer: { error } })),
      ...due.unread.map((due): Outcome => ({ due, answer: null })),
    ])
    if (due.windowQueries.length > 0) {
      await this.#readBatches(due.windowQueries, signal, async (batch, answers) => {
        total.statements++
        await write(this.#outcomesOf(batch, answers, unfinished))
      })
    }
    return { total, unfinished }
  }

  /** Reads windows, several statements at a time where the engine has the connections. @param onRead called for each */
  async #readBatches(
    windowQueries: DueAlerts['windowQueries'],
    signal: AbortSignal,
    onRead: (batch: Batch<DueAlert>, answers: readonly Answer[]) => Promise<void>,
  ): Promise<void> {
    const readable = await this.#dependencies.readable()
    const batches = this.#reader.batches(windowQueries, readable)
    const lane = async () => {
      for (let batch = batches.shift(); batch && !signal.aborted; batch = batches.shift()) {
        await onRead(batch, await this.#reader.read(batch, readable, signal))
      }
    }
    await Promise.all(Array.from({ length: lanes[this.#dependencies.engine.kind] }, lane))
  }

  /** Learns from the answers how much can be read at once, and adds the alerts that have more to read to `unfinished`. */
  #outcomesOf(batch: Batch<DueAlert>, answers: readonly Answer[], unfinished: Set<string>): Outcome[] {
    return batch.entries.flatMap(({ waiting, span }, at): Outcome[] => {
      const answer = answers[at]
      if (!answer) return []
      this.#catchUpLimits.learn(waiting.alert.id, span.windows.length, answer)
      const hasMore = waiting.hasMore || span.windows.length < waiting.windows.length
      if (!('error' in answer) && hasMore) unfinished.add(waiting.alert.id)
      return [{ due: waiting, answer }]
    })
  }

  /** Writes outcomes together. If one of them cannot be written, that must not keep the others from being written. */
  async #recordEach(outcomes: readonly Outcome[], now: number): Promise<Recorded[]> {
    try {
      return [await record(this.#dependencies, outcomes, now)]
    } catch (error) {
      if (error instanceof LeaseLost || error instanceof StoreError) throw error
      const [first] = outcomes
      if (outcomes.length > 1) {
        const middle = Math.ceil(outcomes.length / 2)
        const written = await this.#recordEach(outcomes.slice(0, middle), now)
        return [...written, ...(await this.#recordEach(outcomes.slice(middle), now))]
      }
      const { logger } = this.#dependencies
      logger?.error({ err: error, alert: first?.due.alert.id }, 'An alert could not be evaluated')
      // The second failure is that of the store, not of the alert.
      if (!first?.answer || 'error' in first.answer) throw error
      const answer = { error: executionErrorOf(error, this.#maxSeconds) }
      return [await record(this.#dependencies, [{ ...first, answer }], now)]
    }
  }
}

function addRecorded(total: PassResult, { evaluations, errors, events }: Recorded): void {
  total.evaluations += evaluations
  total.errors += errors
  total.events += events
}
