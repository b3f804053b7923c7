/**
 * The runs of pipes: they follow the documents of the pipes, also after a restart. Changes that take effect later are applied
 * when they are due. Of several stacks on a database, one runs a pipe at a time: the one with its lease. Another one takes it
 * over once that stack has ended.
 */
import { rollup } from 'd3-array'
import { setTimeout as wait } from 'node:timers/promises'
import { currentTime } from '#node/clock/wallClock.ts'
import { TaskLost, type TaskLease, type Tasks } from '../cluster/tasks.ts'
import { settledService } from '../documents/serviceDocument.ts'
import { serviceRows } from '../documents/serviceRows.ts'
import { Refusal } from '../refusal.ts'
import type { Store } from '../store/store.ts'
import { leasedEngine } from './loads/leasedEngine.ts'
import { discardUnfinished, pipesWithLoads, type LoadEngine } from './loads/loads.ts'
import { stopCounter } from './loads/loadStopped.ts'
import { countError, progressOf } from './loads/loadTotals.ts'
import type { Outcome, PipeRunner, Report, RunnerDependencies } from './loads/pipeRunner.ts'
import { isActive, isSimulated, kindOf, settledPipe, type PipeDocument } from './model/pipeDocument.ts'
import { pipeRows } from './model/pipeRows.ts'
import { ObjectStorageRunner } from './objectStorage/objectStorageRunner.ts'

export interface RunDependencies extends Omit<RunnerDependencies, 'engine' | 'meter'> {
  /** Null without an engine: pipes that move data fail then. */
  engine: RunnerDependencies['engine'] | null
  meter: RunnerDependencies['meter'] | null
  tasks: Tasks
}

const checkEveryMs = 1000
/** A degraded pipe retries for this long before it fails: docs/DEPLOYMENTS.md#pipes. */
const patienceMs = 15 * 60_000
/** A run that has not failed for so long goes well: records wait at most half of it for others of their batch. */
const heldMs = 120_000

/** States in which a runner works. Earlier states only take time. */
const workingStates: readonly string[] = ['Running', 'Setup', 'Snapshot', 'Degraded']

interface Run {
  /** The configuration of the run. A change restarts it. */
  terms: string
  stop: AbortController
  over: Promise<void>
  /** Unset while the lease is being taken. */
  lease?: TaskLease
  /** The runner with the lease. */
  runner?: PipeRunner | null
}

export const taskOf = (pipeId: string) => `pipe ${pipeId}`

function termsOf({ source, destination, fieldMappings, settings, scaling, internal }: PipeDocument): string {
  return JSON.stringify([source, destination, fieldMappings, settings, scaling, internal.secrets])
}

export class PipeRuns {
  readonly #dependencies: RunDependencies
  readonly #runs = new Map<string, Run>()
  #isClosing = false
  #reconciling = Promise.resolve()
  #states: ReadonlyMap<string, number> = new Map()
  #timer: NodeJS.Timeout | undefined
  #tidying: Promise<void> | undefined

  constructor(dependencies: RunDependencies) {
    this.#dependencies = dependencies
  }

  /** How many pipes have each state. */
  get states(): ReadonlyMap<string, number> {
    return this.#states
  }

  /** Whether this stack runs a pipe. */
  has(pipeId: string): boolean {
    return this.#runs.has(pipeId)
  }

  /** Starts and stops runs according to the documents, soon. */
  follow(): void {
    this.#reconciling = this.#reconciling
      .then(() => this.#reconcile())
      .catch((error: unknown) => {
        if (this.#isClosing) return
        this.#dependencies.logger.error({ err: error }, 'Failed to read the data pipes')
        this.#scheduleReconcile([])
      })
  }

  /** The runner of a pipe that runs, which knows more, or else one that may not run; null for a pipe that has none. */
  async runnerOf(pipe: PipeDocument): Promise<PipeRunner | null> {
    const { store, engine } = this.#dependencies
    return this.#runs.get(pipe.id)?.runner ?? this.#newRunner(pipe, store, engine)
  }

  /** Returns once the run of a pipe has ended. */
  async stop(pipeId: string): Promise<void> {
    const run = this.#runs.get(pipeId)
    run?.stop.abort()
    await run?.over
  }

  /** Stops all pipes and waits for them. They continue at the next start. */
  async close(): Promise<void> {
    this.#isClosing = true
    await this.#reconciling
    clearTimeout(this.#timer)
    for (const run of this.#runs.values()) run.stop.abort()
    await Promise.all([...this.#runs.values()].map((run) => run.over))
    await this.#tidying
  }

  /** The clients of sources take half of the start of a stack: they are imported when they are needed. */
  async #newRunner(pipe: PipeDocument, store: Store, engine: LoadEngine | null): Promise<PipeRunner | null> {
    const { meter } = this.#dependencies
    if (!engine || !meter || isSimulated(pipe)) return null
    const parts = { ...this.#dependencies, store, engine, meter }
    switch (kindOf(pipe)) {
      case 'kafka':
        return new (await import('./kafka/kafkaRunner.ts')).KafkaRunner(parts)
      case 'kinesis':
        return new (await import('./kinesis/kinesisRunner.ts')).KinesisRunner(parts)
      case 'objectStorage':
        return new ObjectStorageRunner(parts)
      case 'postgres':
        return (await import('./postgres/postgresRunner.ts')).postgresRunner(parts)
      default:
        return null
    }
  }

  async #reconcile(): Promise<void> {
    if (this.#isClosing) return
    const { store, tasks } = this.#dependencies
    const now = currentTime()
    const services = await serviceRows.all(store)
    const running = new Set(
      services.filter((service) => settledService(service, now).state === 'running').map((service) => service.id),
    )
    const pipes = (await pipeRows.all(store)).map((document) => settledPipe(document, now))
    this.#states = rollup(
      pipes,
      (same) => same.length,
      ({ state }) => state,
    )
    const wanted = new Map(
      pipes
        .filter((pipe) => !isSimulated(pipe))
        .filter((pipe) => workingStates.includes(pipe.state) && running.has(pipe.serviceId))
        .map((pipe) => [pipe.id, pipe]),
    )
    this.#scheduleReconcile(pipes.map((pipe) => pipe.internal.change?.at))
    for (const [id, run] of this.#runs) {
      const pipe = wanted.get(id)
      if (!pipe || termsOf(pipe) !== run.terms || run.lease?.isHeld() === false) run.stop.abort()
    }
    const taken = await tasks.taken()
    for (const [id, pipe] of wanted) if (!this.#runs.has(id) && !taken.has(taskOf(id))) this.#start(pipe)
    this.#tidying ??= this.#tidy(taken).finally(() => (this.#tidying = undefined))
  }

  /** Discards what was left of pipes that are not to run any more. */
  async #tidy(taken: ReadonlySet<string>): Promise<void> {
    const { engine, store, tasks, logger } = this.#dependencies
    if (!engine) return
    try {
      for (const id of await pipesWithLoads(store)) {
        if (this.#isClosing) return
        if (this.#runs.has(id) || taken.has(taskOf(id))) continue
        const lease = await tasks.take(taskOf(id))
        if (!lease) continue
        await discardUnfinished(lease.store, leasedEngine(engine, lease), id).finally(lease.release)
      }
    } catch (error) {
      if (!this.#isClosing) logger.warn({ err: error }, 'The rows of an interrupted load could not be removed yet')
    }
  }

  /** Follows the documents again when the next change is due, at the latest in a second. */
  #scheduleReconcile(changes: readonly (string | undefined)[]): void {
    const due = changes.map((at) => (at === undefined ? checkEveryMs : Date.parse(at) - currentTime()))
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.follow(), Math.max(1, Math.min(checkEveryMs, ...due)))
    this.#timer.unref()
  }

  #start(pipe: PipeDocument): void {
    const run: Run = { terms: termsOf(pipe), stop: new AbortController(), over: Promise.resolve() }
    this.#runs.set(pipe.id, run)
    run.over = this.#withLease(pipe, run)
      .catch((error: unknown) =>
        this.#dependencies.logger.error({ err: error, pipe: pipe.id }, 'A data pipe ended unexpectedly'),
      )
      .finally(() => {
        this.#runs.delete(pipe.id)
        if (run.lease) this.follow()
      })
  }

  async #withLease(pipe: PipeDocument, run: Run): Promise<void> {
    const { tasks, logger } = this.#dependencies
    const lease = await tasks.take(taskOf(pipe.id))
    if (!lease) return
    run.lease = lease
    try {
      await this.#keepRunning(pipe, run, lease)
    } catch (error) {
      if (!(error instanceof TaskLost)) throw error
      logger.warn({ pipe: pipe.id }, 'Another stack runs this data pipe now')
    } finally {
      await lease.release()
    }
  }

  /** Runs a pipe to its end, with retries while it is degraded. */
  async #keepRunning(document: PipeDocument, run: Run, lease: TaskLease): Promise<void> {
    const { engine, pauses } = this.#dependencies
    let pipe = document
    const { signal } = run.stop
    const settle = settling(lease.store, signal)
    const into = engine && leasedEngine(engine, lease)
    const runner = await this.#newRunner(pipe, lease.store, into)
    if (!into || !runner) return settle(pipe.id, { state: 'Failed', detail: 'this stack has no telemetry engine' })
    run.runner = runner
    let troubleSince: number | null = null
    const stops = stopCounter()
    for (let attempt = 0; ; attempt++) {
      try {
        await discardUnfinished(lease.store, into, pipe.id)
        const begun = performance.now()
        const report = async (now: Report) => {
          // A pipe that stops at a record says that it runs once it has got past it.
          if (performance.now() - begun < heldMs && (await stops.isHeld(() => progressOf(lease.store, pipe.id)))) return
          troubleSince = null
          attempt = 0
          await settle(pipe.id, now)
          // The next try does not do it again.
          if (isResynced(now)) pipe = { ...pipe, internal: withoutResync(pipe.internal) }
        }
        const outcome = await runner.run(pipe, report, signal)
        if (outcome) await settle(pipe.id, outcome)
        return
      } catch (error) {
        if (signal.aborted) return
        if (!lease.isHeld()) throw new TaskLost('another stack may run this data pipe', { cause: error })
        const detail = error instanceof Error ? error.message : 'unknown error'
        troubleSince ??= performance.now()
        await lease.store.write((transaction) => countError(transaction, pipe.id))
        if (error instanceof Refusal || performance.now() - troubleSince > patienceMs) {
          return settle(pipe.id, { state: 'Failed', detail })
        }
        const place = stops.note(error, await progressOf(lease.store, pipe.id))
        await settle(pipe.id, { state: 'Degraded', detail: `${detail}${place}; trying again` })
        const delay = Math.min(pauses.longestRetry, pauses.retry * 2 ** attempt)
        await wait(delay, undefined, { signal, ref: false }).catch(() => undefined)
        if (signal.aborted) return
      }
    }
  }
}

/** @returns what stores the state of a run, unless the pipe was changed meanwhile */
const settling = (over: Store, signal: AbortSignal) => async (pipeId: string, report: Report | Outcome) => {
  const { state, detail } = report
  await over.write(async (transaction) => {
    const document = await pipeRows.get(transaction, pipeId)
    if (!document || signal.aborted) return
    const pipe = settledPipe(document, currentTime())
    if (!isActive(pipe) || pipe.internal.change) return
    const isDone = isResynced(report)
    if ((state ?? pipe.state) === pipe.state && detail === pipe.stateDetail && !(isDone && pipe.internal.resync)) return
    await pipeRows.update(transaction, {
      ...pipe,
      state: state ?? pipe.state,
      stateDetail: detail,
      internal: isDone ? withoutResync(pipe.internal) : pipe.internal,
    })
  })
}

/** Whether a resync that was asked for is done. */
function isResynced(report: Report | Outcome): boolean {
  return (
    report.state === 'Running' || report.state === 'Completed' || ('resynced' in report && report.resynced === true)
  )
}

function withoutResync({ resync: _resync, ...internal }: PipeDocument['internal']): PipeDocument['internal'] {
  return internal
}
