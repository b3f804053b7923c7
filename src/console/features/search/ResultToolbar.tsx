import { Columns3 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#console/ui/base/Button.tsx'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { ToggleButtons } from '#console/ui/actions/ToggleButtons.tsx'
import { Kbd } from '#console/ui/base/Kbd.tsx'
import type { Connection } from '#contract/console/connections.ts'
import type { Source } from '#contract/stack/sources.ts'
import { formatValue } from '#domain/charts/units.ts'
import type { ResultColumn } from '#console/charting/rows/columns.ts'
import { Spacer } from '#console/ui/layout/Spacer.tsx'
import * as css from './search.module.css'
import type { SearchState } from './query/state.ts'
import { formatRowCount, maxRows, type SearchRows } from './query/useSearchRows.ts'

const ColumnsPopover = lazyComponent(async () => (await import('./ColumnsPopover.tsx')).ColumnsPopover)

interface ResultToolbarProps {
  connection: Connection
  state: SearchState
  sources: readonly Source[]
  source: Source
  columns: readonly ResultColumn[]
  widths: ReadonlyMap<string, number>
  rows: SearchRows
  /** All rows that match, over time; undefined while they are counted. */
  counted: Parameters<typeof formatRowCount>[1]
  onChange: (patch: Partial<SearchState>) => void
  /** The choice of the view is about to be used. */
  onViewPointed: () => void
}

const views = [
  { value: '', label: 'Rows' },
  { value: 'patterns', label: 'Patterns' },
] as const

/** How many rows there are, and which of their columns are shown. */
export function ResultToolbar(props: ResultToolbarProps) {
  const { connection, state, sources, source, columns, widths, rows, counted, onChange, onViewPointed } = props
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const loaded = rows.rows.length
  const showsRows = state.view === ''
  return (
    <div className={css.toolbar}>
      <Text component="div" role="status" aria-live="polite">
        <strong>{formatRowCount(rows, counted)}</strong> rows
        <span className={css.resultToolbarDetail}>
          {showsRows && rows.first && ` · ${formatValue(loaded)} loaded in ${Math.round(rows.first.took)} ms`}
          {showsRows &&
            loaded >= maxRows &&
            ` · at most ${formatValue(maxRows)} are loaded: narrow the time range for earlier rows`}
        </span>
      </Text>
      <Spacer />
      {showsRows && state.row === '' && (
        <Text variant="caption" color="textSecondary" className={css.keys}>
          <Kbd>j</Kbd> <Kbd>k</Kbd> move · <Kbd>o</Kbd> open · <Kbd>t</Kbd> trace · <Kbd>/</Kbd> condition
        </Text>
      )}
      {showsRows && state.order !== '' && (
        <Button onClick={() => onChange({ order: '' })} title={state.order}>
          Newest first
        </Button>
      )}
      <span onPointerEnter={onViewPointed} onFocus={onViewPointed}>
        <ToggleButtons
          label="View"
          value={state.view}
          options={views}
          onChange={(view) => onChange({ view, ...(view === 'patterns' && { live: '' }) })}
        />
      </span>
      {showsRows && (
        <Button
          startIcon={<Columns3 size={14} aria-hidden />}
          aria-haspopup="dialog"
          aria-expanded={anchor !== null}
          onPointerEnter={ColumnsPopover.preload}
          onFocus={ColumnsPopover.preload}
          onClick={(event) => setAnchor(event.currentTarget)}
        >
          Columns
        </Button>
      )}
      {anchor && (
        <ColumnsPopover
          anchor={anchor}
          onClose={() => setAnchor(null)}
          {...{ connection, state, source, sources, columns, widths, onChange }}
        />
      )}
    </div>
  )
}
