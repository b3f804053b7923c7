/** Runs Kafka pipes: the replicas of a pipe are consumers of its group, and load every record exactly once. */
import { setMaxListeners } from 'node:events'
import type { ConsumerGroup, OffsetsInput, OffsetsPlan } from '#contract/cloud/pipes/pipeConsumers.ts'
import type { Discovery } from '#contract/cloud/pipes/pipeDiscovery.ts'
import { refuse } from '../../refusal.ts'
import { describeRecords } from '../loads/sourceSample.ts'
import { checkDestination, destinationTableOf } from '../loads/destinationTable.ts'
import type { PipeRunner, Report, RunnerDependencies } from '../loads/pipeRunner.ts'
import type { PipeDocument } from '../model/pipeDocument.ts'
import { errorTableOf } from '../records/errorTable.ts'
import { recordLoader } from '../records/recordLoad.ts'
import { requestResend } from '../records/resending.ts'
import { keepEarlierRows, byOffset, markUnloaded } from '../records/unloadedRecords.ts'
import { schemaRegistry } from '../schemas/schemaRegistry.ts'
import { BrokerUnreachable, brokerConnections } from './brokerConnections.ts'
import { clusterOf, KafkaProblem, latest, type Cluster, type Topic } from './cluster.ts'
import { KafkaRun, recreated } from './kafkaRun.ts'
import { kafkaSettings, valuesOf, type KafkaSettings } from './kafkaSettings.ts'
import { offsetsPlanOf } from './offsetsPlan.ts'
import { partitionProgress, type PartitionProgress } from './partitionProgress.ts'
import { responseBuffers } from './responseFrames.ts'
import { endsText, loadedPlaces } from './resend.ts'
import { sampleTopic } from './sampleTopic.ts'
import { loadedOffsets, storedOffsets, type StoredOffsets } from './storedOffsets.ts'

/** @throws Refusal 400 for a schema of the pipe that cannot be read */
function refuseSchema(settings: KafkaSettings): void {
  try {
    valuesOf(settings, null)
  } catch (error) {
    throw refuse(`source.kafka.protobufSchema: ${error instanceof Error ? error.message : 'is not a schema'}`)
  }
}

export function kafkaRunner(parts: RunnerDependencies): PipeRunner {
  const { store, engine, checkHost, pipeWord } = parts
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
    const { topic: name, limits } = settings
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
      const topic = await cluster.topic(name)
      await beginOffsets(cluster, topic, offsets, settings)
      const stored = await offsets.all()
      const errorTable = errorTableOf(destinationTableOf(pipe), pipeWord)
      const errors = { engine, pipeId: pipe.id, topic: name, errorTable }
      await keepEarlierRows({ ...errors, store })
      const unloaded = await markUnloaded({ ...errors, ...byOffset, store }, loadedPlaces(stored))
      const progress = partitionProgress(stored)
      readings.set(pipe.id, progress)
      const run = new KafkaRun(parts, {
        pipe,
        settings,
        cluster,
        topic,
        offsets,
        progress,
        errors,
        unloaded,
        loader,
        buffers,
        values,
        newValues: () => valuesOf(settings, registry),
        report,
      })
      const all = run.tasks(stopped)
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
