import Autocomplete from '@mui/material/Autocomplete'
import TextField from '@mui/material/TextField'
import { type ReactNode, type Ref, type SyntheticEvent, useState } from 'react'

interface ConditionInputProps {
  label: string
  /** The label is only for assistive technology. */
  labelHidden?: boolean
  value: string
  /** Where the word under the cursor starts, and what continues it. */
  complete: (typed: string, cursor: number) => Completion
  onChange: (typed: string) => void
  placeholder?: string
  error?: string | undefined
  help?: ReactNode
  required?: boolean
  /** Enter, without Ctrl. */
  onEnter?: () => void
  onBlur?: () => void
  inputRef?: Ref<HTMLInputElement>
}

interface Completion {
  start: number
  names: readonly string[]
}

const nothing: Completion = { start: 0, names: [] }

/** An expression with suggestions for the text at the cursor. Any text is accepted. */
export function ConditionInput(props: ConditionInputProps) {
  const { label, value, complete, onChange, placeholder = '', error, help, required = false } = props
  const { onEnter, onBlur, inputRef, labelHidden = false } = props
  /** Where the person types; null while no suggestions are wanted. They may arrive after the keystroke. */
  const [cursor, setCursor] = useState<number | null>(null)
  const offer = cursor === null ? nothing : complete(value, cursor)
  const insert = (name: string) => {
    onChange(value.slice(0, offer.start) + name + value.slice(cursor ?? value.length))
    setCursor(null)
  }
  return (
    <Autocomplete
      freeSolo
      disableClearable
      options={offer.names}
      open={offer.names.length > 0}
      filterOptions={(names) => names}
      inputValue={value}
      // No suggestion is ever preselected: Enter always uses the typed text.
      value=""
      onInputChange={(event, typed, reason) => {
        if (reason !== 'input') return
        setCursor(cursorOf(event, typed))
        onChange(typed)
      }}
      onChange={(event, chosen, reason) => {
        if (reason === 'selectOption') insert(chosen)
        // With Ctrl the whole page runs.
        else if (reason === 'createOption' && !withControl(event)) onEnter?.()
      }}
      onClose={() => setCursor(null)}
      renderInput={(params) => (
        <TextField
          {...params}
          {...(inputRef && { inputRef })}
          {...(!labelHidden && { label })}
          required={required}
          placeholder={placeholder}
          error={error !== undefined}
          helperText={error ?? help}
          {...(onBlur && { onBlur })}
          sx={{ '& input.MuiInputBase-input': { fontFamily: 'var(--mono)', fontSize: 12 } }}
          slotProps={{
            ...params.slotProps,
            htmlInput: {
              ...params.slotProps.htmlInput,
              spellCheck: false,
              ...(labelHidden && { 'aria-label': label }),
            },
          }}
        />
      )}
    />
  )
}

function cursorOf({ target }: SyntheticEvent, typed: string): number {
  return (target instanceof HTMLInputElement ? target.selectionStart : null) ?? typed.length
}

function withControl(event: SyntheticEvent): boolean {
  const { nativeEvent } = event
  return nativeEvent instanceof KeyboardEvent && (nativeEvent.ctrlKey || nativeEvent.metaKey)
}
