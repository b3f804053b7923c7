import { Plus, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Text } from '#console/ui/base/Text.tsx'
import { IconButton } from '#console/ui/base/IconButton.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import * as css from './form.module.css'

interface RowListProps {
  /** Keys of the rows, in order. */
  ids: readonly string[]
  /** The name of one row: "Column". */
  itemName: string
  /** The label of the button that adds a row: "Add a column". */
  addLabel: string
  /** Shown while there are no rows. */
  none?: string
  /** The name of a row, for the button that removes it. */
  nameOf: (at: number) => string
  renderRow: (at: number) => ReactNode
  /** Widths of a row's fields where there is room; one under the other where there is not. */
  template: string
  error?: string | undefined
  locked: string | undefined
  onAdd: () => void
  onRemove: (at: number) => void
}

/** Rows of fields that can be added and removed. */
export function RowList(props: RowListProps) {
  const { ids, itemName, addLabel, none, nameOf, renderRow, template, error, locked, onAdd, onRemove } = props
  const variables: Record<string, string> = { '--template': template }
  return (
    <div className={css.rowList}>
      {none && ids.length === 0 && <Text color="textSecondary">{none}</Text>}
      {ids.map((id, at) => (
        <div key={id} role="group" aria-label={`${itemName} ${at + 1}`} className={css.rowListRow}>
          <div className={css.rowListFields} style={variables}>
            {renderRow(at)}
          </div>
          <IconButton
            aria-label={`Remove ${nameOf(at) || `${itemName.toLowerCase()} ${at + 1}`}`}
            disabled={locked !== undefined}
            onClick={() => onRemove(at)}
            className={css.removeButton}
          >
            <X size={14} aria-hidden />
          </IconButton>
        </div>
      ))}
      {error && (
        <Text color="error" role="alert">
          {error}
        </Text>
      )}
      <Button
        disabled={locked !== undefined}
        startIcon={<Plus size={14} aria-hidden />}
        onClick={onAdd}
        className={css.rowListAddButton}
      >
        {addLabel}
      </Button>
    </div>
  )
}
