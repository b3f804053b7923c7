/** Runs Kafka pipes: the replicas of a pipe are consumers of its group, and load every record exactly once. */
import { setMaxListeners } from 'node:events'
import type { ConsumerGroup, OffsetsInput, OffsetsPlan } from '#contract/cloud/pipes/pipeConsumers.ts'
import type { Discovery } from '#contract/cloud/pipes/pipeDiscovery.ts'
import { currentTime } from '#node/clock/wallClock.ts'
import { counted } from '#domain/text/words.ts'
import { refuse } from '../../refusal.ts'
import type { Queries } from '../../store/store.ts'
import { describeRecords } from '../loads/sourceSample.ts'

import { abortableSleep } from '../loads/abortableSleep.ts'
import { checkDestination, destinationTableOf } from '../loads/destinationTable.ts'
import { recordNotes } from '../loads/recordNotes.ts'
import type { PipeRunner, Report, RunnerDependencies } from '../loads/pipeRunner.ts'
import { sizeOf, type PipeDocument } from '../model/pipeDocument.ts'
import { cpuBudget } from '../records/cpuBudget.ts'
import { errorTableOf } from '../records/errorTable.ts'
import { recordLoader } from '../records/recordLoad.ts'
import { keepResending, requestResend } from '../records/resending.ts'
import { keepEarlierRows } from '../records/earlierStream.ts'
import { byOffset, markUnloaded } from '../records/unloadedRecords.ts'
import type { RecordBuffer } from '../records/recordBuffer.ts'
import { valuesOf } from './valuesOf.ts'
import { schemaRegistry } from '../schemas/schemaRegistry.ts'
import { BrokerUnreachable, brokerConnections } from './brokerConnections.ts'
import { clusterOf, earliest, KafkaProblem, latest, type Cluster, type Topic } from './cluster.ts'
import { offsetsPlanOf } from './offsetsPlan.ts'
import { groupMember } from './groupMember.ts'
import { keepMeasuringLag } from './measureLag.ts'
import { kafkaSettings, type KafkaSettings } from './kafkaSettings.ts'
import { partitionProgress, type PartitionProgress } from './partitionProgress.ts'
import { partitionReader } from './readPartition.ts'
import { runReplica } from './replica.ts'
import { responseBuffers } from './responseBuffers.ts'
import { endsText, loadedPlaces, topicResend } from './resend.ts'
import { sampleTopic } from './sampleTopic.ts'
import { loadedOffsets, storedOffsets, type StoredOffsets } from './storedOffsets.ts'

const metadataMs = 3000
const reportMs = 2000
const unhealthyMs = 100

/** @throws Refusal 400 for a schema of the pipe that cannot be read */
function refuseSchema(settings: KafkaSettings): void {
  try {
    valuesOf(settings, null)
  } catch (error) {
    throw refuse(`source.kafka.protobufSchema: ${error instanceof Error ? error.message : 'is not a schema'}`)
  }
}

export function kafkaRunner(parts: RunnerDependencies): PipeRunner {
  const { store, engine, checkHost, meter, pipeWord } = parts
  /** Where the running pipes are. */
  const readings = new Map<string, PartitionProgress>()

  /** Checks the form and the table. Whether the cluster can be read shows when the pipe runs. */
  async function check(pipe: PipeDocument): Promise<void> {
    refuseSchema(kafkaSettings(pipe, pipeWord))
    await checkDestination(pipe, engine)
  }

  async function run(
    pipe: PipeDocument,
    report: (report: Report) => Promise<void>,
    signal: AbortSignal,
  ): Promise<null> {
    const settings = kafkaSettings(pipe, pipeWord)
    const { topic: name, groupId, replicas, limits } = settings
    const loader = await recordLoader(parts, pipe, name, pipeWord)
    const registry = settings.registry && schemaRegistry(settings.registry, checkHost)
    const values = valuesOf(settings, registry)
    const buffers = responseBuffers(2 * limits.fetchBytes)
    const connections = brokerConnections(`stack-${pipe.id}`, settings.security, checkHost, buffers)
    const stop = new AbortController()
    const stopped = AbortSignal.any([signal, stop.signal])
    // Each replica waits for it in several places.
    setMaxListeners(0, stopped)
    stopped.addEventListener('abort', () => undefined)
    try {
      const cluster = clusterOf(settings.brokers, connections, settings.isolation)
      const offsets = storedOffsets(store, pipe.id, name)
      const first = await cluster.topic(name)
      await beginOffsets(cluster, first, offsets, settings)
      const stored = await offsets.all()
      const errorTable = errorTableOf(destinationTableOf(pipe), pipeWord)
      const errors = { engine, pipeId: pipe.id, topic: name, errorTable }
      await keepEarlierRows({ ...errors, store })
      const unloaded = await markUnloaded({ ...errors, ...byOffset, store }, loadedPlaces(stored))
      const progress = partitionProgress(stored)
      readings.set(pipe.id, progress)
      const topic = currentTopic(cluster, first, offsets, progress)
      const healthy = new Set<number>()
      const members = Array.from({ length: replicas }, (_, number) => ({
        number,
        member: groupMember({
          cluster,
          groupId,
          instanceId: `${pipe.id}-${number}`,
          topic: name,
          partitions: first.leaders.length,
        }),
      }))
      const load = async (batch: RecordBuffer, loadSignal: AbortSignal, turn: () => Promise<void>) => {
        const ranges = new Map(batch.ranges)
        const move = (transaction: Queries) => offsets.move(transaction, ranges)
        const ms = await unloaded.load(batch, move, (whenDone) => loader.load(batch, whenDone, loadSignal, turn))
        for (const [partition, { to }] of ranges) progress.loaded(partition, to)
        if (batch.readRecords > 0)
          meter.loaded(pipe.id, Math.max(0, currentTime() - batch.timestamps / batch.readRecords))
        return ms
      }
      const topicOf = async () => {
        const now = await topic()
        for (const { member } of members) member.partitionCount(now.leaders.length)
        return now
      }
      const work = members.flatMap(({ number, member }) => [
        member.run(stopped),
        runReplica(
          {
            number,
            cluster,
            buffers,
            topic: topicOf,
            member,
            progress,
            budget: cpuBudget(sizeOf(pipe).replicaCpuMillicores),
            limits,
            readPartition: partitionReader(name, loader.fields, settings, values),
            load,
            outOfRange: (now, partition, offset) => skipLost(cluster, now, partition, offset, offsets, progress),
            healthy: () => healthy.add(number),
            worked: (ms, bytes) => meter.worked(pipe.id, { ms, bytes, replicas }),
          },
          stopped,
        ),
      ])
      const reporting = keepReporting(
        pipe,
        settings,
        progress,
        offsets,
        () => healthy.size === replicas,
        report,
        stopped,
      )
      const resending = keepResending(stopped, store, pipe.id, async () => ({
        ...errors,
        store,
        loader,
        source: topicResend({
          cluster,
          topic: await topicOf(),
          limits,
          // A schema that was missing may be there now.
          readPartition: partitionReader(name, loader.fields, settings, valuesOf(settings, registry)),
        }),
      }))
      const measuring = keepMeasuringLag(cluster, topicOf, progress, stopped)
      const all = [...work, reporting, resending, measuring]
      await Promise.race(all).finally(() => stop.abort())
      await Promise.allSettled(all)
      signal.throwIfAborted()
      return null
    } finally {
      stop.abort()
      readings.delete(pipe.id)
      connections.close()
      await registry?.close()
    }
  }

  /** The first start stores where to begin; later ones continue. */
  async function beginOffsets(
    cluster: Cluster,
    topic: Topic,
    offsets: StoredOffsets,
    { begin }: KafkaSettings,
  ): Promise<void> {
    const known = await offsets.topic()
    if (known?.name === topic.name) {
      if (known.id !== topic.id) throw recreated(topic)
      return
    }
    // The end first: a record that arrives meanwhile is later than both.
    const ends = await cluster.offsets(topic, latest)
    const found = begin === latest ? ends : await cluster.offsets(topic, begin)
    await offsets.begin(
      { name: topic.name, id: topic.id },
      new Map([...ends].map(([partition, end]) => [partition, found.get(partition) ?? end ?? 0])),
    )
  }

  async function keepReporting(
    pipe: PipeDocument,
    { topic, groupId, replicas }: KafkaSettings,
    progress: PartitionProgress,
    offsets: StoredOffsets,
    isHealthy: () => boolean,
    report: (report: Report) => Promise<void>,
    signal: AbortSignal,
  ): Promise<void> {
    while (!signal.aborted) {
      if (!isHealthy()) {
        await abortableSleep(unhealthyMs, signal)
        continue
      }
      const loss = await offsets.loss()
      const partitions = progress.read().length
      const sentences = [
        `reading ${counted(partitions, 'partition')} of ${topic} with ${counted(replicas, 'consumer')} in group ${groupId}`,
        ...(await recordNotes(store, pipe.id)),
        ...(loss === null ? [] : [`records were lost: ${loss}. Start the pipe again to confirm`]),
      ]
      await report({ state: loss === null ? 'Running' : 'Degraded', detail: sentences.join('. ') })
      await abortableSleep(reportMs, signal)
    }
  }

  async function sample(pipe: PipeDocument): Promise<Discovery> {
    const records = await sampleTopic(pipe, pipeWord, checkHost).catch((error: unknown) => {
      // The client does not pass on what the broker says about it.
      if (error instanceof Error && error.message.includes('SaslAuthenticate')) {
        throw refuse('source.kafka.credentials: the broker refuses the user name or the password')
      }
      throw error
    })
    return describeRecords(records, engine)
  }

  /** Asks the cluster. */
  async function onCluster<T>(pipe: PipeDocument, work: (cluster: Cluster) => Promise<T>): Promise<T> {
    const { security, brokers, isolation } = kafkaSettings(pipe, pipeWord)
    const connections = brokerConnections(`stack-${pipe.id}-offsets`, security, checkHost)
    try {
      return await work(clusterOf(brokers, connections, isolation))
    } catch (error) {
      // The cluster's answer is for the caller.
      if (error instanceof KafkaProblem || error instanceof BrokerUnreachable) throw refuse(error.message)
      throw error
    } finally {
      connections.close()
    }
  }

  async function position(pipe: PipeDocument): Promise<ConsumerGroup> {
    const { topic, groupId, replicas } = kafkaSettings(pipe, pipeWord)
    const running = readings.get(pipe.id)
    const progress = running ?? partitionProgress(await storedOffsets(store, pipe.id, topic).all())
    return {
      topic,
      groupId,
      consumers: running ? replicas : 0,
      partitions: progress.read().map(({ partition, offset, end, replica }) => ({
        partition,
        offset,
        end,
        lag: end === null ? null : Math.max(0, end - offset),
        consumer: replica,
      })),
    }
  }

  const planOffsets = (pipe: PipeDocument, input: OffsetsInput): Promise<OffsetsPlan> =>
    onCluster(pipe, async (cluster) => {
      const topic = await cluster.topic(kafkaSettings(pipe, pipeWord).topic)
      return offsetsPlanOf(cluster, topic, storedOffsets(store, pipe.id, topic.name), input)
    })

  const resetOffsets = (pipe: PipeDocument, input: OffsetsInput): Promise<OffsetsPlan> =>
    onCluster(pipe, async (cluster) => {
      const topic = await cluster.topic(kafkaSettings(pipe, pipeWord).topic)
      const offsets = storedOffsets(store, pipe.id, topic.name)
      const plan = await offsetsPlanOf(cluster, topic, offsets, input)
      await offsets.begin(topic, new Map(plan.partitions.map(({ partition, to }) => [partition, to])))
      return plan
    })

  const resend = async ({ id }: PipeDocument) => ({
    requestedAt: await requestResend(store, id, async (transaction) => endsText(await loadedOffsets(transaction, id))),
  })

  return { check, sample, run, position, planOffsets, resetOffsets, resend }
}

function recreated(topic: Topic): Error {
  return refuse(
    `topic ${topic.name} was deleted and created again, so the stored offsets are not those of its records. Reset the pipe to an offset or time`,
  )
}

/** The topic, read again every few seconds. Adds partitions that are new. */
function currentTopic(
  cluster: Cluster,
  first: Topic,
  offsets: StoredOffsets,
  progress: PartitionProgress,
): () => Promise<Topic> {
  let current = Promise.resolve(first)
  let readAt = performance.now()

  async function read(): Promise<Topic> {
    const topic = await cluster.topic(first.name)
    if (topic.id !== first.id) throw recreated(topic)
    const known = new Set(progress.read().map(({ partition }) => partition))
    for (const partition of topic.leaders.keys()) {
      if (known.has(partition)) continue
      // Its first records may be older than its discovery.
      await offsets.add(partition, 0)
      progress.loaded(partition, 0)
    }
    return topic
  }

  return () => {
    if (performance.now() - readAt >= metadataMs) {
      readAt = performance.now()
      current = read()
    }
    return current
  }
}

/** The broker does not have the offset of a partition. @throws Refusal if the pipe cannot continue without loading records twice */
async function skipLost(
  cluster: Cluster,
  topic: Topic,
  partition: number,
  offset: number,
  offsets: StoredOffsets,
  progress: PartitionProgress,
): Promise<void> {
  const first = (await cluster.offsets(topic, earliest, [partition])).get(partition) ?? 0
  if (first <= offset) {
    throw refuse(
      `partition ${partition} of ${topic.name} ends before offset ${offset}, up to which it was loaded. Reset the pipe to an offset or time`,
    )
  }
  await offsets.skip(partition, { from: offset, to: first })
  progress.loaded(partition, first)
}
