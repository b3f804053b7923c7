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

export interface GroupMember {
  /** Null while the group is being changed. */
  assignment(): Assignment | null
  /** Tells the group that the topic has this many partitions; the leader assigns them again if that is new. */
  partitionCount(count: number): void
  /** Stores offsets at the group, for those who look at its lag. */
  commit(offsets: ReadonlyMap<number, number>): Promise<void>
  /** Keeps the membership until the signal fires, then leaves the group. @throws KafkaProblem, BrokerUnreachable */
  run(signal: AbortSignal): Promise<void>
}

export interface MemberOptions {
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
const retryMs = 300
const maxRetries = 40

/** Errors after which a member finds the coordinator again, and those after which it joins as a new member. */
const coordinatorErrors = new Set([14, 15, 16])
const membershipErrors = new Set([22, 25])
const rebalanceInProgress = 27
const memberIdRequired = 79

export function groupMember({ cluster, groupId, instanceId, topic, ...options }: MemberOptions): GroupMember {
  let coordinator: Broker | undefined
  let memberId = ''
  let generation = -1
  let isLeader = false
  let assigned: Assignment | null = null
  /** The partitions that the last assignment divided. */
  let assignedCount = 0
  let knownCount = options.partitions

  async function send<T>(request: BrokerRequest<T>, timeoutMs?: number): Promise<T> {
    coordinator ??= await cluster.coordinator(groupId)
    return cluster.connections.send(coordinator, `group ${instanceId}`, request, timeoutMs)
  }

  /** @returns the code of the error; 0 once the member has an assignment */
  async function join(): Promise<number> {
    assigned = null
    const answer = await send(
      {
        key: 11,
        version: 9,
        create: () =>
          joinGroupV9.createRequest(
            groupId,
            sessionMs,
            rebalanceMs,
            memberId,
            instanceId,
            'consumer',
            [{ name: 'range', metadata: subscription(topic) }],
            null,
          ),
        parse: (...response) => withoutErrors(() => joinGroupV9.parseResponse(...response)),
      },
      joinMs,
    )
    if (answer.errorCode === memberIdRequired) memberId = answer.memberId ?? ''
    if (answer.errorCode !== 0) return answer.errorCode
    memberId = answer.memberId ?? ''
    generation = answer.generationId
    isLeader = answer.leader === memberId
    const members = answer.members.map((member) => member.memberId)
    const assigns = isLeader && !answer.skipAssignment
    const synced = await send({
      key: 14,
      version: 5,
      create: () =>
        syncGroupV5.createRequest(
          groupId,
          generation,
          memberId,
          instanceId,
          'consumer',
          answer.protocolName,
          assigns ? divided(topic, knownCount, members) : [],
        ),
      parse: (...response) => withoutErrors(() => syncGroupV5.parseResponse(...response)),
    })
    if (synced.errorCode !== 0) return synced.errorCode
    const { partitions, count } = parseAssignment(synced.assignment, topic)
    assignedCount = count
    assigned = { generation, partitions }
    return 0
  }

  async function heartbeat(): Promise<number> {
    const answer = await send({
      key: 12,
      version: 4,
      create: () => heartbeatV4.createRequest(groupId, generation, memberId, instanceId),
      parse: (...response) => withoutErrors(() => heartbeatV4.parseResponse(...response)),
    })
    return answer.errorCode
  }

  /** @returns the code of the error; 0 for none */
  async function stay(): Promise<number> {
    try {
      return assigned ? await heartbeat() : await join()
    } catch (error) {
      // A new cluster prepares its coordinators when the first group asks for one.
      if (error instanceof KafkaProblem && coordinatorErrors.has(error.errorCode ?? 0)) return error.errorCode ?? 0
      throw error
    }
  }

  async function keep(signal: AbortSignal): Promise<void> {
    for (let failures = 0; !signal.aborted;) {
      const error = await stay()
      const isOutdated = isLeader && assigned && assignedCount !== knownCount
      if (error === 0) {
        failures = 0
        if (isOutdated) assigned = null
        else await abortableSleep(heartbeatMs, signal)
        continue
      }
      assigned = null
      if (error === rebalanceInProgress || error === memberIdRequired) continue
      if (membershipErrors.has(error)) memberId = ''
      else if (coordinatorErrors.has(error)) coordinator = undefined
      else throw problemOf(error, `consumer group ${groupId}`)
      if (++failures > maxRetries) throw problemOf(error, `consumer group ${groupId}`)
      await abortableSleep(retryMs, signal)
    }
  }

  async function leave(): Promise<void> {
    if (memberId === '') return
    await send(
      {
        key: 13,
        version: 5,
        create: () => leaveGroupV5.createRequest(groupId, [{ memberId, groupInstanceId: instanceId }]),
        parse: (...response) => withoutErrors(() => leaveGroupV5.parseResponse(...response)),
      },
      leaveMs,
    )
  }

  return {
    assignment: () => assigned,
    partitionCount(count) {
      knownCount = count
    },
    async commit(offsets) {
      if (!assigned || offsets.size === 0) return
      const partitions = [...offsets].map(([partitionIndex, offset]) => ({
        partitionIndex,
        committedOffset: BigInt(offset),
        committedLeaderEpoch: -1,
      }))
      await send({
        key: 8,
        version: 8,
        create: () =>
          offsetCommitV8.createRequest(groupId, generation, memberId, instanceId, [{ name: topic, partitions }]),
        parse: (...response) => withoutErrors(() => offsetCommitV8.parseResponse(...response)),
      })
    },
    async run(signal) {
      try {
        await keep(signal)
      } catch (error) {
        if (!signal.aborted) throw error
      } finally {
        assigned = null
        await leave().catch(() => undefined)
      }
    },
  }
}

const leaveMs = 3000

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
