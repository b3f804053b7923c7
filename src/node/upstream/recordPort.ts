/** Carries out the requests of a plan on a deployment. */
import { api } from '#contract/index.ts'
import { stringifyJson } from '#contract/wire/json.ts'
import type { Endpoint } from '#contract/wire/kernel.ts'
import { singular } from '#contract/wire/naming.ts'
import { isRecordWithId } from '#domain/records/directory.ts'
import type { RecordKind } from '#contract/stack/recordKinds.ts'
import type { RecordPort } from '#domain/records/run.ts'
import { ApiFailure, failureSentence } from './apiFailure.ts'
import type { Deployments } from './deployments.ts'
import type { Operation } from './operation.ts'
import { readRecord, recordLocation, type RecordLocation } from './records.ts'
import { listRecords } from './readInventory.ts'
import { upstreamPath } from './upstreamPath.ts'
import type { UpstreamResult } from './upstreamReply.ts'
import type { UpstreamTarget } from './upstreamTarget.ts'

export interface RecordWrites {
  send(operation: Operation): Promise<UpstreamResult>
  /** Keeps other writes of the record away. */
  hold<T>(location: RecordLocation, task: () => Promise<T>): Promise<T>
}

/** The port of one deployment. Its reads are never shared with earlier ones. */
export function createRecordPort(deployments: Deployments, target: UpstreamTarget, writes: RecordWrites): RecordPort {
  const send = async (endpoint: Endpoint, params: Record<string, string>, body?: unknown) => {
    const path = upstreamPath(endpoint, target, params)
    const text = body === undefined ? undefined : stringifyJson(body)
    const { result } = await writes.send({ endpoint, path, params, body: text, priority: 'visible' })
    return result
  }
  const of = (kind: RecordKind, id: string) => ({ [`${singular(kind)}Id`]: id })
  const locationOf = (kind: RecordKind, id: string) => {
    const location = recordLocation(api[kind].update, of(kind, id))
    if (!location) throw new Error(`${kind} have no record to read`)
    return location
  }
  return {
    hold: (kind, id, task) => writes.hold(locationOf(kind, id), task),
    list: (kind) => listRecords(deployments, target, kind, { priority: 'visible', fresh: true }),
    read: async (kind, id) => {
      try {
        const record = await readRecord(deployments, target, locationOf(kind, id))
        return isRecordWithId(record) ? record : null
      } catch (error) {
        if (error instanceof ApiFailure && error.error.code === 'notFound') return null
        throw error
      }
    },
    create: (kind, body) => send(api[kind].create, {}, body),
    update: (kind, id, body) => send(api[kind].update, of(kind, id), body),
    remove: (kind, id) => send(api[kind].delete, of(kind, id)),
    isUnknown: (error) => error instanceof ApiFailure && error.error.code === 'outcomeUnknown',
    explain: (error) =>
      error instanceof ApiFailure
        ? failureSentence(error)
        : 'The step failed for an internal reason. The log has the details.',
  }
}
