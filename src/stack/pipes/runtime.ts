/** The pipes of this stack, and what the handlers of the API ask of them. Call `changed` after changing a document. */
import type { Discovery } from '#contract/cloud/pipes/pipeDiscovery.ts'
import { currentTime } from '#node/clock/wallClock.ts'
import { openEgressProxy } from '../net/egressProxy.ts'
import { Refusal, refuse } from '../refusal.ts'
import { destinationTablesOf } from './loads/destinationTable.ts'
import type { PipeRunner } from './loads/pipeRunner.ts'
import type { Cloud } from './model/cloud.ts'
import type { CloudBehavior } from './model/cloudBehavior.ts'
import { isSimulated, sizeOf, type PipeDocument } from './model/pipeDocument.ts'
import { UsageMeter } from './model/pipeUsage.ts'
import { PipeRuns, taskOf, type RunDependencies } from './pipeRuns.ts'
import { errorTableOf } from './records/errorTable.ts'

export interface CloudOptions extends Omit<RunDependencies, 'meter'> {
  behavior: CloudBehavior
}

export interface RunningCloud extends Cloud {
  /** How many pipes have each state. */
  states(): ReadonlyMap<string, number>
  /** Stops all pipes and waits for them. They continue at the next start. */
  close(): Promise<void>
}

/** How long a deleted pipe may take to stop, in another stack. */
const releaseTimeoutMs = 15_000
/** How long a sample of a source may take. */
const sampleMs = 20_000

/** States in which nothing changes by itself. */
const restStates: readonly string[] = ['Stopped', 'Failed']

export async function startCloud(options: CloudOptions): Promise<RunningCloud> {
  const { engine, behavior, logger, tasks } = options
  const meter = engine && new UsageMeter(engine)
  // The hosts of a cluster do not use this proxy: their own configuration decides what they reach.
  const closeEgress = engine?.kind === 'embedded' ? await openEgressProxy(options.checkHost) : null
  const runs = new PipeRuns({ ...options, meter })
  runs.follow()
  return {
    behavior,
    states: () => runs.states,
    convergesAt: () => new Date(currentTime() + behavior.convergenceSeconds * 1000).toISOString(),
    changed: () => runs.follow(),
    async position(pipe) {
      const group = await (await offsetRunner(runs, pipe)).position(pipe)
      if (runs.has(pipe.id) || !(await tasks.taken()).has(taskOf(pipe.id))) return group
      // Another stack has them. Which of them reads what, and how far the topic is, only that one knows.
      return { ...group, consumers: sizeOf(pipe).replicas }
    },
    async shards(pipe) {
      const runner = await runs.runnerOf(pipe)
      if (!runner?.shards) throw refuse(`${pipe.id} has no shards${isSimulated(pipe) ? ': it is simulated' : ''}`)
      return runner.shards(pipe)
    },
    async offsets(pipe, input, does) {
      const runner = await offsetRunner(runs, pipe)
      if (does === 'plan') return runner.planOffsets(pipe, input)
      // It may still be stopping, here or in another stack.
      const lease = restStates.includes(pipe.state) ? await tasks.take(taskOf(pipe.id)) : null
      if (!lease) throw refuse(`stop ${pipe.id} before its offsets are reset`)
      return runner.resetOffsets(pipe, input).finally(lease.release)
    },
    async resend(pipe) {
      const runner = await runs.runnerOf(pipe)
      if (!runner?.resend)
        throw refuse(
          `the bad records of ${pipe.id} cannot be loaded again: it is no Kafka, Kinesis or object storage pipe with a source`,
        )
      return runner.resend(pipe)
    },
    errorTables: (pipe) => destinationTablesOf(pipe).map((table) => errorTableOf(table, options.pipeWord)),
    async check(pipe, signal) {
      await (await runs.runnerOf(pipe))?.check(pipe, signal)
    },
    sample: async (pipe, signal) => sampleOf(await runs.runnerOf(pipe), pipe, signal),
    async forget(pipe) {
      await runs.stop(pipe.id)
      meter?.forget(pipe.id)
      const lease = await tasks.takeOver(taskOf(pipe.id), releaseTimeoutMs)
      try {
        await (await runs.runnerOf(pipe))?.forget?.(pipe)
      } catch (error) {
        logger.warn({ err: error, pipe: pipe.id }, 'Failed to clean up the source of a deleted data pipe')
      } finally {
        await lease.release()
      }
    },
    meter,
    async close() {
      await runs.close()
      closeEgress?.()
    },
  }
}

type OffsetRunner = PipeRunner & Required<Pick<PipeRunner, 'position' | 'planOffsets' | 'resetOffsets'>>

/** @throws Refusal 400 for a pipe without offsets */
async function offsetRunner(runs: PipeRuns, pipe: PipeDocument): Promise<OffsetRunner> {
  const runner = await runs.runnerOf(pipe)
  if (runner && hasOffsets(runner)) return runner
  throw refuse(`${pipe.id} has no consumer group${isSimulated(pipe) ? ': it is simulated' : ''}`)
}

function hasOffsets(runner: PipeRunner): runner is OffsetRunner {
  return runner.position !== undefined && runner.planOffsets !== undefined && runner.resetOffsets !== undefined
}

async function sampleOf(runner: PipeRunner | null, pipe: PipeDocument, signal: AbortSignal): Promise<Discovery> {
  if (!runner) throw refuse('this stack has no telemetry engine')
  try {
    return await runner.sample(pipe, AbortSignal.any([signal, AbortSignal.timeout(sampleMs)]))
  } catch (error) {
    if (error instanceof Refusal || signal.aborted) throw error
    const isLate = error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError')
    const reason = isLate ? `no response in ${sampleMs / 1000} seconds` : reasonOf(error)
    throw refuse(`The source cannot be read: ${reason}`)
  }
}

/** The innermost reason of an error, which says what happened: the AWS client and others wrap it. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error'
  return error.cause instanceof Error ? reasonOf(error.cause) : error.message
}
