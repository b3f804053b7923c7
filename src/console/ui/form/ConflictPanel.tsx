import { useEffect, useRef, useState } from 'react'
import { Notice } from '../Notice.tsx'
import { Panel } from '../layout/Panel.tsx'
import type { ConflictRow, Side } from './conflict.ts'
import { ConflictTable } from './ConflictTable.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import * as css from './form.module.css'

interface ConflictPanelProps<Form extends object> {
  /** The noun: "alert". */
  noun: string
  rows: ConflictRow<Form>[]
  /** The text where no field shows what they changed. */
  unseen?: string
  titles: Record<keyof Form & string, string>
  /** A value as a person reads it. */
  formatValue: (field: keyof Form & string, form: Form) => string
  /** Continues with the form on top of their changes, with their values for these fields. */
  onResolve: (taken: (keyof Form & string)[]) => void
}

/** Somebody else saved the alert meanwhile: both versions side by side. Nothing is sent before the person decides. */
export function ConflictPanel<Form extends object>(props: ConflictPanelProps<Form>) {
  const { noun, rows, titles, formatValue, onResolve } = props
  const unseen =
    props.unseen ?? 'The change is in a field that cannot be read, such as a secret. Saving may overwrite it.'
  const [choices, setChoices] = useState<ReadonlyMap<string, Side>>(new Map())
  const top = useRef<HTMLDivElement | null>(null)
  // The save button is at the other end of the form.
  useEffect(() => top.current?.focus(), [])
  const contested = rows.filter((row) => row.contested)
  const taken = rows.flatMap(({ field }) => (choices.get(field) === 'theirs' ? [field] : []))
  return (
    <div ref={top} tabIndex={-1}>
      <Panel title="Changed by somebody else" flush>
        <Notice tone="warning" role="alert">
          {rows.length === 0
            ? `Somebody else saved this ${noun} while you were editing it. ${unseen}`
            : contested.length > 0
              ? `Somebody else saved this ${noun} while you were editing it, and you both changed the same fields. Choose which value to keep for each field.`
              : `Somebody else saved this ${noun} while you were editing it. You changed different fields, so both changes can be kept.`}
        </Notice>
        <ConflictTable
          rows={rows.map(({ field, before, theirs, mine, contested: both }) => ({
            key: field,
            title: titles[field],
            original: formatValue(field, before),
            theirs: formatValue(field, theirs),
            mine: both ? formatValue(field, mine) : undefined,
          }))}
          sideOf={(field) => choices.get(field) ?? 'mine'}
          onChoose={(field, side) => setChoices((all) => new Map(all).set(field, side))}
        />
        <Button variant="contained" color="primary" onClick={() => onResolve(taken)} className={css.continueButton}>
          Continue with these values
        </Button>
      </Panel>
    </div>
  )
}
