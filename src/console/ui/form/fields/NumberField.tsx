import InputAdornment from '@mui/material/InputAdornment'
import MuiTextField from '@mui/material/TextField'
import { useState } from 'react'
import { useController, type FieldValues } from 'react-hook-form'
import { fieldHelpText, type FieldProps } from './fieldProps.ts'
import { readNumber } from './readNumber.ts'

interface NumberFieldProps<Values extends FieldValues> extends FieldProps<Values> {
  unit?: string
}

/** A number, or null if the field is empty. Other text is kept as typed and is an error. */
export function NumberField<Values extends FieldValues>(props: NumberFieldProps<Values>) {
  const { control, name, label, help, required, disabled, placeholder, unit } = props
  const { field, fieldState } = useController({ control, name })
  const [typed, setTyped] = useState<string | null>(null)
  const shown = typed ?? (field.value === null || field.value === undefined ? '' : String(field.value))
  return (
    <MuiTextField
      inputRef={field.ref}
      name={field.name}
      value={shown}
      onChange={(event) => {
        setTyped(event.target.value)
        field.onChange(readNumber(event.target.value))
      }}
      onBlur={() => {
        if (!Number.isNaN(field.value)) setTyped(null)
        field.onBlur()
      }}
      label={label}
      required={required ?? false}
      disabled={disabled !== undefined}
      placeholder={placeholder ?? ''}
      error={fieldState.invalid}
      helperText={fieldHelpText(fieldState.error?.message, disabled, help)}
      slotProps={{
        htmlInput: { inputMode: 'decimal', autoComplete: 'off', 'aria-required': required ?? false },
        input: unit ? { endAdornment: <InputAdornment position="end">{unit}</InputAdornment> } : {},
      }}
    />
  )
}
