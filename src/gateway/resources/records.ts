/** Which record a write changes, and how that record is read. */
import { isIP } from 'node:net'
import { endpoints } from '#contract/index.ts'
import { fillPath, pathTemplate, type Endpoint, type RecordRule } from '#contract/kernel.ts'
import { failure } from '../http/errors.ts'
import type { Answer } from '../upstream/upstreamReply.ts'
import type { Deployments } from '../upstream/deployments.ts'
import type { Target } from '../upstream/upstreamTarget.ts'

export interface RecordPlace {
  /** Reads the record, or the list that it is found in. */
  reader: Endpoint & { record: RecordRule }
  params: Record<string, string>
  /** Where the record is found in a list: its id. */
  id?: string | undefined
}

/**
 * The record that a write changes: at its own address, at the item above it (`…/scaling`), or in the list where
 * deployments have no read of one. Null for what changes no single record.
 */
export function recordPlace(endpoint: Endpoint, params: Record<string, string>): RecordPlace | null {
  if (!endpoint.mutates || endpoint.method === 'POST') return null
  const above = endpoint.path.slice(0, endpoint.path.lastIndexOf('/'))
  const last = /\{(\w+)\}$/.exec(endpoint.path)?.[1]
  const own = readerAt(endpoint, endpoint.path)
  if (own) return { reader: own, params }
  const reader = readerAt(endpoint, above)
  return reader && { reader, params, ...(last ? { id: params[last] } : {}) }
}

/** Names the record for a lock: whoever reaches the same deployment by whichever connection or variant shares it. */
export function recordName(target: Target, { reader, params, id }: RecordPlace): string {
  const { protocol, hostname, port } = new URL(target.baseUrl)
  const host = isLoopback(hostname) ? 'loopback' : hostname
  return [`${protocol}//${host}:${port}`, fillPath(reader.path, params), id].join(' ')
}

/** The record as it is now: never the answer to a read that began earlier. Throws notFound where it is not there. */
export async function readRecord(deployments: Deployments, target: Target, place: RecordPlace): Promise<unknown> {
  const { reader, id } = place
  const template = pathTemplate(reader, target.variant, target.names)
  if (template === null) throw failure('notOffered', `The open-source variant does not offer ${reader.resource}.`)
  const { organizationId, serviceId } = target
  const own = reader.scope === 'stack' ? { organizationId, serviceId } : { organizationId }
  const operation = {
    endpoint: reader,
    path: fillPath(template, { ...place.params, ...own }),
    priority: 'user',
    fresh: true,
  } as const
  const answer: Answer = await (reader.paged
    ? deployments.readAll(target, operation)
    : deployments.read(target, operation))
  if (id === undefined) return answer.result
  const found = Array.isArray(answer.result) ? answer.result.find((one: unknown) => idOf(one) === id) : undefined
  if (found === undefined)
    throw failure('notFound', `It is not in the deployment’s list of ${reader.resource} any more.`)
  return found
}

function readerAt({ resource }: Endpoint, path: string): RecordPlace['reader'] | null {
  for (const endpoint of endpoints) {
    const { record } = endpoint
    if (record && endpoint.resource === resource && endpoint.path === path) return { ...endpoint, record }
  }
  return null
}

function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '')
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}

function idOf(record: unknown): unknown {
  return record !== null && typeof record === 'object' && 'id' in record ? record.id : undefined
}
