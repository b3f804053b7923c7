/** Reads dashboards from files, and finds the sources of this deployment for theirs. */
import { parseJson } from '#contract/wire/json.ts'
import { dashboard as dashboardSchema, type Dashboard } from '#contract/stack/dashboards/dashboards.ts'
import type { Source } from '#contract/stack/sources.ts'
import { matchSources, type SourceMatch } from '#console/charting/sourceMatch.ts'
import { isPlainObject } from '#domain/json/plainObject.ts'
import { tileName } from '../model/diff.ts'
import { type ExportedSource, sourceIdsOf, visitSources } from './exportFile.ts'
import { convertTemplate, isUiTemplate } from './uiTemplate.ts'

export interface ImportedFile {
  dashboard: Dashboard
  sources: ExportedSource[]
  /** Parts of the file that deployments have no place for, in words. */
  leftOut: string[]
}

/**
 * Reads an exported file, one that the vendor's page exported, or dashboards as the API answers them, bare or in their
 * envelope: one, or a list of them.
 * @throws Error with the problem of the text
 */
export function readImport(text: string): ImportedFile[] {
  const file = parseFile(text)
  const list = [file, ...(isPlainObject(file) ? [file.data, file.result] : [])].find(Array.isArray)
  if (!list) return [readOne(file, 'The file')]
  if (list.length === 0) throw new Error('The file contains an empty list.')
  return list.map((entry: unknown, index) => readOne(entry, `Item ${index + 1} of the file`))
}

/** `what` is the position, for errors. */
function readOne(file: unknown, what: string): ImportedFile {
  if (!isPlainObject(file)) throw new Error(`${what} is not a JSON object.`)
  const template = isUiTemplate(file) ? convertTemplate(file) : null
  const body = template?.body ?? [file.dashboard, file.data, file.result].find(isPlainObject) ?? file
  const found = dashboardSchema.safeParse({ id: 'imported', ...body })
  if (!found.success) {
    const issue = found.error.issues[0]
    throw new Error(`${what} is not a dashboard: ${issue?.path.join('.') || 'it'}: ${issue?.message ?? 'unreadable'}.`)
  }
  const listed = Array.isArray(file.sources) ? file.sources.filter(isExportedSource) : []
  return { dashboard: found.data, sources: template?.sources ?? listed, leftOut: template?.leftOut ?? [] }
}

function parseFile(text: string): unknown {
  try {
    return parseJson(text)
  } catch (error) {
    throw new Error(`The file is not JSON: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}

function isExportedSource(value: unknown): value is ExportedSource {
  return (
    isPlainObject(value) &&
    typeof value.id === 'string' &&
    typeof value.name === 'string' &&
    typeof value.kind === 'string'
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
