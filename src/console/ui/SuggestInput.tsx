import Autocomplete from '@mui/material/Autocomplete'
import TextField from '@mui/material/TextField'
import type { ReactNode } from 'react'

interface SuggestInputProps {
  label: string
  value: string
  /** Suggestions. Any text is accepted. */
  suggestions: readonly string[]
  onChange: (value: string) => void
  placeholder?: string
  error?: string | undefined
  help?: ReactNode
  loading?: boolean
}

/** A text with suggestions, outside of a form: column names, metric names. */
export function SuggestInput(props: SuggestInputProps) {
  const { label, value, suggestions, onChange, placeholder = '', error, help, loading = false } = props
  return (
    <Autocomplete
      freeSolo
      openOnFocus
      forcePopupIcon
      disableClearable
      options={suggestions}
      loading={loading}
      inputValue={value}
      value={value}
      onInputChange={(_, typed, reason) => reason !== 'reset' && onChange(typed)}
      onChange={(_, chosen) => onChange(chosen)}
      // Opened on an existing value, the list shows all options, not only those with that prefix.
      filterOptions={(options) =>
        options.includes(value) ? options : options.filter((one) => one.toLowerCase().includes(value.toLowerCase()))
      }
      renderInput={(input) => (
        <TextField
          {...input}
          label={label}
          placeholder={placeholder}
          error={error !== undefined}
          helperText={error ?? help}
          sx={{ '& input': { fontFamily: 'var(--mono)', fontSize: 12 } }}
        />
      )}
    />
  )
}
