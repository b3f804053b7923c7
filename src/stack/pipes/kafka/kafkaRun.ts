/** A run of a Kafka pipe: its replicas, and what goes on beside them, until it is stopped. */
import { currentTime } from '#node/clock/wallClock.ts'
import { counted } from '#domain/text/words.ts'
import { refuse } from '../../refusal.ts'
import type { Queries } from '../../store/store.ts'
import { abortableSleep } from '../loads/abortableSleep.ts'
import type { Report, RunnerDependencies } from '../loads/pipeRunner.ts'
import { recordNotes } from '../loads/recordNotes.ts'
import { sizeOf, type PipeDocument } from '../model/pipeDocument.ts'
import { cpuBudget } from '../records/cpuBudget.ts'
import type { RecordBuffer } from '../records/recordBuffer.ts'
import type { RecordLoader } from '../records/recordLoad.ts'
import { keepResending, type ResendDependencies } from '../records/resending.ts'
import type { UnloadedRecords } from '../records/unloadedRecords.ts'
import type { FramedValues } from '../schemas/framedValues.ts'
import { earliest, type Cluster, type Topic } from './cluster.ts'
import { GroupMember } from './groupMember.ts'
import type { KafkaSettings } from './kafkaSettings.ts'
import { keepMeasuringLag, type PartitionProgress } from './partitionProgress.ts'
import { partitionReader, type ReadPartition } from './readPartition.ts'
import { runReplica } from './replica.ts'
import { topicResend } from './resend.ts'
import type { ResponseBuffers } from './responseFrames.ts'
import type { StoredOffsets } from './storedOffsets.ts'

const metadataMs = 3000
const reportMs = 2000
const unhealthyMs = 100

/** The sources and targets of a run. The caller opens them, and closes them after the run. */
interface OpenedPipe {
  pipe: PipeDocument
  settings: KafkaSettings
  cluster: Cluster
  /** As it is at the start. */
  topic: Topic
  offsets: StoredOffsets
  progress: PartitionProgress
  /** Where records go that cannot be loaded. */
  errors: Omit<ResendDependencies, 'store' | 'loader'>
  unloaded: UnloadedRecords
  loader: RecordLoader
  /** The memory of responses, which the replicas share. */
  buffers: ResponseBuffers
  /** How its values are decoded; null for JSON. */
  values: FramedValues | null
  /** Decodes with schemas that are read again: one that was missing may be there now. */
  newValues: () => FramedValues | null
  report: (report: Report) => Promise<void>
}

interface Replica {
  number: number
  member: GroupMember
}

export class KafkaRun {
  readonly #dependencies: RunnerDependencies
  readonly #opened: OpenedPipe
  readonly #replicas: Replica[]
  /** The numbers of those that have loaded something, or have nothing to load. */
  readonly #healthy = new Set<number>()
  #currentTopic: Promise<Topic>
  #topicReadAt = performance.now()

  constructor(dependencies: RunnerDependencies, opened: OpenedPipe) {
    const { pipe, settings, cluster, topic } = opened
    this.#dependencies = dependencies
    this.#opened = opened
    this.#currentTopic = Promise.resolve(topic)
    this.#replicas = Array.from({ length: settings.replicas }, (_, number) => ({
      number,
      member: new GroupMember({
        cluster,
        groupId: settings.groupId,
        instanceId: `${pipe.id}-${number}`,
        topic: topic.name,
        partitions: topic.leaders.length,
      }),
    }))
  }

  /** Begins the run. Each task goes on until it is stopped, or ends with the error of the pipe. */
  tasks(stopped: AbortSignal): Promise<void>[] {
    const { cluster, progress } = this.#opened
    return [
      ...this.#replicas.flatMap((replica) => [replica.member.run(stopped), this.#runReplica(replica, stopped)]),
      this.#keepReporting(stopped),
      this.#keepResending(stopped),
      keepMeasuringLag(cluster, () => this.#topic(), progress, stopped),
    ]
  }

  #runReplica({ number, member }: Replica, stopped: AbortSignal): Promise<void> {
    const { pipe, settings, cluster, progress, buffers, values } = this.#opened
    const { replicas, limits } = settings
    const { meter } = this.#dependencies
    return runReplica(
      {
        number,
        cluster,
        buffers,
        topic: () => this.#topic(),
        member,
        progress,
        budget: cpuBudget(sizeOf(pipe).replicaCpuMillicores),
        limits,
        readPartition: this.#readerOf(values),
        load: (batch, signal, turn) => this.#load(batch, signal, turn),
        outOfRange: (topic, partition, offset) => this.#skipLost(topic, partition, offset),
        healthy: () => this.#healthy.add(number),
        worked: (ms, bytes) => meter.worked(pipe.id, { ms, bytes, replicas }),
      },
      stopped,
    )
  }

  /** Loads a batch, and moves the offsets with it. @returns the milliseconds that the engine worked */
  async #load(batch: RecordBuffer, signal: AbortSignal, turn: () => Promise<void>): Promise<number> {
    const { pipe, offsets, progress, unloaded, loader } = this.#opened
    const ranges = new Map(batch.ranges)
    const move = (transaction: Queries) => offsets.move(transaction, ranges)
    const ms = await unloaded.load(batch, move, (whenDone) => loader.load(batch, whenDone, signal, turn))
    for (const [partition, { to }] of ranges) progress.loaded(partition, to)
    if (batch.readRecords > 0) {
      const delay = currentTime() - batch.timestamps / batch.readRecords
      this.#dependencies.meter.loaded(pipe.id, Math.max(0, delay))
    }
    return ms
  }

  /** The broker does not have the offset of a partition. @throws Refusal if the pipe cannot continue without loading records twice */
  async #skipLost(topic: Topic, partition: number, offset: number): Promise<void> {
    const { cluster, offsets, progress } = this.#opened
    const first = (await cluster.offsets(topic, earliest, [partition])).get(partition) ?? 0
    if (first <= offset) {
      throw refuse(
        `partition ${partition} of ${topic.name} ends before offset ${offset}, up to which it was loaded. Reset the pipe to an offset or time`,
      )
    }
    await offsets.skip(partition, { from: offset, to: first })
    progress.loaded(partition, first)
  }

  /** The topic, read again every few seconds. */
  async #topic(): Promise<Topic> {
    if (performance.now() - this.#topicReadAt >= metadataMs) {
      this.#topicReadAt = performance.now()
      this.#currentTopic = this.#readTopic()
    }
    const topic = await this.#currentTopic
    for (const { member } of this.#replicas) member.partitionCount(topic.leaders.length)
    return topic
  }

  /** Adds partitions that are new. */
  async #readTopic(): Promise<Topic> {
    const { cluster, topic: first, offsets, progress } = this.#opened
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

  async #keepReporting(stopped: AbortSignal): Promise<void> {
    const { pipe, settings, offsets, progress, report } = this.#opened
    const { topic, groupId, replicas } = settings
    while (!stopped.aborted) {
      if (this.#healthy.size < replicas) {
        await abortableSleep(unhealthyMs, stopped)
        continue
      }
      const loss = await offsets.loss()
      const partitions = progress.read().length
      const sentences = [
        `reading ${counted(partitions, 'partition')} of ${topic} with ${counted(replicas, 'consumer')} in group ${groupId}`,
        ...(await recordNotes(this.#dependencies.store, pipe.id)),
        ...(loss === null ? [] : [`records were lost: ${loss}. Start the pipe again to confirm`]),
      ]
      await report({ state: loss === null ? 'Running' : 'Degraded', detail: sentences.join('. ') })
      await abortableSleep(reportMs, stopped)
    }
  }

  #keepResending(stopped: AbortSignal): Promise<void> {
    const { pipe, settings, cluster, errors, loader, newValues } = this.#opened
    const { store } = this.#dependencies
    return keepResending(stopped, store, pipe.id, async () => ({
      ...errors,
      store,
      loader,
      source: topicResend({
        cluster,
        topic: await this.#topic(),
        limits: settings.limits,
        readPartition: this.#readerOf(newValues()),
      }),
    }))
  }

  #readerOf(values: FramedValues | null): ReadPartition {
    const { settings, topic, loader } = this.#opened
    return partitionReader(topic.name, loader.fields, settings, values)
  }
}

export function recreated(topic: Topic): Error {
  return refuse(
    `topic ${topic.name} was deleted and created again, so the stored offsets are not those of its records. Reset the pipe to an offset or time`,
  )
}
