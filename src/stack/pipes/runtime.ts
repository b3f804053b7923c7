/**
 * Runs pipes according to their documents, also after a restart. Call `changed` after changing a document. Changes that
 * take effect later are applied when they are due. Of several stacks on a database, one runs a pipe at a time: the one with
 * its lease. Another one takes it over once that stack has ended.
 */
import { rollup } from 'd3-array'
import { setTimeout as wait } from 'node:timers/promises'
import { currentTime } from '#node/clock/wallClock.ts'
import { Refusal, refuse } from '../refusal.ts'
import { destinationTablesOf } from './loads/destinationTable.ts'
import { errorTableOf } from './records/errorTable.ts'
import { serviceRows } from '../documents/serviceRows.ts'
import { settledService } from '../documents/serviceDocument.ts'
import type { Cloud } from './model/cloud.ts'
import type { CloudBehavior } from './model/cloudBehavior.ts'
import { openEgressProxy } from '../net/egressProxy.ts'
import { leasedEngine } from './loads/leasedEngine.ts'
import { stopCounter } from './loads/loadStopped.ts'
import { discardUnfinished, pipesWithLoads, type LoadEngine } from './loads/loads.ts'
import { countError, progressOf } from './loads/loadTotals.ts'
import { objectStorageRunner } from './objectStorage/objectStorageRunner.ts'
import { isActive, isSimulated, kindOf, settledPipe, sizeOf, type PipeDocument } from './model/pipeDocument.ts'
import { pipeRows } from './model/pipeRows.ts'
import type { Outcome, PipeRunner, Report, RunnerDependencies } from './loads/pipeRunner.ts'
import type { Store } from '../store/store.ts'
import { TaskLost, type TaskLease, type Tasks } from '../cluster/tasks.ts'
import { usageMeter } from './model/pipeUsage.ts'

export interface CloudOptions extends Omit<RunnerDependencies, 'engine' | 'meter'> {
  /** Null without an engine: pipes that move data fail then. */
  engine: RunnerDependencies['engine'] | null
  behavior: CloudBehavior
  tasks: Tasks
}

export interface RunningCloud extends Cloud {
  /** How many pipes have each state. */
  states(): ReadonlyMap<string, number>
  /** Stops all pipes and waits for them. They continue at the next start. */
  close(): Promise<void>
}

const checkEveryMs = 1000
/** A degraded pipe retries for this long before it fails: docs/DEPLOYMENTS.md#pipes. */
const patienceMs = 15 * 60_000
/** A run that has not failed for so long goes well: records wait at most half of it for others of their batch. */
const heldMs = 120_000
/** How long a deleted pipe may take to stop, in another stack. */
const releaseTimeoutMs = 15_000
/** How long a sample of a source may take. */
const sampleMs = 20_000

/** States in which a runner works. Earlier states only take time. */
const workingStates: readonly string[] = ['Running', 'Setup', 'Snapshot', 'Degraded']

/** States in which nothing changes by itself. */
const restStates: readonly string[] = ['Stopped', 'Failed']

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

const taskOf = (pipeId: string) => `pipe ${pipeId}`

function termsOf({ source, destination, fieldMappings, settings, scaling, internal }: PipeDocument): string {
  return JSON.stringify([source, destination, fieldMappings, settings, scaling, internal.secrets])
}

export async function startCloud(options: CloudOptions): Promise<RunningCloud> {
  const { store, engine, behavior, logger, pauses, tasks } = options
  const meter = engine && usageMeter(engine)
  const runs = new Map<string, Run>()
  let closing = false
  let reconciling = Promise.resolve()
  let states: ReadonlyMap<string, number> = new Map()
  let timer: NodeJS.Timeout | undefined
  let tidying: Promise<void> | undefined
  // The hosts of a cluster do not use this proxy: their own configuration decides what they reach.
  const closeEgress = engine?.kind === 'embedded' ? await openEgressProxy(options.checkHost) : null

  /** The running one, which knows more, or else one that may not run. */
  async function runnerOf(pipe: PipeDocument): Promise<PipeRunner | null> {
    return runs.get(pipe.id)?.runner ?? newRunner(pipe, store, engine)
  }

  /** The clients of sources take half of the start of a stack: they are imported when they are needed. */
  async function newRunner(pipe: PipeDocument, over: Store, into: LoadEngine | null): Promise<PipeRunner | null> {
    if (!into || !meter || isSimulated(pipe)) return null
    const parts = { ...options, store: over, engine: into, meter }
    switch (kindOf(pipe)) {
      case 'kafka':
        return (await import('./kafka/kafkaRunner.ts')).kafkaRunner(parts)
      case 'kinesis':
        return (await import('./kinesis/kinesisRunner.ts')).kinesisRunner(parts)
      case 'objectStorage':
        return objectStorageRunner(parts)
      case 'postgres':
        return (await import('./postgres/postgresRunner.ts')).postgresRunner(parts)
      default:
        return null
    }
  }

  /** @throws Refusal 400 for a pipe without offsets */
  async function offsetRunner(
    pipe: PipeDocument,
  ): Promise<Required<Pick<PipeRunner, 'position' | 'planOffsets' | 'resetOffsets'>>> {
    const { position, planOffsets, resetOffsets } = (await runnerOf(pipe)) ?? {}
    if (!position || !planOffsets || !resetOffsets) {
      throw refuse(`${pipe.id} has no consumer group${isSimulated(pipe) ? ': it is simulated' : ''}`)
    }
    return { position, planOffsets, resetOffsets }
  }

  /** Starts and stops runs according to the documents. */
  async function reconcile(): Promise<void> {
    if (closing) return
    const now = currentTime()
    const services = await serviceRows.all(store)
    const running = new Set(
      services.filter((service) => settledService(service, now).state === 'running').map((service) => service.id),
    )
    const pipes = (await pipeRows.all(store)).map((document) => settledPipe(document, now))
    states = rollup(
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
    scheduleReconcile(pipes.map((pipe) => pipe.internal.change?.at))
    for (const [id, run] of runs) {
      const pipe = wanted.get(id)
      if (!pipe || termsOf(pipe) !== run.terms || run.lease?.isHeld() === false) run.stop.abort()
    }
    const taken = await tasks.taken()
    for (const [id, pipe] of wanted) if (!runs.has(id) && !taken.has(taskOf(id))) start(pipe)
    tidying ??= tidy(taken).finally(() => (tidying = undefined))
  }

  /** Discards what was left of pipes that are not to run any more. */
  async function tidy(taken: ReadonlySet<string>): Promise<void> {
    if (!engine) return
    try {
      for (const id of await pipesWithLoads(store)) {
        if (closing) return
        if (runs.has(id) || taken.has(taskOf(id))) continue
        const lease = await tasks.take(taskOf(id))
        if (!lease) continue
        await discardUnfinished(lease.store, leasedEngine(engine, lease), id).finally(lease.release)
      }
    } catch (error) {
      if (!closing) logger.warn({ err: error }, 'The rows of an interrupted load could not be removed yet')
    }
  }

  /** Runs again when the next change is due, at the latest in a second. */
  function scheduleReconcile(changes: readonly (string | undefined)[]): void {
    const due = changes.map((at) => (at === undefined ? checkEveryMs : Date.parse(at) - currentTime()))
    clearTimeout(timer)
    timer = setTimeout(changed, Math.max(1, Math.min(checkEveryMs, ...due)))
    timer.unref()
  }

  function start(pipe: PipeDocument): void {
    const run: Run = { terms: termsOf(pipe), stop: new AbortController(), over: Promise.resolve() }
    runs.set(pipe.id, run)
    run.over = withLease(pipe, run)
      .catch((error: unknown) => logger.error({ err: error, pipe: pipe.id }, 'A data pipe ended unexpectedly'))
      .finally(() => {
        runs.delete(pipe.id)
        if (run.lease) changed()
      })
  }

  async function withLease(pipe: PipeDocument, run: Run): Promise<void> {
    const lease = await tasks.take(taskOf(pipe.id))
    if (!lease) return
    run.lease = lease
    try {
      await keepRunning(pipe, run, lease)
    } catch (error) {
      if (!(error instanceof TaskLost)) throw error
      logger.warn({ pipe: pipe.id }, 'Another stack runs this data pipe now')
    } finally {
      await lease.release()
    }
  }

  /** Runs a pipe to its end, with retries while it is degraded. */
  async function keepRunning(document: PipeDocument, run: Run, lease: TaskLease): Promise<void> {
    let pipe = document
    const { signal } = run.stop
    const settle = settling(lease.store, signal)
    const into = engine && leasedEngine(engine, lease)
    const runner = await newRunner(pipe, lease.store, into)
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

  /** Stores the state of a run, unless the pipe was changed meanwhile. */
  const settling = (over: Store, signal: AbortSignal) => async (pipeId: string, report: Report | Outcome) => {
    const { state, detail } = report
    await over.write(async (transaction) => {
      const document = await pipeRows.get(transaction, pipeId)
      if (!document || signal.aborted) return
      const pipe = settledPipe(document, currentTime())
      if (!isActive(pipe) || pipe.internal.change) return
      const isDone = isResynced(report)
      if ((state ?? pipe.state) === pipe.state && detail === pipe.stateDetail && !(isDone && pipe.internal.resync))
        return
      await pipeRows.update(transaction, {
        ...pipe,
        state: state ?? pipe.state,
        stateDetail: detail,
        internal: isDone ? withoutResync(pipe.internal) : pipe.internal,
      })
    })
  }

  function changed(): void {
    reconciling = reconciling.then(reconcile).catch((error: unknown) => {
      if (closing) return
      logger.error({ err: error }, 'Failed to read the data pipes')
      scheduleReconcile([])
    })
  }

  changed()

  return {
    behavior,
    states: () => states,
    convergesAt: () => new Date(currentTime() + behavior.convergenceSeconds * 1000).toISOString(),
    changed,
    async position(pipe) {
      const group = await (await offsetRunner(pipe)).position(pipe)
      if (runs.has(pipe.id) || !(await tasks.taken()).has(taskOf(pipe.id))) return group
      // Another stack has them. Which of them reads what, and how far the topic is, only that one knows.
      return { ...group, consumers: sizeOf(pipe).replicas }
    },
    async shards(pipe) {
      const runner = await runnerOf(pipe)
      if (!runner?.shards) throw refuse(`${pipe.id} has no shards${isSimulated(pipe) ? ': it is simulated' : ''}`)
      return runner.shards(pipe)
    },
    async offsets(pipe, input, does) {
      const runner = await offsetRunner(pipe)
      if (does === 'plan') return runner.planOffsets(pipe, input)
      // It may still be stopping, here or in another stack.
      const lease = restStates.includes(pipe.state) ? await tasks.take(taskOf(pipe.id)) : null
      if (!lease) throw refuse(`stop ${pipe.id} before its offsets are reset`)
      return runner.resetOffsets(pipe, input).finally(lease.release)
    },
    async resend(pipe) {
      const runner = await runnerOf(pipe)
      if (!runner?.resend)
        throw refuse(
          `the bad records of ${pipe.id} cannot be loaded again: it is no Kafka, Kinesis or object storage pipe with a source`,
        )
      return runner.resend(pipe)
    },
    errorTables: (pipe) => destinationTablesOf(pipe).map((table) => errorTableOf(table, options.pipeWord)),
    async check(pipe, signal) {
      await (await runnerOf(pipe))?.check(pipe, signal)
    },
    async sample(pipe, signal) {
      const runner = await runnerOf(pipe)
      if (!runner) throw refuse('this stack has no telemetry engine')
      try {
        return await runner.sample(pipe, AbortSignal.any([signal, AbortSignal.timeout(sampleMs)]))
      } catch (error) {
        if (error instanceof Refusal || signal.aborted) throw error
        const isLate = error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError')
        const reason = isLate ? `no response in ${sampleMs / 1000} seconds` : reasonOf(error)
        throw refuse(`The source cannot be read: ${reason}`)
      }
    },
    async forget(pipe) {
      const run = runs.get(pipe.id)
      run?.stop.abort()
      await run?.over
      meter?.forget(pipe.id)
      const lease = await tasks.takeOver(taskOf(pipe.id), releaseTimeoutMs)
      try {
        await (await runnerOf(pipe))?.forget?.(pipe)
      } catch (error) {
        logger.warn({ err: error, pipe: pipe.id }, 'Failed to clean up the source of a deleted data pipe')
      } finally {
        await lease.release()
      }
    },
    meter,
    async close() {
      closing = true
      await reconciling
      clearTimeout(timer)
      for (const run of runs.values()) run.stop.abort()
      await Promise.all([...runs.values()].map((run) => run.over))
      await tidying
      closeEgress?.()
    },
  }
}

/** The innermost reason of an error, which says what happened: the AWS client and others wrap it. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error'
  return error.cause instanceof Error ? reasonOf(error.cause) : error.message
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
