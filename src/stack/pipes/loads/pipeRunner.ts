/** What runs a pipe that moves data. */
import type { Logger } from 'pino'
import type { LoadParts } from './loads.ts'
import type { PipeDocument } from '../model/pipeDocument.ts'
import type { HostCheck } from '../../net/reachableHosts.ts'

export interface RunnerParts extends LoadParts {
  /** The folders below which pipes may read files of this machine; relative paths start from the first. */
  fileRoots: readonly string[]
  /** Which hosts pipes may reach. */
  checkHost: HostCheck
  logger: Logger
}

/** What a runner says of itself while it runs. */
export interface Report {
  state?: 'Running' | 'Snapshot' | 'Degraded'
  detail: string
}

/** How a runner ended by itself: all there was is moved, or it cannot go on. */
export interface Outcome {
  state: 'Completed' | 'Failed'
  detail: string
}

export interface PipeRunner {
  /** @throws Refusal 400 when the pipe could never run */
  check(pipe: PipeDocument, signal: AbortSignal): Promise<void>
  /** Moves data until there is no more, or the signal fires; resolves when nothing of it is under way any longer. */
  run(pipe: PipeDocument, report: (report: Report) => Promise<void>, signal: AbortSignal): Promise<Outcome | null>
  /** Lets go of what the source keeps for a pipe that is gone. */
  forget?(pipe: PipeDocument): Promise<void>
}
