/** Reads all records of a deployment that are compared, promoted and kept as code. */
import { api } from '#contract/index.ts'
import type { Endpoint } from '#contract/kernel.ts'
import { isRecord } from '#domain/records/body.ts'
import type { Inventory, Unread } from '#domain/records/inventory.ts'
import { recordKinds, type RecordKind } from '#domain/records/kinds.ts'
import type { JsonObject } from '#domain/json/json.ts'
import { ApiFailure } from './apiFailure.ts'
import type { Deployments } from './deployments.ts'
import type { Priority } from './requestBudget.ts'
import { upstreamPath } from './upstreamPath.ts'
import type { UpstreamTarget } from './upstreamTarget.ts'

interface Reading {
  priority: Priority
  /** Whether reads that began earlier may be shared. */
  fresh?: boolean
  signal?: AbortSignal | undefined
}

/**
 * One list after the other would take a managed deployment's limit for each, so they are read together.
 * @param onRead called when the deployment has responded for a kind of records
 */
export async function readInventory(
  deployments: Deployments,
  target: UpstreamTarget,
  reading: Reading,
  onRead: () => void = () => {},
): Promise<Inventory> {
  const lists = await Promise.all(
    recordKinds.map(async (kind) => {
      const records = await readKind(deployments, target, kind, reading)
      onRead()
      return [kind, records] as const
    }),
  )
  // The entries are those of `recordKinds`.
  return { records: Object.fromEntries(lists) as Inventory['records'] }
}

async function readKind(
  deployments: Deployments,
  target: UpstreamTarget,
  kind: RecordKind,
  reading: Reading,
): Promise<readonly JsonObject[] | Unread> {
  try {
    return await listRecords(deployments, target, kind, reading)
  } catch (error) {
    if (reading.signal?.aborted || !(error instanceof ApiFailure)) throw error
    const { code, message } = error.error
    return { state: code === 'notOffered' ? 'notOffered' : 'failed', reason: message }
  }
}

/** All records of a kind. @throws ApiFailure */
export async function listRecords(
  deployments: Deployments,
  target: UpstreamTarget,
  kind: RecordKind,
  reading: Reading,
): Promise<readonly JsonObject[]> {
  const endpoint: Endpoint = api[kind].list
  const operation = { endpoint, path: upstreamPath(endpoint, target, {}), ...reading }
  const { result } = await (endpoint.paged
    ? deployments.readAll(target, operation)
    : deployments.read(target, operation))
  return Array.isArray(result) ? result.filter(isRecord) : []
}
