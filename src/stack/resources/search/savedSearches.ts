/** Saved searches on both variants: docs/DEPLOYMENTS.md#saved-searches. */
import type { Handlers } from '#contract/wire/kernel.ts'
import type { SavedSearchFilter, savedSearches } from '#contract/stack/savedSearches.ts'
import { readPinnedFilter } from '#domain/query/pinnedFilter.ts'
import {
  changedSavedSearch,
  newSavedSearch,
  savedSearchLimit,
  savedSearchRows,
  type SavedSearchInput,
} from '../../documents/savedSearchRows.ts'
import { notFound, refuse } from '../../refusal.ts'
import { requireRoom } from '../../store/requireRoom.ts'
import type { Queries } from '../../store/store.ts'
import type { StackContext } from '../context.ts'
import { sourceRows } from '../sources.ts'

export const savedSearchHandlers: Handlers<typeof savedSearches, StackContext> = {
  async list({ query }, { store }) {
    return { items: await savedSearchRows.list(store, query), total: await savedSearchRows.count(store), ...query }
  },

  async get({ params }, { store }) {
    const search = await savedSearchRows.text(store, params.savedSearchId)
    if (!search) throw notFound('Saved search')
    return search
  },

  create({ body }, { store, identity }) {
    return store.write(async (transaction) => {
      await requireRoom(transaction, savedSearchLimit)
      await checkSource(body, transaction)
      checkFilters(body.filters, [])
      const search = newSavedSearch(body, identity.teamId)
      await savedSearchRows.insert(transaction, search)
      return search
    })
  },

  update({ params, body }, { store }) {
    return store.write(async (transaction) => {
      await checkSource(body, transaction)
      const stored = await savedSearchRows.get(transaction, params.savedSearchId)
      if (!stored) throw notFound('Saved search')
      checkFilters(body.filters, stored.filters)
      const search = changedSavedSearch(stored, body)
      await savedSearchRows.update(transaction, search)
      return search
    })
  },

  delete({ params: { savedSearchId } }, { store }) {
    return store.write(async (transaction) => {
      if (!(await deleteSavedSearch(transaction, savedSearchId))) throw notFound('Saved search')
    })
  },
}

/** Deletes a saved search and the alerts on it. @returns whether it existed */
export async function deleteSavedSearch(queries: Queries, id: string): Promise<boolean> {
  await queries.run('DELETE FROM alerts WHERE saved_search_id = ?', [id])
  return savedSearchRows.delete(queries, id)
}

async function checkSource({ sourceId }: SavedSearchInput, queries: Queries): Promise<void> {
  if (!(await sourceRows.text(queries, sourceId))) throw refuse('sourceId must be an existing source id')
}

/** New filters must be conditions that a list of values can show. Others may stay as they are. */
function checkFilters(filters: readonly SavedSearchFilter[], stored: readonly SavedSearchFilter[]): void {
  const known = new Set(stored.map(identityOf))
  const at = filters.findIndex((filter) => !known.has(identityOf(filter)) && !isPinned(filter))
  if (at < 0) return
  throw refuse(
    `filters[${at}] must be a sidebar-renderable SQL predicate: one column with IN (…), NOT IN (…) or BETWEEN n AND n`,
  )
}

function isPinned(filter: SavedSearchFilter): boolean {
  return filter.type === 'sql' && readPinnedFilter(filter.condition) !== null
}

function identityOf(filter: SavedSearchFilter): string {
  return JSON.stringify(
    filter.type === 'sql_ast'
      ? [filter.type, filter.operator, filter.left, filter.right]
      : [filter.type, filter.condition],
  )
}
