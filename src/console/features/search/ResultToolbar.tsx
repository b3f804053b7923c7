import Autocomplete from '@mui/material/Autocomplete'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import TextField from '@mui/material/TextField'
import Typography from '@mui/material/Typography'
import { Columns3 } from 'lucide-react'
import { useState } from 'react'
import { groupFields } from '#console/telemetry/fields.ts'
import { useKnownFields } from '#console/telemetry/useKnownFields.ts'
import { Kbd } from '#console/ui/Kbd.tsx'
import css from './ResultToolbar.module.css'
import { PanelPopover } from '#console/ui/layout/PanelPopover.tsx'
import type { Connection } from '#contract/connections.ts'
import type { Source } from '#contract/sources.ts'
import { layoutOf } from './row/columnLayout.ts'
import type { ResultColumn } from './row/columns.ts'
import type { SearchState } from './state.ts'
import { maxRows, type SearchRows } from './useSearchRows.ts'

interface ResultToolbarProps {
  connection: Connection
  state: SearchState
  sources: readonly Source[]
  source: Source
  columns: readonly ResultColumn[]
  widths: ReadonlyMap<string, number>
  rows: SearchRows
  /** Rows that match, loaded or not; undefined while that is counted. */
  total: number | undefined
  onChange: (patch: Partial<SearchState>) => void
}

const number = (count: number) => count.toLocaleString('en-US')

/** How many rows there are, and which of their columns are shown. */
export function ResultToolbar(props: ResultToolbarProps) {
  const { connection, state, sources, source, columns, widths, rows, total, onChange } = props
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const fieldsOf = useKnownFields(connection.id, sources, anchor ? [source.id] : [])
  const loaded = rows.rows.length
  return (
    <Box sx={{ display: 'flex', gap: 2, alignItems: 'center', flexWrap: 'wrap', mb: 1.5, minHeight: 30 }}>
      <Typography component="div" role="status" aria-live="polite">
        <strong>{total === undefined ? '…' : number(Math.max(total, loaded))}</strong> rows
        <Box component="span" sx={{ color: 'text.secondary' }}>
          {rows.first && ` · ${number(loaded)} loaded in ${Math.round(rows.first.took)} ms`}
          {loaded >= maxRows && ` · at most ${number(maxRows)} are loaded: narrow the time range for earlier rows`}
        </Box>
      </Typography>
      <Box sx={{ flexGrow: 1 }} />
      <Typography
        variant="caption"
        color="textSecondary"
        sx={{ display: { xs: 'none', lg: state.row === '' ? 'inline' : 'none' } }}
      >
        <Kbd>j</Kbd> <Kbd>k</Kbd> move · <Kbd>o</Kbd> open · <Kbd>t</Kbd> trace · <Kbd>/</Kbd> condition
      </Typography>
      {state.order !== '' && (
        <Button onClick={() => onChange({ order: '' })} title={state.order}>
          Newest first
        </Button>
      )}
      <Button
        startIcon={<Columns3 size={14} aria-hidden />}
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        Columns
      </Button>
      <PanelPopover label="Columns" anchor={anchor} onClose={() => setAnchor(null)} className={css.columns}>
        <Autocomplete
          multiple
          freeSolo
          filterSelectedOptions
          options={groupFields(fieldsOf(source.id))}
          value={columns.map(({ expression }) => expression)}
          onChange={(_, chosen) =>
            onChange(
              layoutOf(
                chosen.map((one) => one.trim()).filter((one) => one !== ''),
                widths,
              ),
            )
          }
          renderInput={(params) => (
            <TextField
              {...params}
              label="Columns after the time"
              helperText="Fields or SQL expressions, in this order."
            />
          )}
        />
        <Button
          sx={{ mt: 2 }}
          disabled={state.cols === '' && state.widths === ''}
          onClick={() => onChange({ cols: '', widths: '' })}
        >
          Reset columns
        </Button>
      </PanelPopover>
    </Box>
  )
}
