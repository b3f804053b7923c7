import { groupFields } from '#console/charting/fields.ts'
import { useKnownFields } from '#console/charting/useKnownFields.ts'
import { Button } from '#console/ui/base/Button.tsx'
import { NamesInput } from '#console/ui/suggest/NamesInput.tsx'
import { PanelPopover } from '#console/ui/layout/PanelPopover.tsx'
import type { Connection } from '#contract/console/connections.ts'
import type { Source } from '#contract/stack/sources.ts'
import * as css from './search.module.css'
import { layoutOf } from './row/columnLayout.ts'
import type { ResultColumn } from '#console/charting/rows/columns.ts'
import type { SearchState } from './query/state.ts'

interface ColumnsPopoverProps {
  anchor: HTMLElement
  connection: Connection
  state: SearchState
  sources: readonly Source[]
  source: Source
  columns: readonly ResultColumn[]
  widths: ReadonlyMap<string, number>
  onChange: (patch: Partial<SearchState>) => void
  onClose: () => void
}

/** Which columns are shown, and their order. */
export function ColumnsPopover(props: ColumnsPopoverProps) {
  const { anchor, connection, state, sources, source, columns, widths, onChange, onClose } = props
  const fieldsOf = useKnownFields(connection.id, sources, [source.id])
  return (
    <PanelPopover label="Columns" anchor={anchor} onClose={onClose} className={css.columns}>
      <NamesInput
        label="Columns after the time"
        names={columns.map(({ expression }) => expression)}
        suggestions={groupFields(fieldsOf(source.id))}
        onChange={(names) => onChange(layoutOf(names, widths))}
        placeholder=""
        help="Fields or SQL expressions, in this order."
      />
      <Button
        className={css.reset}
        disabled={state.cols === '' && state.widths === ''}
        onClick={() => onChange({ cols: '', widths: '' })}
      >
        Reset columns
      </Button>
    </PanelPopover>
  )
}
