/** Runs Kafka pipes: the replicas of a pipe are consumers of its group, and load every record exactly once. */
import { setMaxListeners } from 'node:events'
import type { ConsumerGroup, OffsetsInput, OffsetsPlan, ResendRequest } from '#contract/cloud/pipes/pipeConsumers.ts'
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
import { BrokerConnections, BrokerUnreachable } from './brokerConnections.ts'
import { Cluster, KafkaProblem, latest, type Topic } from './cluster.ts'
import { KafkaRun, recreated } from './kafkaRun.ts'
import { kafkaSettings, valuesOf, type KafkaSettings } from './kafkaSettings.ts'
import { offsetsPlanOf } from './offsetsPlan.ts'
import { partitionProgress, type PartitionProgress } from './partitionProgress.ts'
import { responseBuffers } from './responseFrames.ts'
import { endsText, loadedPlaces } from './resend.ts'
import { sampleTopic } from './sampleTopic.ts'
import { loadedOffsets, storedOffsets, type StoredOffsets } from './storedOffsets.ts'

export class KafkaRunner implements PipeRunner {
  readonly #dependencies: RunnerDependencies
  /** Where the running pipes are, by their IDs. */
  readonly #readings = new Map<string, PartitionProgress>()

  constructor(dependencies: RunnerDependencies) {
    this.#dependencies = dependencies
  }

  /** Checks the form and the table. Whether the cluster can be read shows when the pipe runs. */
  async check(pipe: PipeDocument): Promise<void> {
    refuseSchema(this.#settingsOf(pipe))
    await checkDestination(pipe, this.#dependencies.engine)
  }

  async sample(pipe: PipeDocument): Promise<Discovery> {
    const { engine, checkHost, pipeWord } = this.#dependencies
    const records = await sampleTopic(pipe, pipeWord, checkHost).catch((error: unknown) => {
      // The client does not pass on what the broker says about it.
      if (error instanceof Error && error.message.includes('SaslAuthenticate')) {
        throw refuse('source.kafka.credentials: the broker refuses the user name or the password')
      }
      throw error
    })
    return describeRecords(records, engine)
  }

  async run(pipe: PipeDocument, report: (report: Report) => Promise<void>, signal: AbortSignal): Promise<null> {
    const { checkHost, pipeWord } = this.#dependencies
    const settings = this.#settingsOf(pipe)
    const { topic, limits } = settings
    const loader = await recordLoader(this.#dependencies, pipe, topic, pipeWord)
    const registry = settings.registry && schemaRegistry(settings.registry, checkHost)
    const values = valuesOf(settings, registry)
    const buffers = responseBuffers(2 * limits.fetchBytes)
    const connections = new BrokerConnections(`stack-${pipe.id}`, settings.security, checkHost, buffers)
    const stop = new AbortController()
    const stopped = AbortSignal.any([signal, stop.signal])
    // Each replica waits for it in several places.
    setMaxListeners(0, stopped)
    stopped.addEventListener('abort', () => undefined)
    try {
      const cluster = new Cluster(settings.brokers, connections, settings.isolation)
      const places = await this.#begin(pipe, settings, cluster)
      this.#readings.set(pipe.id, places.progress)
      const newValues = () => valuesOf(settings, registry)
      const opened = { pipe, settings, cluster, loader, buffers, values, newValues, report, ...places }
      const tasks = new KafkaRun(this.#dependencies, opened).tasks(stopped)
      await Promise.race(tasks).finally(() => stop.abort())
      await Promise.allSettled(tasks)
      signal.throwIfAborted()
      return null
    } finally {
      stop.abort()
      this.#readings.delete(pipe.id)
      connections.close()
      await registry?.close()
    }
  }

  async position(pipe: PipeDocument): Promise<ConsumerGroup> {
    const { topic, groupId, replicas } = this.#settingsOf(pipe)
    const running = this.#readings.get(pipe.id)
    const { store } = this.#dependencies
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

  planOffsets(pipe: PipeDocument, input: OffsetsInput): Promise<OffsetsPlan> {
    return this.#onCluster(pipe, async (cluster) => {
      const topic = await cluster.topic(this.#settingsOf(pipe).topic)
      return offsetsPlanOf(cluster, topic, storedOffsets(this.#dependencies.store, pipe.id, topic.name), input)
    })
  }

  resetOffsets(pipe: PipeDocument, input: OffsetsInput): Promise<OffsetsPlan> {
    return this.#onCluster(pipe, async (cluster) => {
      const topic = await cluster.topic(this.#settingsOf(pipe).topic)
      const offsets = storedOffsets(this.#dependencies.store, pipe.id, topic.name)
      const plan = await offsetsPlanOf(cluster, topic, offsets, input)
      await offsets.begin(topic, new Map(plan.partitions.map(({ partition, to }) => [partition, to])))
      return plan
    })
  }

  async resend({ id }: PipeDocument): Promise<ResendRequest> {
    const requestedAt = await requestResend(this.#dependencies.store, id, async (transaction) =>
      endsText(await loadedOffsets(transaction, id)),
    )
    return { requestedAt }
  }

  #settingsOf(pipe: PipeDocument): KafkaSettings {
    return kafkaSettings(pipe, this.#dependencies.pipeWord)
  }

  /** Finds where a run begins in its topic, and marks the bad records that it will read again. */
  async #begin(pipe: PipeDocument, settings: KafkaSettings, cluster: Cluster) {
    const { store, engine, pipeWord } = this.#dependencies
    const offsets = storedOffsets(store, pipe.id, settings.topic)
    const topic = await cluster.topic(settings.topic)
    await beginOffsets(cluster, topic, offsets, settings)
    const stored = await offsets.all()
    const errorTable = errorTableOf(destinationTableOf(pipe), pipeWord)
    const errors = { engine, pipeId: pipe.id, topic: settings.topic, errorTable }
    await keepEarlierRows({ ...errors, store })
    const unloaded = await markUnloaded({ ...errors, ...byOffset, store }, loadedPlaces(stored))
    return { topic, offsets, progress: partitionProgress(stored), errors, unloaded }
  }

  /** Asks the cluster. @throws Refusal 400 with its answer, or why it cannot be reached */
  async #onCluster<T>(pipe: PipeDocument, work: (cluster: Cluster) => Promise<T>): Promise<T> {
    const { security, brokers, isolation } = this.#settingsOf(pipe)
    const connections = new BrokerConnections(`stack-${pipe.id}-offsets`, security, this.#dependencies.checkHost)
    try {
      return await work(new Cluster(brokers, connections, isolation))
    } catch (error) {
      if (error instanceof KafkaProblem || error instanceof BrokerUnreachable) throw refuse(error.message)
      throw error
    } finally {
      connections.close()
    }
  }
}

/** @throws Refusal 400 for a schema of the pipe that cannot be read */
function refuseSchema(settings: KafkaSettings): void {
  try {
    valuesOf(settings, null)
  } catch (error) {
    throw refuse(`source.kafka.protobufSchema: ${error instanceof Error ? error.message : 'is not a schema'}`)
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
