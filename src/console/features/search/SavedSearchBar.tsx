import { paths } from '#console/paths/paths.ts'
import { TextLink } from '#console/shell/LinkButton.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import type { Connection } from '#contract/console/connections.ts'
import type { Source } from '#contract/stack/sources.ts'
import * as css from './search.module.css'
import type { SearchState } from './query/state.ts'
import { storedState, useSavedSearch } from './useSavedSearch.ts'

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
