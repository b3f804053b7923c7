/** The simulated cloud: how long changes take, and the pipes that run. */
import type {
  ConsumerGroup,
  OffsetsInput,
  OffsetsPlan,
  ResendRequest,
  StreamShards,
} from '#contract/cloud/pipes/pipeConsumers.ts'
import type { Discovery } from '#contract/cloud/pipes/pipeDiscovery.ts'
import type { CloudBehavior } from './cloudBehavior.ts'
import type { PipeDocument } from './pipeDocument.ts'
import type { UsageMeter } from './pipeUsage.ts'

export interface Cloud {
  behavior: CloudBehavior
  /** When a change that is requested now takes effect, as an ISO date. */
  convergesAt(): string
  /** Call this after a change that may start or stop pipes. */
  changed(): void
  /** The usage of pipes; null without an engine. */
  meter: UsageMeter | null
  /** Stops a deleted pipe, and removes what its source keeps for it. */
  forget(pipe: PipeDocument): Promise<void>
  /** Where a streaming pipe is in its topic. @throws Refusal 400 for other pipes */
  position(pipe: PipeDocument): Promise<ConsumerGroup>
  /** Where a Kinesis pipe is in its stream. @throws Refusal 400 for other pipes */
  shards(pipe: PipeDocument): Promise<StreamShards>
  /** @throws Refusal 400 for other pipes, and for a pipe that runs if the offsets are to be reset */
  offsets(pipe: PipeDocument, input: OffsetsInput, does: 'plan' | 'reset'): Promise<OffsetsPlan>
  /** Loads the bad records of a pipe again. @throws Refusal 400 for a pipe whose source cannot be read again */
  resend(pipe: PipeDocument): Promise<ResendRequest>
  /** The tables with the bad records of a pipe, which exist once it has some. */
  errorTables(pipe: PipeDocument): { database: string; table: string }[]
  /** @throws Refusal 400 with the reason why the source of a pipe cannot be read */
  sample(pipe: PipeDocument, signal: AbortSignal): Promise<Discovery>
  /** @throws Refusal 400 if the pipe could never run: its source is unreachable, or its table cannot be created */
  check(pipe: PipeDocument, signal: AbortSignal): Promise<void>
}
