/** Where a pipe is in the partitions of its topic, and how far it is behind their ends. */
import { abortableSleep } from '../loads/abortableSleep.ts'
import { BrokerUnreachable } from './brokerConnections.ts'
import { KafkaProblem, latest, type Cluster, type Topic } from './cluster.ts'

/**
 * Where a pipe is in the partitions of its topic, for the replicas of this process. A partition is read by one replica at a
 * time, even while the group assigns it to another.
 */
export interface PartitionProgress {
  /** @returns the offset to read next; null while another replica has the partition, or if it is not known */
  claim(replica: number, partition: number): number | null
  release(replica: number, partitions: Iterable<number>): void
  /** The partition was loaded up to an offset. */
  loaded(partition: number, next: number): void
  /** The offset after the last record of the partition, as the broker said. */
  end(partition: number, offset: number): void
  read(): PartitionReading[]
}

interface PartitionReading {
  partition: number
  /** The offset of the next record to load. */
  offset: number
  /** The offset after the last record; null before the first response. */
  end: number | null
  /** The replica that reads it; null for none. */
  replica: number | null
}

export function partitionProgress(stored: ReadonlyMap<number, number>): PartitionProgress {
  const offsets = new Map(stored)
  const ends = new Map<number, number>()
  const owners = new Map<number, number>()
  return {
    claim(replica, partition) {
      const owner = owners.get(partition)
      const offset = offsets.get(partition)
      if (offset === undefined || (owner !== undefined && owner !== replica)) return null
      owners.set(partition, replica)
      return offset
    },
    release(replica, partitions) {
      for (const partition of partitions) if (owners.get(partition) === replica) owners.delete(partition)
    },
    loaded(partition, next) {
      offsets.set(partition, next)
    },
    end(partition, offset) {
      ends.set(partition, offset)
    },
    read() {
      return [...offsets]
        .toSorted(([a], [b]) => a - b)
        .map(([partition, offset]) => ({
          partition,
          offset,
          end: ends.get(partition) ?? null,
          replica: owners.get(partition) ?? null,
        }))
    },
  }
}

const measureMs = 2000

/**
 * Reads the ends of the partitions until the signal fires: a replica that pauses or loads does not see what arrives, and its lag
 * would be too small.
 */
export async function keepMeasuringLag(
  cluster: Cluster,
  topicOf: () => Promise<Topic>,
  progress: PartitionProgress,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      for (const [partition, end] of await cluster.offsets(await topicOf(), latest)) {
        if (end !== null) progress.end(partition, end)
      }
    } catch (error) {
      // The replicas meet it too, and say so.
      if (!(error instanceof BrokerUnreachable) && !(error instanceof KafkaProblem)) throw error
    }
    await abortableSleep(measureMs, signal)
  }
}
