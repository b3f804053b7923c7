/**
 * Runs pipes according to their documents, also after a restart. Call `changed` after changing a document. Changes that
 * take effect later are applied when they are due.
 */
import { rollup } from 'd3-array'
import { setTimeout as wait } from 'node:timers/promises'
import { Refusal, refuse } from '../refusal.ts'
import { destinationTableOf } from './loads/destinationTable.ts'
import { errorTableOf } from './records/errorTable.ts'
import { serviceRows } from '../documents/serviceRows.ts'
import { settledService } from '../documents/serviceDocument.ts'
import type { Cloud } from './model/cloud.ts'
import type { CloudBehavior } from './model/cloudBehavior.ts'
import { openEgressProxy } from '../net/egressProxy.ts'
import { discardUnfinished } from './loads/loads.ts'
import { countError } from './loads/loadTotals.ts'
import { kafkaRunner } from './kafka/kafkaRunner.ts'
import { kinesisRunner } from './kinesis/kinesisRunner.ts'
import { objectStorageRunner } from './objectStorage/objectStorageRunner.ts'
import { isActive, isSimulated, kindOf, settledPipe, type PipeDocument } from './model/pipeDocument.ts'
import { pipeRows } from './model/pipeRows.ts'
import { postgresRunner } from './postgres/postgresRunner.ts'
import type { Outcome, PipeRunner, Report, RunnerParts } from './loads/pipeRunner.ts'
import { usageMeter } from './model/pipeUsage.ts'

export interface CloudOptions extends Omit<RunnerParts, 'engine' | 'meter'> {
  /** Null without an engine: pipes that move data fail then. */
  engine: RunnerParts['engine'] | null
  behavior: CloudBehavior
}

export interface RunningCloud extends Cloud {
  /** How many pipes have each state. */
  states(): ReadonlyMap<string, number>
  /** Stops all pipes and waits for them. They continue at the next start. */
  close(): Promise<void>
}

const checkEveryMs = 1000
/** A degraded pipe retries for this long before it fails: managed reference 7.4. */
const patienceMs = 15 * 60_000
const maxDelayMs = 30_000
/** How long a sample of a source may take. */
const sampleMs = 20_000

/** States in which a runner works. Earlier states only take time. */
const workingStates: readonly string[] = ['Running', 'Setup', 'Snapshot', 'Degraded']

/** States in which nothing changes by itself. */
const restState: readonly string[] = ['Stopped', 'Failed']

interface Run {
  /** The configuration of the run. A change restarts it. */
  terms: string
  stop: AbortController
  over: Promise<void>
}

function termsOf({ source, destination, fieldMappings, settings, scaling, internal }: PipeDocument): string {
  return JSON.stringify([source, destination, fieldMappings, settings, scaling, internal.secrets])
}

export async function startCloud(options: CloudOptions): Promise<RunningCloud> {
  const { store, engine, behavior, logger } = options
  const meter = engine && usageMeter(engine)
  const runners = engine &&
    meter && {
      kafka: kafkaRunner({ ...options, engine, meter }),
      kinesis: kinesisRunner({ ...options, engine, meter }),
      objectStorage: objectStorageRunner({ ...options, engine, meter }),
      postgres: postgresRunner({ ...options, engine, meter }),
    }
  const runs = new Map<string, Run>()
  let closing = false
  let reconciling = Promise.resolve()
  let states: ReadonlyMap<string, number> = new Map()
  let timer: NodeJS.Timeout | undefined
  if (engine) await discardUnfinished(store, engine)
  // The hosts of a cluster do not use this proxy: their own configuration decides what they reach.
  const closeEgress = engine?.kind === 'embedded' ? await openEgressProxy(options.checkHost) : null

  function runnerOf(pipe: PipeDocument): PipeRunner | null {
    const kind = kindOf(pipe)
    if (!runners || isSimulated(pipe)) return null
    return kind === 'kafka' || kind === 'kinesis' || kind === 'objectStorage' || kind === 'postgres'
      ? runners[kind]
      : null
  }

  /** @throws Refusal 400 for a pipe without offsets */
  function offsetRunner(pipe: PipeDocument): Required<Pick<PipeRunner, 'position' | 'planOffsets' | 'resetOffsets'>> {
    const { position, planOffsets, resetOffsets } = runnerOf(pipe) ?? {}
    if (!position || !planOffsets || !resetOffsets) {
      throw refuse(`${pipe.id} has no consumer group${isSimulated(pipe) ? ': it is simulated' : ''}`)
    }
    return { position, planOffsets, resetOffsets }
  }

  /** Starts and stops runs according to the documents. */
  async function reconcile(): Promise<void> {
    if (closing) return
    const now = Date.now()
    const services = await serviceRows.all(store)
    const running = new Set(services.filter((one) => settledService(one, now).state === 'running').map((one) => one.id))
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
      if (!pipe || termsOf(pipe) !== run.terms) run.stop.abort()
    }
    for (const [id, pipe] of wanted) if (!runs.has(id)) start(pipe)
  }

  /** Runs again when the next change is due, at the latest in a second. */
  function scheduleReconcile(changes: readonly (string | undefined)[]): void {
    const due = changes.map((at) => (at === undefined ? checkEveryMs : Date.parse(at) - Date.now()))
    clearTimeout(timer)
    timer = setTimeout(changed, Math.max(1, Math.min(checkEveryMs, ...due)))
    timer.unref()
  }

  function start(pipe: PipeDocument): void {
    const stop = new AbortController()
    const over = keepRunning(pipe, stop.signal)
      .catch((error: unknown) => logger.error({ err: error, pipe: pipe.id }, 'A data pipe ended unexpectedly'))
      .finally(() => {
        runs.delete(pipe.id)
        changed()
      })
    runs.set(pipe.id, { terms: termsOf(pipe), stop, over })
  }

  /** Runs a pipe to its end, with retries while it is degraded. */
  async function keepRunning(pipe: PipeDocument, signal: AbortSignal): Promise<void> {
    const runner = runnerOf(pipe)
    if (!runner) return settle(pipe.id, { state: 'Failed', detail: 'this stack has no telemetry engine' }, signal)
    let troubleSince: number | null = null
    for (let attempt = 0; ; attempt++) {
      try {
        const report = async (now: Report) => {
          troubleSince = null
          attempt = 0
          await settle(pipe.id, now, signal)
        }
        const outcome = await runner.run(pipe, report, signal)
        if (outcome) await settle(pipe.id, outcome, signal)
        return
      } catch (error) {
        if (signal.aborted) return
        const detail = error instanceof Error ? error.message : 'unknown error'
        troubleSince ??= Date.now()
        await store.write((transaction) => countError(transaction, pipe.id))
        if (error instanceof Refusal || Date.now() - troubleSince > patienceMs) {
          return settle(pipe.id, { state: 'Failed', detail }, signal)
        }
        await settle(pipe.id, { state: 'Degraded', detail: `${detail}; trying again` }, signal)
        const delay = Math.min(maxDelayMs, 1000 * 2 ** attempt)
        await wait(delay, undefined, { signal, ref: false }).catch(() => undefined)
        if (signal.aborted) return
      }
    }
  }

  /** Stores the state of a run, unless the pipe was changed meanwhile. */
  async function settle(pipeId: string, { state, detail }: Report | Outcome, signal: AbortSignal): Promise<void> {
    await store.write(async (transaction) => {
      const document = await pipeRows.get(transaction, pipeId)
      if (!document || signal.aborted) return
      const pipe = settledPipe(document, Date.now())
      if (!isActive(pipe) || pipe.internal.change) return
      if ((state ?? pipe.state) === pipe.state && detail === pipe.stateDetail) return
      const { resync: _resync, ...internal } = pipe.internal
      await pipeRows.update(transaction, {
        ...pipe,
        state: state ?? pipe.state,
        stateDetail: detail,
        internal: state === 'Running' || state === 'Completed' ? internal : pipe.internal,
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
    convergesAt: () => new Date(Date.now() + behavior.convergenceSeconds * 1000).toISOString(),
    changed,
    async position(pipe) {
      return offsetRunner(pipe).position(pipe)
    },
    async shards(pipe) {
      const runner = runnerOf(pipe)
      if (!runner?.shards) throw refuse(`${pipe.id} has no shards${isSimulated(pipe) ? ': it is simulated' : ''}`)
      return runner.shards(pipe)
    },
    async offsets(pipe, input, does) {
      const runner = offsetRunner(pipe)
      if (does === 'plan') return runner.planOffsets(pipe, input)
      // It may still be stopping.
      if (!restState.includes(pipe.state) || runs.has(pipe.id))
        throw refuse(`stop ${pipe.id} before its offsets are reset`)
      return runner.resetOffsets(pipe, input)
    },
    errorTable: (pipe) => errorTableOf(destinationTableOf(pipe), options.pipeWord),
    async check(pipe, signal) {
      await runnerOf(pipe)?.check(pipe, signal)
    },
    async sample(pipe, signal) {
      const runner = runnerOf(pipe)
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
      await runnerOf(pipe)
        ?.forget?.(pipe)
        .catch((error: unknown) =>
          logger.warn({ err: error, pipe: pipe.id }, 'Failed to clean up the source of a deleted data pipe'),
        )
    },
    meter,
    async close() {
      closing = true
      await reconciling
      clearTimeout(timer)
      for (const run of runs.values()) run.stop.abort()
      await Promise.all([...runs.values()].map((run) => run.over))
      closeEgress?.()
    },
  }
}

/** The innermost reason of an error, which says what happened: the AWS client and others wrap it. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error'
  return error.cause instanceof Error ? reasonOf(error.cause) : error.message
}
