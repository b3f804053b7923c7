/** Reads the ends of the partitions: a replica that pauses or loads does not see what arrives, and its lag would be too small. */
import { abortableSleep } from '../loads/abortableSleep.ts'
import { BrokerUnreachable } from './brokerConnections.ts'
import { KafkaProblem, latest, type Cluster, type Topic } from './cluster.ts'
import type { PartitionProgress } from './partitionProgress.ts'

const measureMs = 2000

/** Until the signal fires. */
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
