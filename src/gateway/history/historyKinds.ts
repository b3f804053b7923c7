/** Which records have a history, and which of them an operation reads or writes. */
import { dashboards } from '#contract/stack/dashboards/dashboards.ts'
import { locationOf, type DeploymentAddress, type DeploymentLocation } from '#contract/console/deployments.ts'
import { historyResources } from '#contract/stack/recordKinds.ts'
import { endpoints } from '#contract/index.ts'
import type { Endpoint } from '#contract/wire/kernel.ts'
import type { Operation } from '#node/upstream/operation.ts'
import { recordLocation } from '#node/upstream/records.ts'

export interface HistoryRecord {
  kind: string
  /** Null for a list, and for a record to be created. */
  id: string | null
}

/** The record or the list that an operation reads; null if those have no history. */
export function recordRead({ endpoint, params = {} }: Operation): HistoryRecord | null {
  // A list of dashboards has whole dashboards, although edits do not start from it.
  const isKept = historyResources.includes(endpoint.resource) && (endpoint.record || endpoint === dashboards.list)
  if (!isKept || endpoint.method !== 'GET') return null
  if (endpoint.list) return { kind: kindOf(endpoint), id: null }
  const id = lastParameter(endpoint, params)
  return id === null ? null : { kind: kindOf(endpoint), id }
}

/** The record that an operation writes; null if it writes none, such as the test of a webhook. */
export function recordWritten({ endpoint, params = {} }: Operation): HistoryRecord | null {
  if (!endpoint.mutates || !historyResources.includes(endpoint.resource)) return null
  if (endpoint.verb === 'create') return { kind: endpoint.resource, id: null }
  const location = recordLocation(endpoint, params)
  if (!location) return null
  return { kind: kindOf(location.reader), id: location.id ?? lastParameter(location.reader, params) }
}

/** `dashboards`; `pipes/settings` for a part of a record that is read on its own. */
function kindOf({ resource, path, list }: Endpoint): string {
  const part = /\}\/([^{}/]+)$/.exec(path)?.[1]
  return part === undefined || list ? resource : `${resource}/${part}`
}

function lastParameter({ path }: Endpoint, params: Record<string, string>): string | null {
  const last = [...path.matchAll(/\{(\w+)\}/g)].at(-1)?.[1]
  return last === undefined ? null : (params[last] ?? null)
}

/** Fields that change without a save are not part of a version. */
const volatileFields = new Map<string, readonly string[]>(
  endpoints.flatMap((endpoint) => (endpoint.record ? [[kindOf(endpoint), endpoint.record.volatile] as const] : [])),
)

export function volatileOf(kind: string): readonly string[] {
  return volatileFields.get(kind) ?? []
}

/**
 * Where the record, or the list, of an operation comes from. Data pipes belong to a service, which need not be that of the connection: the list
 * of one service says nothing about the pipes of another.
 */
export function placeOfRecord(
  target: DeploymentAddress,
  params: Operation['params'],
  id: string | null,
): DeploymentLocation {
  const serviceId = params?.['serviceId']
  return locationOf(serviceId === undefined || serviceId === id ? target : { ...target, serviceId })
}
