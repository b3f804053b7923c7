/**
 * A member of a consumer group: joins, keeps its membership with heartbeats, and joins again when the group changes. The
 * member is static: after a restart it has the same partitions at once. One member, the leader, assigns the partitions.
 */
import {
  heartbeatV4,
  joinGroupV9,
  leaveGroupV5,
  offsetCommitV8,
  Reader,
  syncGroupV5,
  Writer,
  type Broker,
} from '@platformatic/kafka'
import { abortableSleep } from '../loads/abortableSleep.ts'
import type { BrokerRequest } from './brokerConnections.ts'
import { KafkaProblem, problemOf, withoutErrors, type Cluster } from './cluster.ts'

export interface Assignment {
  /** Grows with every change of the group. */
  generation: number
  partitions: readonly number[]
}

interface MemberOptions {
  cluster: Cluster
  groupId: string
  /** The name of the member in the group, the same after a restart. */
  instanceId: string
  topic: string
  /** The number of partitions at the moment. */
  partitions: number
}

const sessionMs = 20_000
const rebalanceMs = 30_000
const heartbeatMs = 1500
const joinMs = rebalanceMs + sessionMs + 5000
const leaveMs = 3000
const retryMs = 300
const maxRetries = 40

/** Errors after which a member finds the coordinator again, and those after which it joins as a new member. */
const coordinatorErrors = new Set([14, 15, 16])
const membershipErrors = new Set([22, 25])
const rebalanceInProgress = 27
const memberIdRequired = 79

export class GroupMember {
  readonly #options: MemberOptions
  #coordinator: Broker | undefined
  #memberId = ''
  #generation = -1
  #isLeader = false
  #assignment: Assignment | null = null
  /** The partitions that the last assignment divided. */
  #assignedCount = 0
  #knownCount: number

  constructor(options: MemberOptions) {
    this.#options = options
    this.#knownCount = options.partitions
  }

  /** Null while the group is being changed. */
  assignment(): Assignment | null {
    return this.#assignment
  }

  /** Tells the group that the topic has this many partitions; the leader assigns them again if that is new. */
  partitionCount(count: number): void {
    this.#knownCount = count
  }

  /** Stores offsets at the group, for those who look at its lag. */
  async commit(offsets: ReadonlyMap<number, number>): Promise<void> {
    if (!this.#assignment || offsets.size === 0) return
    const { groupId, instanceId, topic } = this.#options
    const partitions = [...offsets].map(([partitionIndex, offset]) => ({
      partitionIndex,
      committedOffset: BigInt(offset),
      committedLeaderEpoch: -1,
    }))
    const topics = [{ name: topic, partitions }]
    await this.#send({
      key: 8,
      version: 8,
      create: () => offsetCommitV8.createRequest(groupId, this.#generation, this.#memberId, instanceId, topics),
      parse: (...response) => withoutErrors(() => offsetCommitV8.parseResponse(...response)),
    })
  }

  /** Keeps the membership until the signal fires, then leaves the group. @throws KafkaProblem, BrokerUnreachable */
  async run(signal: AbortSignal): Promise<void> {
    try {
      await this.#keep(signal)
    } catch (error) {
      if (!signal.aborted) throw error
    } finally {
      this.#assignment = null
      await this.#leave().catch(() => undefined)
    }
  }

  async #keep(signal: AbortSignal): Promise<void> {
    const { groupId } = this.#options
    for (let failures = 0; !signal.aborted;) {
      const error = await this.#stay()
      const isOutdated = this.#isLeader && this.#assignment && this.#assignedCount !== this.#knownCount
      if (error === 0) {
        failures = 0
        if (isOutdated) this.#assignment = null
        else await abortableSleep(heartbeatMs, signal)
        continue
      }
      this.#assignment = null
      if (error === rebalanceInProgress || error === memberIdRequired) continue
      if (membershipErrors.has(error)) this.#memberId = ''
      else if (coordinatorErrors.has(error)) this.#coordinator = undefined
      else throw problemOf(error, `consumer group ${groupId}`)
      if (++failures > maxRetries) throw problemOf(error, `consumer group ${groupId}`)
      await abortableSleep(retryMs, signal)
    }
  }

  /** @returns the code of the error; 0 for none */
  async #stay(): Promise<number> {
    try {
      return this.#assignment ? await this.#heartbeat() : await this.#join()
    } catch (error) {
      // A new cluster prepares its coordinators when the first group asks for one.
      if (error instanceof KafkaProblem && coordinatorErrors.has(error.errorCode ?? 0)) return error.errorCode ?? 0
      throw error
    }
  }

  async #heartbeat(): Promise<number> {
    const { groupId, instanceId } = this.#options
    const answer = await this.#send({
      key: 12,
      version: 4,
      create: () => heartbeatV4.createRequest(groupId, this.#generation, this.#memberId, instanceId),
      parse: (...response) => withoutErrors(() => heartbeatV4.parseResponse(...response)),
    })
    return answer.errorCode
  }

  /** @returns the code of the error; 0 once the member has an assignment */
  async #join(): Promise<number> {
    this.#assignment = null
    const { groupId, instanceId, topic } = this.#options
    const protocols = [{ name: 'range', metadata: subscription(topic) }]
    const joined = await this.#send(
      {
        key: 11,
        version: 9,
        create: () =>
          joinGroupV9.createRequest(
            groupId,
            sessionMs,
            rebalanceMs,
            this.#memberId,
            instanceId,
            'consumer',
            protocols,
            null,
          ),
        parse: (...response) => withoutErrors(() => joinGroupV9.parseResponse(...response)),
      },
      joinMs,
    )
    if (joined.errorCode === memberIdRequired) this.#memberId = joined.memberId ?? ''
    if (joined.errorCode !== 0) return joined.errorCode
    this.#memberId = joined.memberId ?? ''
    this.#generation = joined.generationId
    this.#isLeader = joined.leader === this.#memberId
    const assigns = this.#isLeader && !joined.skipAssignment
    const members = joined.members.map((member) => member.memberId)
    return this.#sync(joined.protocolName, assigns ? members : null)
  }

  /**
   * Receives the assignment.
   * @param members those among which the partitions are to be divided; null if it is not for this member to do
   * @returns the code of the error; 0 for none
   */
  async #sync(protocolName: string | null | undefined, members: readonly string[] | null): Promise<number> {
    const { groupId, instanceId, topic } = this.#options
    const synced = await this.#send({
      key: 14,
      version: 5,
      create: () =>
        syncGroupV5.createRequest(
          groupId,
          this.#generation,
          this.#memberId,
          instanceId,
          'consumer',
          protocolName,
          members ? divided(topic, this.#knownCount, members) : [],
        ),
      parse: (...response) => withoutErrors(() => syncGroupV5.parseResponse(...response)),
    })
    if (synced.errorCode !== 0) return synced.errorCode
    const { partitions, count } = parseAssignment(synced.assignment, topic)
    this.#assignedCount = count
    this.#assignment = { generation: this.#generation, partitions }
    return 0
  }

  async #leave(): Promise<void> {
    if (this.#memberId === '') return
    const { groupId, instanceId } = this.#options
    const members = [{ memberId: this.#memberId, groupInstanceId: instanceId }]
    await this.#send(
      {
        key: 13,
        version: 5,
        create: () => leaveGroupV5.createRequest(groupId, members),
        parse: (...response) => withoutErrors(() => leaveGroupV5.parseResponse(...response)),
      },
      leaveMs,
    )
  }

  async #send<Response>(request: BrokerRequest<Response>, timeoutMs?: number): Promise<Response> {
    const { cluster, groupId, instanceId } = this.#options
    this.#coordinator ??= await cluster.coordinator(groupId)
    return cluster.connections.send(this.#coordinator, `group ${instanceId}`, request, timeoutMs)
  }
}

/** Version 1 of the consumer protocol's subscription. */
function subscription(topic: string): Buffer {
  return Writer.create()
    .appendInt16(0)
    .appendArray([topic], (writer, name) => writer.appendString(name, false), false, false)
    .appendBytes(Buffer.alloc(0), false).buffer
}

/** Divides partitions in ranges of neighbors. */
function divided(topic: string, count: number, members: readonly string[]): { memberId: string; assignment: Buffer }[] {
  const sorted = members.toSorted()
  return sorted.map((memberId, at) => {
    const from = Math.ceil((at * count) / sorted.length)
    const to = Math.ceil(((at + 1) * count) / sorted.length)
    const partitions = Array.from({ length: to - from }, (_, index) => from + index)
    const userData = Buffer.alloc(4)
    userData.writeInt32BE(count)
    const assignment = Writer.create()
      .appendInt16(0)
      .appendArray(
        [partitions],
        (writer, list) =>
          writer
            .appendString(topic, false)
            .appendArray(list, (inner, partition) => inner.appendInt32(partition), false, false),
        false,
        false,
      )
      .appendBytes(userData, false).buffer
    return { memberId, assignment }
  })
}

/** @returns the partitions, and how many the leader divided; 0 if a leader of another program assigned them */
function parseAssignment(data: Buffer, topic: string): { partitions: number[]; count: number } {
  if (data.length < 6) return { partitions: [], count: 0 }
  const reader = Reader.from(data)
  reader.readInt16()
  const topics = reader.readArray(
    (topicReader) => ({
      name: topicReader.readString(false),
      partitions: topicReader.readArray((inner) => inner.readInt32(), false, false),
    }),
    false,
    false,
  )
  const userData = reader.remaining >= 4 ? reader.readNullableBytes(false) : null
  return {
    partitions: topics.filter(({ name }) => name === topic).flatMap(({ partitions }) => partitions),
    count: userData && userData.length >= 4 ? userData.readInt32BE() : 0,
  }
}
