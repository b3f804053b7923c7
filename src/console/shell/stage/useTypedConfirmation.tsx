import { visibleText } from '#domain/text/visibleText.ts'
import type { ReactNode } from 'react'
import { useWatch } from 'react-hook-form'
import { z } from 'zod'
import { TextField } from '#console/ui/form/fields/TextField.tsx'
import { useSchemaForm } from '#console/ui/form/useSchemaForm.ts'

interface TypedConfirmation {
  /** Where the name is typed; null if none has to be. */
  field: ReactNode
  /** Why the action is not enabled yet; undefined once the name was typed. */
  reason: string | undefined
}

const schema = z.object({ typed: z.string() })

/**
 * Requires a typed name before an action that cannot be undone. It can be pasted, and typed as it is shown, with invisible
 * characters as escapes. Undefined requires none.
 */
export function useTypedConfirmation(name: string | undefined): TypedConfirmation {
  const { control } = useSchemaForm(schema, { typed: '' })
  const typed = useWatch({ control, name: 'typed' })
  if (name === undefined) return { field: null, reason: undefined }
  const shown = visibleText(name)
  const field = <TextField control={control} name="typed" label={`Type ${shown} to confirm`} verbatim />
  const isTyped = [name.trim(), shown.trim()].includes(typed.trim())
  return { field, reason: isTyped ? undefined : `Type ${shown} to confirm.` }
}
