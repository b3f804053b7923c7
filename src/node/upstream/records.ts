/** Finds the record that a write changes, and reads it. */
import { isLoopback } from '#contract/console/deployments.ts'
import { endpoints } from '#contract/index.ts'
import { fillPath, type Endpoint, type RecordRule } from '#contract/wire/kernel.ts'
import { failure } from './apiFailure.ts'
import type { UpstreamResult } from './upstreamReply.ts'
import type { Deployments } from './deployments.ts'
import type { Priority } from './waitingRequests.ts'
import { upstreamPath } from './upstreamPath.ts'
import type { UpstreamTarget } from './upstreamTarget.ts'

export interface RecordLocation {
  /** Reads the record, or the list that contains it. */
  reader: Endpoint & { record: RecordRule }
  params: Record<string, string>
  /** The id of the record in a list. */
  id?: string | undefined
}

/**
 * The record that a write changes: at its own path, at the item above it (`…/scaling`, `…/silenced`), or in a list if deployments have
 * no endpoint for one record. Null if the write changes no single record.
 */
export function recordLocation(endpoint: Endpoint, params: Record<string, string>): RecordLocation | null {
  if (!endpoint.mutates || (endpoint.method === 'POST' && !endpoint.operates && !endpoint.replaces)) return null
  const above = endpoint.path.slice(0, endpoint.path.lastIndexOf('/'))
  const last = /\{(\w+)\}$/.exec(endpoint.path)?.[1]
  const own = readerAt(endpoint, endpoint.path)
  if (own) return { reader: own, params }
  const reader = readerAt(endpoint, above)
  return reader && { reader, params, ...(last ? { id: params[last] } : {}) }
}

/** The name of a record's lock. All connections to the same deployment share it, on both variants. */
export function recordName(target: UpstreamTarget, { reader, params, id }: RecordLocation): string {
  const { protocol, hostname, port } = new URL(target.baseUrl)
  const host = isLoopback(hostname) ? 'loopback' : hostname
  return [`${protocol}//${host}:${port}`, fillPath(reader.path, params), id].join(' ')
}

/** Reads the record, without sharing a read that began earlier. @throws notFound */
export async function readRecord(
  deployments: Deployments,
  target: UpstreamTarget,
  location: RecordLocation,
  priority: Priority = 'user',
): Promise<unknown> {
  const { reader, id } = location
  const operation = {
    endpoint: reader,
    path: upstreamPath(reader, target, location.params),
    params: location.params,
    priority,
    fresh: true,
  }
  const answer: UpstreamResult = await (reader.paged
    ? deployments.readAll(target, operation)
    : deployments.read(target, operation))
  if (id === undefined) return answer.result
  const found = Array.isArray(answer.result)
    ? answer.result.find((candidate: unknown) => idOf(candidate) === id)
    : undefined
  if (found === undefined)
    throw failure('notFound', `The record is no longer in the deployment’s list of ${reader.resource}.`)
  return found
}

function readerAt({ resource }: Endpoint, path: string): RecordLocation['reader'] | null {
  for (const endpoint of endpoints) {
    const { record } = endpoint
    if (record && endpoint.resource === resource && endpoint.path === path) return { ...endpoint, record }
  }
  return null
}

function idOf(record: unknown): unknown {
  return record !== null && typeof record === 'object' && 'id' in record ? record.id : undefined
}
