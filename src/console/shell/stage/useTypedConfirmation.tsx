import { visibleText } from '#domain/text/visibleText.ts'
import type { ReactNode } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { TextField } from '#console/ui/form/fields/TextField.tsx'

interface TypedConfirmation {
  /** Where the name is typed; null if none has to be. */
  field: ReactNode
  /** Why the action is not enabled yet; undefined once the name was typed. */
  reason: string | undefined
}

/**
 * Requires a typed name before an action that cannot be undone. It can be pasted, and typed as it is shown, with invisible
 * characters as escapes. Undefined requires none.
 */
export function useTypedConfirmation(name: string | undefined): TypedConfirmation {
  const { control } = useForm({ defaultValues: { typed: '' } })
  const typed = useWatch({ control, name: 'typed' })
  if (name === undefined) return { field: null, reason: undefined }
  const shown = visibleText(name)
  const field = <TextField control={control} name="typed" label={`Type ${shown} to confirm`} verbatim />
  const isTyped = [name.trim(), shown.trim()].includes(typed.trim())
  return { field, reason: isTyped ? undefined : `Type ${shown} to confirm.` }
}
