/** Dashboards as files. A file names its sources, so that another deployment can find its own of the same kind, name and table. */
import { fileStem } from '#domain/text/fileStem.ts'
import { dashboard as dashboardSchema, type Dashboard } from '#contract/dashboards.ts'
import { parseJson, stringifyJson } from '#contract/json.ts'
import type { Source } from '#contract/sources.ts'
import { matchSources, type SourceMatch } from '#console/telemetry/sourceMatch.ts'
import { bodyOf } from './changes.ts'
import { tileName } from './diff.ts'
import { isObject, type JsonObject } from '#domain/json/json.ts'

const fileKind = 'stack-console/dashboard'

interface ExportedSource {
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

export interface ImportedFile {
  dashboard: Dashboard
  sources: ExportedSource[]
}

/**
 * Reads an exported file, or dashboards as the API answers them, bare or in their envelope: one, or a list of them.
 * @throws Error with the problem of the text
 */
export function readImport(text: string): ImportedFile[] {
  const file = parsed(text)
  const list = [file, ...(isObject(file) ? [file.data, file.result] : [])].find(Array.isArray)
  if (!list) return [readOne(file, 'The file')]
  if (list.length === 0) throw new Error('The file contains an empty list.')
  return list.map((one: unknown, index) => readOne(one, `Item ${index + 1} of the file`))
}

/** `what` is the position, for errors. */
function readOne(file: unknown, what: string): ImportedFile {
  if (!isObject(file)) throw new Error(`${what} is not a JSON object.`)
  const body = [file.dashboard, file.data, file.result].find(isObject) ?? file
  const found = dashboardSchema.safeParse({ id: 'imported', ...body })
  if (!found.success) {
    const issue = found.error.issues[0]
    throw new Error(`${what} is not a dashboard: ${issue?.path.join('.') || 'it'}: ${issue?.message ?? 'unreadable'}.`)
  }
  const sources = Array.isArray(file.sources) ? file.sources.filter(isExportedSource) : []
  return { dashboard: found.data, sources }
}

function parsed(text: string): unknown {
  try {
    return parseJson(text)
  } catch (error) {
    throw new Error(`The file is not JSON: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}

function isExportedSource(value: unknown): value is ExportedSource {
  return (
    isObject(value) && typeof value.id === 'string' && typeof value.name === 'string' && typeof value.kind === 'string'
  )
}

/**
 * Maps every source that the dashboards use to the source of this deployment that was selected (`chosen`, file ID to ID
 * here) or matches it; `to` is null if there is none.
 */
export function matchImport(
  files: readonly ImportedFile[],
  sources: readonly Source[],
  chosen: Readonly<Record<string, string>> = {},
): SourceMatch[] {
  const named = new Map(files.flatMap((file) => file.sources).map((source) => [source.id, source]))
  const ids = new Set(files.flatMap(({ dashboard }) => sourceIdsOf(dashboard)))
  const reference = [...ids].map((id) => {
    const own = sources.find((source) => source.id === id)
    return named.get(id) ?? { id, name: own?.name ?? id, kind: own?.kind ?? '' }
  })
  return matchSources(reference, sources, chosen)
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

/** The dashboard without the tiles and filters of these sources, and their names. */
export function withoutSources(
  dashboard: Dashboard,
  ids: ReadonlySet<string>,
): { dashboard: Dashboard; leftOut: string[] } {
  const names = (part: unknown) => sourceIdsOf(part).some((id) => ids.has(id))
  const { tiles, filters } = dashboard
  return {
    dashboard: {
      ...dashboard,
      tiles: tiles.filter((tile) => !names(tile)),
      filters: filters.filter((filter) => !names(filter)),
    },
    leftOut: [...tiles.filter(names).map(tileName), ...filters.filter(names).map(({ name }) => name || 'a filter')],
  }
}

/** The dashboard with its sources renamed; ids that the map lacks stay. */
export function withSources(dashboard: Dashboard, ids: ReadonlyMap<string, string>): Dashboard {
  return visitSources(dashboard, (id) => ids.get(id) ?? id) as Dashboard // the same shape, ids replaced
}

/** Rewrites every source id: of tiles, filters, filter scopes and row clicks that lead to a search. */
function visitSources(value: unknown, rename: (id: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => visitSources(item, rename))
  if (!isObject(value)) return value
  const entries = Object.entries(value).map(([key, item]): [string, unknown] => {
    if (key === 'sourceId' && typeof item === 'string' && item) return [key, rename(item)]
    if (key === 'appliesToSourceIds' && Array.isArray(item)) {
      return [key, item.map((id: unknown) => (typeof id === 'string' ? rename(id) : id))]
    }
    if (key === 'onClick' && isObject(item) && item.type === 'search') return [key, renameTarget(item, rename)]
    return [key, visitSources(item, rename)]
  })
  return Object.fromEntries(entries)
}

function renameTarget(onClick: JsonObject, rename: (id: string) => string): JsonObject {
  const { target } = onClick
  if (!isObject(target) || target.mode !== 'id' || typeof target.id !== 'string') return onClick
  return { ...onClick, target: { ...target, id: rename(target.id) } }
}
