/** A Kafka cluster: its topics, and the offsets in them. */
import {
  apiVersionsV3,
  fetchV13,
  findCoordinatorV4,
  listOffsetsV8,
  metadataV12,
  protocolErrorsCodesById,
  type Broker,
} from '@platformatic/kafka'
import { BrokerUnreachable, type BrokerConnections, type BrokerRequest } from './brokerConnections.ts'
import { parseFetchResponse, type FetchedPartition } from './fetchResponse.ts'

export interface Topic {
  name: string
  /** Changes when the topic is deleted and created again. */
  id: string
  /** The leader of each partition; undefined for one without a leader. */
  leaders: (Broker | undefined)[]
}

interface FetchRequest {
  topic: Topic
  leader: Broker
  positions: readonly { partition: number; offset: number }[]
  /** Bytes in the response; a single larger batch is returned anyway. */
  maxBytes: number
  /** How long the broker may wait for records, in milliseconds. */
  maxWaitMs: number
}

/** The special times of `offsets`. */
export const latest = -1
export const earliest = -2

/** The refusal of a cluster, as the name of its error: `UNKNOWN_TOPIC_OR_PARTITION`. */
export class KafkaProblem extends Error {
  override name = 'KafkaProblem'
  readonly errorName: string
  /** The number of the error in the protocol. */
  readonly errorCode?: number

  constructor(errorName: string, message: string, errorCode?: number) {
    super(message)
    this.errorName = errorName
    this.errorCode = errorCode
  }
}

const isolationLevels = { uncommitted: 0, committed: 1 } as const
export type Isolation = keyof typeof isolationLevels
const idleMs = 30_000

export class Cluster {
  readonly connections: BrokerConnections
  readonly #isolation: Isolation
  /** As configured, before the cluster has named more. */
  readonly #brokers: readonly Broker[]
  #known: readonly Broker[]
  #isChecked = false

  /**
   * @param brokers to begin with; the first that responds is asked
   * @param isolation whether records of transactions that are open or were aborted are read
   */
  constructor(brokers: readonly Broker[], connections: BrokerConnections, isolation: Isolation = 'committed') {
    this.connections = connections
    this.#isolation = isolation
    this.#brokers = brokers
    this.#known = brokers
  }

  /** @throws KafkaProblem if the topic does not exist or may not be read */
  async topic(name: string): Promise<Topic> {
    const answer = await this.#ask({
      key: 3,
      version: 12,
      create: () => metadataV12.createRequest([name], false, false),
      parse: (...response) => withoutErrors(() => metadataV12.parseResponse(...response)),
    })
    const found = answer.topics.find((topic) => topic.name === name)
    if (!found) throw problemOf(3, `topic ${name}`)
    if (found.errorCode !== 0) throw problemOf(found.errorCode, `topic ${name}`)
    const byId = new Map(answer.brokers.map((broker) => [broker.nodeId, broker]))
    // Brokers of the configuration first: others may be gone when they are needed.
    this.#known = [...this.#brokers, ...byId.values()]
    const count = found.partitions.length
    const leaders: Topic['leaders'] = Array.from({ length: count }, () => undefined)
    for (const { partitionIndex, leaderId } of found.partitions) {
      // An array with a far higher index would take minutes to go through.
      if (partitionIndex < 0 || partitionIndex >= count) throw unknownPartition(partitionIndex, name, count)
      leaders[partitionIndex] = byId.get(leaderId)
    }
    return { name, id: found.topicId, leaders }
  }

  /** The broker that coordinates a consumer group. */
  async coordinator(groupId: string): Promise<Broker> {
    const answer = await this.#ask({
      key: 10,
      version: 4,
      create: () => findCoordinatorV4.createRequest(0, [groupId]),
      parse: (...response) => withoutErrors(() => findCoordinatorV4.parseResponse(...response)),
    })
    const [found] = answer.coordinators
    if (!found || found.errorCode !== 0) throw problemOf(found?.errorCode ?? 15, `consumer group ${groupId}`)
    return { host: found.host, port: found.port }
  }

  /**
   * The offset of each partition at a time.
   * @param timestamp epoch milliseconds, `earliest` or `latest`. A time after the last record gives null
   */
  async offsets(
    topic: Topic,
    timestamp: number,
    partitions: readonly number[] = topic.leaders.map((_, partition) => partition),
  ): Promise<Map<number, number | null>> {
    const found = new Map<number, number | null>()
    for (const [leader, led] of byLeader(topic, partitions)) {
      const asked = led.map((partitionIndex) => ({
        partitionIndex,
        currentLeaderEpoch: -1,
        timestamp: BigInt(timestamp),
      }))
      const topics = [{ name: topic.name, partitions: asked }]
      const answer = await this.connections.send(leader, 'metadata', {
        key: 2,
        version: 7,
        create: () => listOffsetsV8.createRequest(-1, isolationLevels[this.#isolation], topics),
        parse: (...response) => withoutErrors(() => listOffsetsV8.parseResponse(...response)),
      })
      for (const { partitionIndex, errorCode, offset } of answer.topics.flatMap(({ partitions }) => partitions)) {
        if (errorCode !== 0) throw problemOf(errorCode, `partition ${partitionIndex} of ${topic.name}`)
        found.set(partitionIndex, offset < 0n ? null : Number(offset))
      }
    }
    return found
  }

  /** Only committed records are sent. @param purpose of the connection */
  async fetch(
    { topic, leader, positions, maxBytes, maxWaitMs }: FetchRequest,
    purpose: string,
  ): Promise<FetchedPartition[]> {
    const partitionMaxBytes = Math.max(2 ** 20, Math.floor(maxBytes / positions.length))
    const partitions = positions.map(({ partition, offset }) => ({
      partition,
      currentLeaderEpoch: -1,
      fetchOffset: BigInt(offset),
      lastFetchedEpoch: -1,
      partitionMaxBytes,
    }))
    const topics = [{ topicId: topic.id, partitions }]
    const level = isolationLevels[this.#isolation]
    const answer = await this.connections.send(
      leader,
      purpose,
      {
        key: 1,
        version: 13,
        carriesRecords: true,
        create: () => fetchV13.createRequest(maxWaitMs, 1, maxBytes, level, 0, 0, topics, [], ''),
        parse: parseFetchResponse,
      },
      maxWaitMs + idleMs,
    )
    if (answer.errorCode !== 0) throw problemOf(answer.errorCode, `topic ${topic.name}`)
    return answer.partitions
  }

  /** The offset after the last record that is sent. */
  endOf({ highWatermark, lastStableOffset }: Pick<FetchedPartition, 'highWatermark' | 'lastStableOffset'>): number {
    return this.#isolation === 'committed' ? lastStableOffset : highWatermark
  }

  /** Asks one broker after the other. */
  async #ask<Response>(request: BrokerRequest<Response>): Promise<Response> {
    let problem: unknown
    for (const broker of this.#known) {
      try {
        if (!this.#isChecked) await this.#checkVersions(broker)
        this.#isChecked = true
        return await this.connections.send(broker, 'metadata', request)
      } catch (error) {
        if (!(error instanceof BrokerUnreachable)) throw error
        problem ??= error
      }
    }
    throw problem
  }

  /** @throws KafkaProblem for a cluster that is too old */
  async #checkVersions(broker: Broker): Promise<void> {
    const { apiKeys } = await this.connections.send(broker, 'metadata', {
      key: 18,
      version: 3,
      isFirstHeader: true,
      create: () => apiVersionsV3.createRequest('stack', '1'),
      parse: apiVersionsV3.parseResponse,
    })
    const fetch = apiKeys.find(({ apiKey }) => apiKey === 1)
    const join = apiKeys.find(({ apiKey }) => apiKey === 11)
    if ((fetch?.maxVersion ?? 0) < 13 || (join?.maxVersion ?? 0) < 9) {
      throw new KafkaProblem('UNSUPPORTED_VERSION', 'the cluster is older than Apache Kafka 3.2, which is needed')
    }
  }
}

/** Partitions by the broker that leads them. @throws KafkaProblem for one without a leader */
export function byLeader(topic: Topic, partitions: readonly number[]): Map<Broker, number[]> {
  const groups = new Map<string, [Broker, number[]]>()
  for (const partition of partitions) {
    const leader = topic.leaders[partition]
    if (!leader) throw problemOf(5, `partition ${partition} of ${topic.name}`)
    const key = `${leader.host}:${leader.port}`
    const group = groups.get(key) ?? [leader, []]
    group[1].push(partition)
    groups.set(key, group)
  }
  return new Map(groups.values())
}

/** Partitions are numbered from 0 without gaps, and a cluster lists all of them. */
function unknownPartition(partition: number, topic: string, count: number): KafkaProblem {
  const message = `the cluster names partition ${partition} of ${topic}, which has ${count} partitions from 0`
  return new KafkaProblem('INVALID_PARTITIONS', message)
}

/** The client's parsers throw if any part of a response has an error. The response itself says which part. */
export function withoutErrors<T>(parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    // The error carries the parsed response.
    if (error instanceof Error && 'response' in error && error.response) return error.response as T
    throw error
  }
}

const sentences: Record<string, (what: string) => string> = {
  UNKNOWN_TOPIC_OR_PARTITION: (what) => `${what} does not exist, or its user may not see it`,
  UNKNOWN_TOPIC_ID: (what) => `${what} was deleted`,
  TOPIC_AUTHORIZATION_FAILED: (what) => `the user may not read ${what}`,
  GROUP_AUTHORIZATION_FAILED: (what) => `the user may not read with ${what}`,
  LEADER_NOT_AVAILABLE: (what) => `${what} has no leader at the moment`,
  INVALID_TOPIC_EXCEPTION: (what) => `${what} is not a name of a topic`,
}

export function problemOf(errorCode: number, what: string): KafkaProblem {
  const name = protocolErrorsCodesById[errorCode] ?? `error ${errorCode}`
  const sentence = sentences[name]?.(what) ?? `${what}: ${name.toLowerCase().replaceAll('_', ' ')}`
  return new KafkaProblem(name, sentence, errorCode)
}
