/** Dashboards as files. A file names its sources, so that another deployment can find its own of the same kind, name and table. */
import type { Dashboard } from '#contract/stack/dashboards/dashboards.ts'
import { stringifyJson } from '#contract/wire/json.ts'
import type { Source } from '#contract/stack/sources.ts'
import type { JsonObject } from '#domain/json/json.ts'
import { isPlainObject } from '#domain/json/plainObject.ts'
import { fileStem } from '#domain/text/fileStem.ts'
import { bodyOf } from '../model/changes.ts'

const fileKind = 'stack-console/dashboard'

export interface ExportedSource {
  id: string
  name: string
  kind: string
  from?: { databaseName: string; tableName: string } | undefined
}

/** The file of a dashboard, indented JSON; numbers are unchanged. */
export function exportText(dashboard: Dashboard, sources: readonly Source[]): string {
  const used = sourceIdsOf(dashboard)
  const named: ExportedSource[] = sources
    .filter(({ id }) => used.includes(id))
    .map(({ id, name, kind, from }) => ({ id, name, kind, ...(from && { from }) }))
  return stringifyJson({ kind: fileKind, version: 1, sources: named, dashboard: bodyOf(dashboard) }, 2)
}

/** A file name that is valid on every system. */
export function exportName(dashboard: Pick<Dashboard, 'name'>): string {
  return `${fileStem(dashboard.name, 80) || 'dashboard'}.json`
}

/** The distinct source IDs in a dashboard or a part of one. */
export function sourceIdsOf(part: unknown): string[] {
  const ids: string[] = []
  visitSources(part, (id) => {
    ids.push(id)
    return id
  })
  return [...new Set(ids)]
}

/** Rewrites every source id: of tiles, filters, filter scopes and row clicks that lead to a search. */
export function visitSources(value: unknown, rename: (id: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => visitSources(item, rename))
  if (!isPlainObject(value)) return value
  const entries = Object.entries(value).map(([key, item]): [string, unknown] => {
    if (key === 'sourceId' && typeof item === 'string' && item) return [key, rename(item)]
    if (key === 'appliesToSourceIds' && Array.isArray(item)) {
      return [key, item.map((id: unknown) => (typeof id === 'string' ? rename(id) : id))]
    }
    if (key === 'onClick' && isPlainObject(item) && item.type === 'search') return [key, renameTarget(item, rename)]
    return [key, visitSources(item, rename)]
  })
  return Object.fromEntries(entries)
}

function renameTarget(onClick: JsonObject, rename: (id: string) => string): JsonObject {
  const { target } = onClick
  if (!isPlainObject(target) || target.mode !== 'id' || typeof target.id !== 'string') return onClick
  return { ...onClick, target: { ...target, id: rename(target.id) } }
}
