import { paths } from '#console/paths/paths.ts'
import { TextLink } from '#console/shell/LinkButton.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import type { Connection } from '#contract/console/connections.ts'
import type { Source } from '#contract/stack/sources.ts'
import * as css from './search.module.css'
import type { SearchState } from './query/state.ts'
import { useQuery } from '@tanstack/react-query'
import { q } from '#console/api/queries.ts'
import { writtenCondition } from '#console/charting/freeText.ts'
import { savedSearchLink } from '#console/charting/search/searchLink.ts'
import { savedSearches, type SavedSearch } from '#contract/stack/savedSearches.ts'

interface SavedSearchBarProps {
  connection: Connection
  state: SearchState
  source: Source
  onReset: (patch: Partial<SearchState>) => void
}

/** The saved search that is open, and whether the page still shows what it stores. */
export function SavedSearchBar({ connection, state, source, onReset }: SavedSearchBarProps) {
  const { data } = useSavedSearch(connection.id, state.saved)
  if (!data) return null
  const stored = storedState(data, state, source)
  return (
    <div className={css.savedSearchBar}>
      Saved search:
      <TextLink to={paths.savedSearch(connection.id, data.id)}>{data.name}</TextLink>
      {stored && <StatusChip tone="warn">Unsaved changes</StatusChip>}
      {stored && <Button onClick={() => onReset(stored)}>Reset</Button>}
    </div>
  )
}

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
