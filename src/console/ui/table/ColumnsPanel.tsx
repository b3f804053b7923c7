import Checkbox from '@mui/material/Checkbox'
import FormControlLabel from '@mui/material/FormControlLabel'
import { PanelPopover } from '../layout/PanelPopover.tsx'
import * as css from './table.module.css'

interface ColumnsPanelProps {
  anchor: HTMLElement
  onClose: () => void
  columns: readonly { id: string; title: string }[]
  visible: readonly string[]
  onVisible: (ids: string[]) => void
}

/** Selects the displayed columns. The last one cannot be hidden. */
export function ColumnsPanel({ anchor, onClose, columns, visible, onVisible }: ColumnsPanelProps) {
  return (
    <PanelPopover label="Columns" anchor={anchor} onClose={onClose} className={css.toolbarPanel}>
      <div className={css.choices}>
        {columns.map(({ id, title }) => {
          const on = visible.includes(id)
          return (
            <FormControlLabel
              key={id}
              label={title}
              disabled={on && visible.length === 1}
              control={
                <Checkbox
                  checked={on}
                  onChange={() =>
                    onVisible(
                      columns
                        .map((column) => column.id)
                        .filter((other) => (other === id ? !on : visible.includes(other))),
                    )
                  }
                />
              }
            />
          )
        })}
      </div>
    </PanelPopover>
  )
}
