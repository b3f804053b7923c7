import { Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from '#console/ui/base/IconButton.tsx'
import * as css from './form.module.css'

/** Fields below each other that belong to one label. */
export function FieldGroup({ label, children }: { label: string; children: ReactNode }) {
  return (
    <fieldset className={css.fieldGroup}>
      <legend className={css.fieldGroupLabel}>{label}</legend>
      {children}
    </fieldset>
  )
}

interface FieldGroupRowProps {
  /** The name of the button that removes the row. */
  removeLabel: string
  onRemove: () => void
  /** Its fields. */
  children: ReactNode
}

/** One of several rows of a group, which can be removed. */
export function FieldGroupRow({ removeLabel, onRemove, children }: FieldGroupRowProps) {
  return (
    <div className={css.fieldGroupRow}>
      {children}
      <IconButton aria-label={removeLabel} onClick={onRemove} className={css.removeButton}>
        <Trash2 size={15} aria-hidden />
      </IconButton>
    </div>
  )
}
