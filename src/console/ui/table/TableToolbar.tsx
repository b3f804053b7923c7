import Badge from '@mui/material/Badge'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import InputAdornment from '@mui/material/InputAdornment'
import OutlinedInput from '@mui/material/OutlinedInput'
import Tooltip from '@mui/material/Tooltip'
import { ColumnsPanelTrigger, FilterPanelTrigger } from '@mui/x-data-grid'
import { Columns3, ListFilter, Rows3, Rows4, Search } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Action } from '../actions.ts'
import { Reasoned } from '../Reasoned.tsx'

declare module '@mui/x-data-grid' {
  interface ToolbarPropsOverrides extends TableToolbarProps {}
}

interface TableToolbarProps {
  label: string
  search: string
  onSearch: (search: string) => void
  dense: boolean
  onDense: (dense: boolean) => void
  selected: number
  bulkActions: Action[]
}

/** Milliseconds of not typing after which the search applies. */
const pause = 120

/** Above the table: search, filter, columns, density; with rows selected, what can be done to them. */
export function TableToolbar({ label, search, onSearch, dense, onDense, selected, bulkActions }: TableToolbarProps) {
  return (
    <Box
      role="group"
      aria-label={`${label}: view`}
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        gap: 2,
        p: 2,
        borderBottom: 1,
        borderColor: 'divider',
      }}
    >
      <SearchInput label={label} search={search} onSearch={onSearch} />
      {selected > 0 && (
        <>
          <Box component="span" role="status" sx={{ color: 'text.secondary' }}>
            {selected} selected
          </Box>
          {bulkActions.map(({ label: name, icon: Icon, run, disabled, danger }) => (
            <Reasoned key={name} reason={disabled}>
              <Button
                onClick={run}
                disabled={disabled !== undefined}
                startIcon={Icon && <Icon size={14} aria-hidden />}
                sx={{ color: danger ? 'error.main' : undefined }}
              >
                {name}
              </Button>
            </Reasoned>
          ))}
        </>
      )}
      <Box sx={{ flexGrow: 1 }} />
      <Tooltip title="Filter">
        <FilterPanelTrigger
          render={(props, { filterCount }) => (
            <IconButton {...iconProps(props)} aria-label={filterCount > 0 ? 'Filter, one is set' : 'Filter'}>
              <Badge color="primary" variant="dot" invisible={filterCount === 0}>
                <ListFilter size={16} aria-hidden />
              </Badge>
            </IconButton>
          )}
        />
      </Tooltip>
      <Tooltip title="Columns">
        <ColumnsPanelTrigger
          render={(props) => (
            <IconButton {...iconProps(props)} aria-label="Columns">
              <Columns3 size={16} aria-hidden />
            </IconButton>
          )}
        />
      </Tooltip>
      <Tooltip title={dense ? 'Roomy rows' : 'Dense rows'}>
        <IconButton aria-label="Dense rows" aria-pressed={dense} onClick={() => onDense(!dense)}>
          {dense ? <Rows3 size={16} aria-hidden /> : <Rows4 size={16} aria-hidden />}
        </IconButton>
      </Tooltip>
    </Box>
  )
}

/** What a panel's trigger hands to its button, without what only a button with text takes. */
function iconProps<P extends { size?: unknown; variant?: unknown; color?: unknown; startIcon?: unknown }>(props: P) {
  const { size: _size, variant: _variant, color: _color, startIcon: _startIcon, ...rest } = props
  return rest
}

function SearchInput({ label, search, onSearch }: Pick<TableToolbarProps, 'label' | 'search' | 'onSearch'>) {
  const [typed, setTyped] = useState(search)
  const [applied, setApplied] = useState(search)
  if (search !== applied) {
    // The address changed under us: back button, or "clear".
    setApplied(search)
    setTyped(search)
  }

  useEffect(() => {
    if (typed === search) return
    const timer = setTimeout(() => {
      setApplied(typed)
      onSearch(typed)
    }, pause)
    return () => clearTimeout(timer)
  }, [typed, search, onSearch])

  return (
    <OutlinedInput
      type="search"
      size="small"
      value={typed}
      placeholder="Search"
      onChange={(event) => setTyped(event.target.value)}
      startAdornment={
        <InputAdornment position="start" sx={{ mr: 0 }}>
          <Search size={14} aria-hidden />
        </InputAdornment>
      }
      inputProps={{ 'aria-label': `Search ${label.toLowerCase()}` }}
      sx={{ width: { xs: '100%', sm: 260 } }}
    />
  )
}
