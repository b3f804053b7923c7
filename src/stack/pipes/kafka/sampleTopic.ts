/** Reads the newest records of a topic, for a sample. It joins no group and stores no offset. */
import { sampledRecords } from '../loads/sourceSample.ts'
import type { PipeDocument } from '../model/pipeDocument.ts'
import type { HostCheck } from '../../net/reachableHosts.ts'
import { RecordBuffer } from '../records/recordBuffer.ts'
import { schemaRegistry } from '../schemas/schemaRegistry.ts'
import { BrokerConnections } from './brokerConnections.ts'
import { byLeader, Cluster, earliest, latest } from './cluster.ts'
import { kafkaSettings, valuesOf } from './kafkaSettings.ts'
import { partitionReader } from './readPartition.ts'

const fetchBytes = 2 * 1024 ** 2
const fetchWaitMs = 1000

/** @returns the texts of records, at most a hundred */
export async function sampleTopic(pipe: PipeDocument, pipeWord: string, checkHost: HostCheck): Promise<string[]> {
  const settings = kafkaSettings(pipe, pipeWord)
  const { brokers, security, topic: name, limits, registry: registrySettings } = settings
  const registry = registrySettings && schemaRegistry(registrySettings, checkHost)
  const connections = new BrokerConnections('stack-sample', security, checkHost)
  try {
    const cluster = new Cluster(brokers, connections)
    const topic = await cluster.topic(name)
    const [first, end] = [await cluster.offsets(topic, earliest), await cluster.offsets(topic, latest)]
    const positions = new Map(
      [...end].map(([partition, last]) => [
        partition,
        Math.max(first.get(partition) ?? 0, (last ?? 0) - sampledRecords),
      ]),
    )
    const filled = [...positions.keys()].filter(
      (partition) => (end.get(partition) ?? 0) > (positions.get(partition) ?? 0),
    )
    const batch = new RecordBuffer()
    const read = partitionReader(name, [], settings, valuesOf(settings, registry))
    for (const [leader, partitions] of byLeader(topic, filled)) {
      const fetched = await cluster.fetch(
        {
          topic,
          leader,
          positions: partitions.map((partition) => ({ partition, offset: positions.get(partition) ?? 0 })),
          maxBytes: fetchBytes,
          maxWaitMs: fetchWaitMs,
        },
        'sample',
      )
      for (const partition of fetched) {
        for (const step of read(partition, positions.get(partition.partition) ?? 0)) {
          await step.prepare?.()
          step.into(batch)
          if (batch.copiedBytes >= limits.bytes) break
        }
      }
    }
    const count = Math.min(sampledRecords, batch.rows)
    return Array.from({ length: count }, (_, at) => batch.line(batch.rows - count + at).toString())
  } finally {
    connections.close()
    await registry?.close()
  }
}
