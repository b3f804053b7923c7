/** The effect of a reset of a pipe's offsets. */
import type { OffsetsInput, OffsetsPlan } from '#contract/cloud/pipes/pipeConsumers.ts'
import { refuse } from '../../refusal.ts'
import { earliest, latest, type Cluster, type Topic } from './cluster.ts'
import type { StoredOffsets } from './storedOffsets.ts'

/** @throws Refusal 400 for a partition or offset that the topic does not have */
export async function offsetsPlanOf(
  cluster: Cluster,
  topic: Topic,
  offsets: StoredOffsets,
  input: OffsetsInput,
): Promise<OffsetsPlan> {
  const known = await offsets.topic()
  // The offsets of a topic that was deleted say nothing about this one.
  const stored = known?.id === topic.id ? await offsets.all() : new Map<number, number>()
  const ends = await cluster.offsets(topic, latest)
  const firsts = await cluster.offsets(topic, earliest)
  const target = await targetOf(cluster, topic, input)
  if (input.strategy === 'to_offset') refuseOffset(input, firsts, ends)
  return {
    topic: topic.name,
    partitions: [...ends]
      .toSorted(([a], [b]) => a - b)
      .map(([partition, last]) => {
        const end = last ?? 0
        const from = stored.get(partition) ?? null
        return { partition, from, to: target.get(partition) ?? from ?? end, end }
      }),
  }
}

/** The new offsets; of the other partitions, none. A time after the last record is the end. */
async function targetOf(cluster: Cluster, topic: Topic, input: OffsetsInput): Promise<Map<number, number | null>> {
  const ends = await cluster.offsets(topic, latest)
  switch (input.strategy) {
    case 'from_beginning':
      return cluster.offsets(topic, earliest)
    case 'from_latest':
      return ends
    case 'from_timestamp': {
      const found = await cluster.offsets(topic, Date.parse(`${input.timestamp}Z`))
      return new Map([...ends].map(([partition, end]) => [partition, found.get(partition) ?? end]))
    }
    case 'to_offset':
      return new Map([[input.partition ?? 0, input.offset ?? 0]])
  }
}

function refuseOffset(
  { partition = 0, offset = 0 }: OffsetsInput,
  firsts: ReadonlyMap<number, number | null>,
  ends: ReadonlyMap<number, number | null>,
): void {
  const [first, end] = [firsts.get(partition), ends.get(partition)]
  if (first == null || end == null) throw refuse(`partition: the topic has ${ends.size} partitions, from 0`)
  if (offset < first || offset > end) throw refuse(`offset: partition ${partition} has offsets from ${first} to ${end}`)
}
