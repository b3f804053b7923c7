import TextField from '@mui/material/TextField'
import { useState, type ReactNode } from 'react'

interface TypedConfirmation {
  /** Where the name is typed; null where none has to be. */
  field: ReactNode
  /** Why it cannot be done yet; undefined once the name is there. */
  reason: string | undefined
}

/** Has a name typed before something is done that cannot be taken back. Pasting it is fine. Undefined asks for none. */
export function useTypedConfirmation(name: string | undefined): TypedConfirmation {
  const [typed, setTyped] = useState('')
  if (name === undefined) return { field: null, reason: undefined }
  const field = (
    <TextField
      label={`Type ${name} to confirm`}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
      slotProps={{ htmlInput: { autoComplete: 'off', spellCheck: false, autoCapitalize: 'off' } }}
    />
  )
  return { field, reason: typed.trim() === name ? undefined : `Type ${name} to confirm.` }
}
