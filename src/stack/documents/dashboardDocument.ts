/** Converts input into stored dashboards: assigns ids, and keeps what a PUT leaves out (docs/DEPLOYMENTS.md#omitted-fields, #dashboards, #tiles). */
import { newObjectId } from '../ids.ts'
import type {
  DashboardCreate,
  DashboardDocument,
  DashboardInput,
  DashboardUpdate,
  StoredFilter,
  StoredTile,
} from './dashboardRows.ts'

export function newDashboard(input: DashboardCreate): DashboardDocument {
  return {
    id: newObjectId(),
    name: input.name,
    tiles: input.tiles.map((tile) => ({ ...tile, id: newObjectId() })),
    tags: input.tags ?? [],
    filters: (input.filters ?? []).map((filter) => visible({ ...filter, id: newObjectId() })),
    ...savedQuery(input),
    savedFilterValues: input.savedFilterValues ?? [],
    ...containers(input.containers),
  }
}

export function changedDashboard(stored: DashboardDocument, input: DashboardUpdate): DashboardDocument {
  const { tags, filters, savedFilterValues } = input
  return {
    id: stored.id,
    name: input.name,
    tiles: keepIds(input.tiles, stored.tiles),
    tags: tags ?? stored.tags,
    filters: filters ? keepIds(filters, stored.filters).map(visible) : stored.filters,
    ...savedQuery(input, stored),
    savedFilterValues: savedFilterValues ?? stored.savedFilterValues,
    ...containers(input.containers ?? stored.containers),
  }
}

/** Keeps ids that are already stored and replaces others, because the server assigns ids. */
function keepIds<T extends { id?: string | undefined }>(
  sent: readonly T[],
  stored: readonly (StoredTile | StoredFilter)[],
) {
  const known = new Set(stored.map(({ id }) => id))
  return sent.map((part) => ({ ...part, id: part.id !== undefined && known.has(part.id) ? part.id : newObjectId() }))
}

type SavedQuery = Pick<DashboardDocument, 'savedQuery' | 'savedQueryLanguage'>

/** Fields that are left out stay. A query without a language uses the field:value language. */
function savedQuery(
  input: DashboardInput,
  stored: SavedQuery = { savedQuery: null, savedQueryLanguage: null },
): SavedQuery {
  const { savedQuery: query, savedQueryLanguage: language } = input
  return {
    savedQuery: query === undefined ? stored.savedQuery : query,
    savedQueryLanguage: language === undefined ? languageOf(query, stored.savedQueryLanguage) : language,
  }
}

/** The default language of a query. */
function languageOf(query: string | null | undefined, stored: string | null): string | null {
  if (query === null) return null
  return query ? 'lucene' : stored
}

function containers(value: DashboardDocument['containers']): Pick<DashboardDocument, 'containers'> {
  return value && value.length > 0 ? { containers: value } : {}
}

/** A filter without the fields of a disabled mode. */
function visible(filter: StoredFilter): StoredFilter {
  if (filter.type === 'STATIC_LIST') return filter
  const { appliesToSourceIds, variableName, ...rest } = filter
  return {
    ...rest,
    ...(filter.isBroadcastEnabled !== false && appliesToSourceIds && { appliesToSourceIds }),
    ...(filter.isVariableEnabled && variableName !== undefined && { variableName }),
  }
}
