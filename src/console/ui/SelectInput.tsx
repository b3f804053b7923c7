import MenuItem from '@mui/material/MenuItem'
import TextField from '@mui/material/TextField'
import type { ReactNode } from 'react'

interface SelectInputProps<Value extends string> {
  label: string
  value: Value
  options: readonly { value: Value; label: string }[]
  onChange: (value: Value) => void
  error?: string | undefined
  help?: ReactNode
  /** Pixels that it must have. */
  minWidth?: number
}

/** A selection from a short list, outside of a form. A value that is not in the list is shown unchanged. */
export function SelectInput<Value extends string>(props: SelectInputProps<Value>) {
  const { label, value, options, onChange, error, help, minWidth } = props
  const known = options.some((option) => option.value === value)
  const all = known || value === '' ? options : [...options, { value, label: value }]
  return (
    <TextField
      select
      label={label}
      value={value}
      error={error !== undefined}
      helperText={error ?? help}
      onChange={(event) => {
        const chosen = all.find((option) => option.value === event.target.value)
        if (chosen) onChange(chosen.value)
      }}
      sx={{ minWidth, width: 'auto' }}
    >
      {all.map((option) => (
        <MenuItem key={option.value} value={option.value}>
          {option.label}
        </MenuItem>
      ))}
    </TextField>
  )
}
