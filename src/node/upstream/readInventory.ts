/** Reads all records of a deployment that are compared, promoted and kept as code. */
import { api } from '#contract/index.ts'
import type { Endpoint } from '#contract/wire/kernel.ts'
import { idOf, isRecordWithId, nameOf } from '#domain/records/directory.ts'
import { isUnread, type Inventory, type Unread } from '#domain/records/inventory.ts'
import { recordKinds, type RecordKind } from '#contract/stack/recordKinds.ts'
import type { JsonObject } from '#domain/json/json.ts'
import { ApiFailure } from './apiFailure.ts'
import type { Deployments } from './deployments.ts'
import type { Priority } from './waitingRequests.ts'
import { upstreamPath } from './upstreamPath.ts'
import type { UpstreamTarget } from './upstreamTarget.ts'

interface Reading {
  priority: Priority
  /** Whether reads that began earlier may be shared. */
  fresh?: boolean
  signal?: AbortSignal | undefined
  /** Called with the milliseconds that each request took, without the time in which it waited for its turn. */
  onReply?: (took: number) => void
}

/** One list after the other would take a managed deployment's limit for each, so they are read together. */
export async function readInventory(
  deployments: Deployments,
  target: UpstreamTarget,
  reading: Reading,
): Promise<Inventory> {
  const connections = readDataConnections(deployments, target, reading)
  const lists = Promise.all(
    recordKinds.map(async (kind) => {
      const records = await unlessUnread(listRecords(deployments, target, kind, reading), reading)
      return [kind, records] as const
    }),
  )
  const [dataConnections, entries] = await Promise.all([connections, lists])
  // The entries are those of `recordKinds`.
  return { records: Object.fromEntries(entries) as Inventory['records'], dataConnections }
}

/** Undefined without a request on variants that have none, and where the deployment has no list of them. */
async function readDataConnections(
  deployments: Deployments,
  target: UpstreamTarget,
  reading: Reading,
): Promise<Inventory['dataConnections']> {
  const endpoint = api.dataConnections.list
  if (!endpoint.variants.includes(target.variant)) return undefined
  const rows = await unlessUnread(listRows(deployments, target, endpoint, reading), reading)
  if (isUnread(rows)) return rows.state === 'notOffered' ? undefined : rows
  return rows.map((row) => ({ id: idOf(row), name: nameOf(row) }))
}

/** The records that were read, or why they could not be. */
async function unlessUnread<T>(rows: Promise<T>, { signal }: Reading): Promise<T | Unread> {
  try {
    return await rows
  } catch (error) {
    if (signal?.aborted || !(error instanceof ApiFailure)) throw error
    const { code, message } = error.error
    return { state: code === 'notOffered' ? 'notOffered' : 'failed', reason: message }
  }
}

/** All records of a kind. @throws ApiFailure */
export function listRecords(
  deployments: Deployments,
  target: UpstreamTarget,
  kind: RecordKind,
  reading: Reading,
): Promise<readonly JsonObject[]> {
  return listRows(deployments, target, api[kind].list, reading)
}

async function listRows(
  deployments: Deployments,
  target: UpstreamTarget,
  endpoint: Endpoint,
  { onReply, ...reading }: Reading,
): Promise<readonly JsonObject[]> {
  const operation = { endpoint, path: upstreamPath(endpoint, target, {}), ...reading }
  const { result, took } = await (endpoint.paged
    ? deployments.readAll(target, operation)
    : deployments.read(target, operation))
  if (took !== undefined) onReply?.(took)
  if (!Array.isArray(result)) return []
  return result.every(isRecordWithId) ? result : result.filter(isRecordWithId)
}
