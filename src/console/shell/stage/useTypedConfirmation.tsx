import { visibleText } from '#domain/text/visibleText.ts'
import TextField from '@mui/material/TextField'
import { useState, type ReactNode } from 'react'

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
  const [typed, setTyped] = useState('')
  if (name === undefined) return { field: null, reason: undefined }
  const shown = visibleText(name)
  const field = (
    <TextField
      label={`Type ${shown} to confirm`}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
      slotProps={{ htmlInput: { autoComplete: 'off', spellCheck: false, autoCapitalize: 'off' } }}
    />
  )
  const isTyped = [name.trim(), shown.trim()].includes(typed.trim())
  return { field, reason: isTyped ? undefined : `Type ${shown} to confirm.` }
}
