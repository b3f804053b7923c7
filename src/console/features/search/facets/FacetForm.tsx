import { useState } from 'react'
import { groupFields } from '#console/telemetry/fields.ts'
import { useKnownFields } from '#console/telemetry/useKnownFields.ts'
import { Button } from '#console/ui/base/Button.tsx'
import { SuggestInput } from '#console/ui/suggest/SuggestInput.tsx'
import type { Connection } from '#contract/connections.ts'
import type { Source } from '#contract/sources.ts'
import css from './FacetForm.module.css'

interface FacetFormProps {
  connection: Connection
  source: Source
  /** The typed field; empty for none. */
  onSubmit: (field: string) => void
}

/** A field, with suggestions. */
export function FacetForm({ connection, source, onSubmit }: FacetFormProps) {
  const [typed, setTyped] = useState('')
  const fieldsOf = useKnownFields(connection.id, [source], [source.id])
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit(typed.trim())
      }}
      className={css.form}
    >
      <div className={css.field}>
        <SuggestInput label="Field" value={typed} suggestions={groupFields(fieldsOf(source.id))} onChange={setTyped} />
      </div>
      <Button type="submit">Add</Button>
    </form>
  )
}
