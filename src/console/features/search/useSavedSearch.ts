import { useQuery } from '@tanstack/react-query'
import { q } from '#console/api/queries.ts'
import { writtenCondition } from '#console/charting/freeText.ts'
import { savedSearchLink } from '#console/charting/search/searchLink.ts'
import { savedSearches, type SavedSearch } from '#contract/stack/savedSearches.ts'
import type { Source } from '#contract/stack/sources.ts'
import type { SearchState } from './query/state.ts'

/** The content of a saved search, as the URL has it, if the page shows something else; null if it does not. */
export function storedState(saved: SavedSearch, state: SearchState, source: Source): Partial<SearchState> | null {
  const { q = '', lang = 'lucene', cols = '', order = '' } = savedSearchLink(saved)
  const sameCondition = lang === state.lang && writtenCondition(q, lang) === writtenCondition(state.q, lang)
  const same = saved.sourceId === source.id && sameCondition && cols === state.cols && order === state.order
  return same ? null : { source: saved.sourceId, q, lang, cols, order }
}

/** A saved search by its ID; nothing is read without one. */
export function useSavedSearch(connectionId: string, savedSearchId: string) {
  return useQuery({
    ...q(connectionId, savedSearches.get, { params: { savedSearchId } }),
    enabled: savedSearchId !== '',
    staleTime: 60_000,
  })
}
