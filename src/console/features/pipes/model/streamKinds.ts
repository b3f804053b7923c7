/** Pipes that read a stream: a topic, or the shards of a stream. */
import { pipeKind, type PipeKind } from '#contract/cloud/pipeKinds.ts'
import type { Pipe } from '#contract/cloud/pipes/pipes.ts'

const streamKinds: readonly (PipeKind | null)[] = ['kafka', 'kinesis']

/** Other kinds whose records that do not fit are kept. */
const keptKinds: readonly (PipeKind | null)[] = ['objectStorage', 'postgres']

/** Whether the stack keeps the records of a pipe that it could not load. Pipes of other deployments have no `stateDetail`. */
export function hasBadRecords(pipe: Pipe): boolean {
  return hasStreamPosition(pipe) || (keptKinds.includes(pipeKind(pipe)) && pipe.stateDetail != null)
}

/** Whether the stack reports where a pipe is in its source. */
export function hasStreamPosition(pipe: Pipe): boolean {
  return streamKinds.includes(pipeKind(pipe))
}
