/** The interface of pipe runners, one for each kind of source. */
import type { Logger } from 'pino'
import type {
  ConsumerGroup,
  OffsetsInput,
  OffsetsPlan,
  ResendRequest,
  StreamShards,
} from '#contract/cloud/pipes/pipeConsumers.ts'
import type { Discovery } from '#contract/cloud/pipes/pipeDiscovery.ts'
import type { LoadDependencies } from './loads.ts'
import type { PipeDocument } from '../model/pipeDocument.ts'
import type { HostCheck } from '../../net/reachableHosts.ts'

/** How long pipes pause, in milliseconds. */
export interface Pauses {
  /** Before the first retry of a degraded pipe. Each further one comes after twice the time. */
  retry: number
  longestRetry: number
  /** How often a request to load bad rows again is looked for. */
  requestCheck: number
}

/** Retries slow down, so that many pipes do not overload a source that has just come back. */
export const usualPauses: Pauses = { retry: 1000, longestRetry: 30_000, requestCheck: 1000 }

export interface RunnerDependencies extends LoadDependencies {
  /** Folders below which pipes may read local files. Relative paths start from the first. */
  fileRoots: readonly string[]
  /** Which hosts pipes may reach. */
  checkHost: HostCheck
  /** The deployment's word for pipes, such as `datapipes`. */
  pipeWord: string
  /** The address of a Kinesis server other than that of the region. */
  kinesisEndpoint?: string | undefined
  pauses: Pauses
  logger: Logger
}

/** The state of a running pipe. */
export interface Report {
  state?: 'Running' | 'Snapshot' | 'Degraded'
  detail: string
  /** Whether a resync that was asked for is done. Default: a pipe that runs has none to do. */
  resynced?: boolean
}

/** How a runner ended: completed, or failed. */
export interface Outcome {
  state: 'Completed' | 'Failed'
  detail: string
}

export interface PipeRunner {
  /** @throws Refusal 400 if the pipe could never run */
  check(pipe: PipeDocument, signal: AbortSignal): Promise<void>
  /** Reads a sample of the source. @throws Refusal 400, or another error, with the reason why it cannot be read */
  sample(pipe: PipeDocument, signal: AbortSignal): Promise<Discovery>
  /** Moves data until there is no more, or until the signal fires. Resolves when nothing is running. */
  run(pipe: PipeDocument, report: (report: Report) => Promise<void>, signal: AbortSignal): Promise<Outcome | null>
  /** Where the pipe is in its source. @throws Refusal 400 for a source without offsets */
  position?(pipe: PipeDocument): Promise<ConsumerGroup>
  /** Where the pipe is in the shards of its stream. */
  shards?(pipe: PipeDocument): Promise<StreamShards>
  /** The effect of a reset of its offsets. @throws Refusal 400 */
  planOffsets?(pipe: PipeDocument, input: OffsetsInput): Promise<OffsetsPlan>
  /** Resets the offsets of a pipe that does not run. @throws Refusal 400 */
  resetOffsets?(pipe: PipeDocument, input: OffsetsInput): Promise<OffsetsPlan>
  /** Asks the pipe to load its bad records again. */
  resend?(pipe: PipeDocument): Promise<ResendRequest>
  /** Removes what the source keeps for a deleted pipe. */
  forget?(pipe: PipeDocument): Promise<void>
}
