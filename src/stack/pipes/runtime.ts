/**
 * Runs the pipes that move data, as their documents say: started, stopped and started again after a restart. Whatever
 * changes a document calls `changed`; what follows with time is looked for when it is due.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { pipeFamilies } from '#contract/pipeKinds.ts'
import { Refusal } from '../refusal.ts'
import { serviceRows } from '../documents/serviceRows.ts'
import { settledService } from '../documents/serviceDocument.ts'
import type { Cloud } from './model/cloud.ts'
import type { CloudBehavior } from './model/cloudBehavior.ts'
import { openEgressProxy } from '../net/egressProxy.ts'
import { discardUnfinished } from './loads/loads.ts'
import { countError } from './loads/loadTotals.ts'
import { objectStorageRunner } from './objectStorage/objectStorageRunner.ts'
import { isActive, kindOf, settledPipe, type PipeDocument } from './model/pipeDocument.ts'
import { pipeRows } from './model/pipeRows.ts'
import { postgresRunner } from './postgres/postgresRunner.ts'
import type { Outcome, PipeRunner, Report, RunnerParts } from './loads/pipeRunner.ts'
import { usageMeter } from './model/pipeUsage.ts'

export interface CloudOptions extends Omit<RunnerParts, 'engine' | 'meter'> {
  /** Null where there is none: pipes that move data fail then, and say so. */
  engine: RunnerParts['engine'] | null
  behavior: CloudBehavior
}

export interface RunningCloud extends Cloud {
  /** Stops what runs and waits for it. What was under way goes on at the next start. */
  close(): Promise<void>
}

const lookEveryMs = 1000
/** A pipe in trouble tries again until it has been in trouble for this long: managed reference 7.4. */
const patienceMs = 15 * 60_000
const longestDelayMs = 30_000

/** States in which a runner works. Before them a pipe is being provided for, which only takes time. */
const workingStates: readonly string[] = ['Running', 'Setup', 'Snapshot', 'Degraded']

interface Run {
  /** What it runs by: a change makes it start anew. */
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
      objectStorage: objectStorageRunner({ ...options, engine, meter }),
      postgres: postgresRunner({ ...options, engine, meter }),
    }
  const runs = new Map<string, Run>()
  let closing = false
  let reconciling = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  if (engine) await discardUnfinished(store, engine)
  // A cluster finds its own way: what its hosts may reach is for its configuration to say.
  const closeEgress = engine?.kind === 'embedded' ? await openEgressProxy(options.checkHost) : null

  function runnerOf(pipe: PipeDocument): PipeRunner | null {
    const kind = kindOf(pipe)
    return runners && (kind === 'objectStorage' || kind === 'postgres') ? runners[kind] : null
  }

  /** Starts and stops runs so that they are what the documents say. */
  async function reconcile(): Promise<void> {
    if (closing) return
    const now = Date.now()
    const services = await serviceRows.all(store)
    const running = new Set(services.filter((one) => settledService(one, now).state === 'running').map((one) => one.id))
    const pipes = (await pipeRows.all(store)).map((document) => settledPipe(document, now))
    const wanted = new Map(
      pipes
        .filter((pipe) => pipeFamilies[kindOf(pipe)] !== 'streaming')
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

  /** When the next change is due, and in a second at the latest. */
  function scheduleReconcile(changes: readonly (string | undefined)[]): void {
    const due = changes.map((at) => (at === undefined ? lookEveryMs : Date.parse(at) - Date.now()))
    clearTimeout(timer)
    timer = setTimeout(changed, Math.max(1, Math.min(lookEveryMs, ...due)))
    timer.unref()
  }

  function start(pipe: PipeDocument): void {
    const stop = new AbortController()
    const over = keepRunning(pipe, stop.signal)
      .catch((error: unknown) => logger.error({ err: error, pipe: pipe.id }, 'a data pipe ended unexpectedly'))
      .finally(() => {
        runs.delete(pipe.id)
        changed()
      })
    runs.set(pipe.id, { terms: termsOf(pipe), stop, over })
  }

  /** Runs a pipe to its end, again and again while it is in trouble that may pass. */
  async function keepRunning(pipe: PipeDocument, signal: AbortSignal): Promise<void> {
    const runner = runnerOf(pipe)
    if (!runner) return settle(pipe.id, { state: 'Failed', detail: 'this stack has no engine to write to' }, signal)
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
        const detail = error instanceof Error ? error.message : 'something went wrong'
        troubleSince ??= Date.now()
        await store.write((transaction) => countError(transaction, pipe.id))
        if (error instanceof Refusal || Date.now() - troubleSince > patienceMs) {
          return settle(pipe.id, { state: 'Failed', detail }, signal)
        }
        await settle(pipe.id, { state: 'Degraded', detail: `${detail}; trying again` }, signal)
        const delay = Math.min(longestDelayMs, 1000 * 2 ** attempt)
        await wait(delay, undefined, { signal, ref: false }).catch(() => undefined)
        if (signal.aborted) return
      }
    }
  }

  /** Writes down what a run says of itself, unless the pipe was told otherwise meanwhile. */
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
      logger.error({ err: error }, 'data pipes could not be looked at')
      scheduleReconcile([])
    })
  }

  changed()

  return {
    behavior,
    convergesAt: () => new Date(Date.now() + behavior.convergenceSeconds * 1000).toISOString(),
    changed,
    async check(pipe, signal) {
      await runnerOf(pipe)?.check(pipe, signal)
    },
    async forget(pipe) {
      const run = runs.get(pipe.id)
      run?.stop.abort()
      await run?.over
      meter?.forget(pipe.id)
      await runnerOf(pipe)
        ?.forget?.(pipe)
        .catch((error: unknown) =>
          logger.warn({ err: error, pipe: pipe.id }, 'the source of a deleted data pipe was not told'),
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
