/** Pipes that read a stream: a topic, or the shards of a stream. */
import { pipeKind, type PipeKind } from '#contract/pipeKinds.ts'
import type { Pipe } from '#contract/pipes.ts'

const streamKinds: readonly (PipeKind | null)[] = ['kafka', 'kinesis']

/** Whether the stack reports where a pipe is in its source. */
export function hasStreamPosition(pipe: Pipe): boolean {
  return streamKinds.includes(pipeKind(pipe))
}
