import { Controller } from 'react-hook-form'
import { z } from 'zod'
import { groupFields } from '#console/charting/fields.ts'
import { useKnownFields } from '#console/charting/useKnownFields.ts'
import { Button } from '#console/ui/base/Button.tsx'
import { useSchemaForm } from '#console/ui/form/useSchemaForm.ts'
import { SuggestInput } from '#console/ui/suggest/SuggestInput.tsx'
import type { Connection } from '#contract/console/connections.ts'
import type { Source } from '#contract/stack/sources.ts'
import * as css from '../search.module.css'

const facet = z.object({ field: z.string().trim() })

interface FacetFormProps {
  connection: Connection
  source: Source
  /** The typed field; empty for none. */
  onSubmit: (field: string) => void
}

/** A field, with suggestions. */
export function FacetForm({ connection, source, onSubmit }: FacetFormProps) {
  const { control, handleSubmit } = useSchemaForm(facet, { field: '' })
  const fieldsOf = useKnownFields(connection.id, [source], [source.id])
  const submit = handleSubmit(({ field }) => onSubmit(field))
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
      className={css.facetForm}
    >
      <div className={css.facetField}>
        <Controller
          control={control}
          name="field"
          render={({ field: { value, onChange } }) => (
            <SuggestInput
              label="Field"
              value={value}
              suggestions={groupFields(fieldsOf(source.id))}
              onChange={onChange}
            />
          )}
        />
      </div>
      <Button type="submit">Add</Button>
    </form>
  )
}
