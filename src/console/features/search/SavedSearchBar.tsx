import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { paths } from '#console/paths/paths.ts'
import { TextLink } from '#console/shell/LinkButton.tsx'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import type { Connection } from '#contract/connections.ts'
import type { Source } from '#contract/sources.ts'
import type { SearchState } from './state.ts'
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
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 2, mb: 2, minHeight: 24 }}>
      Saved search:
      <TextLink to={paths.savedSearch(connection.id, data.id)}>{data.name}</TextLink>
      {stored && <StatusChip tone="warn">Unsaved changes</StatusChip>}
      {stored && <Button onClick={() => onReset(stored)}>Reset</Button>}
    </Box>
  )
}
