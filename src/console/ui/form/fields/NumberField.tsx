import InputAdornment from '@mui/material/InputAdornment'
import MuiTextField from '@mui/material/TextField'
import { useState } from 'react'
import { useController, type FieldValues } from 'react-hook-form'
import { textFieldProps, type FieldProps } from './fieldProps.ts'
import { readNumber } from './readNumber.ts'

interface NumberFieldProps<Values extends FieldValues> extends FieldProps<Values> {
  unit?: string
}

/** A number, or null if the field is empty. Other text is kept as typed and is an error. */
export function NumberField<Values extends FieldValues>(props: NumberFieldProps<Values>) {
  const { control, name, required = false, placeholder, unit } = props
  const controller = useController({ control, name })
  const { field } = controller
  const [typed, setTyped] = useState<string | null>(null)
  const shown = typed ?? (field.value === null || field.value === undefined ? '' : String(field.value))
  return (
    <MuiTextField
      {...textFieldProps(props, controller)}
      value={shown}
      onChange={(event) => {
        setTyped(event.target.value)
        field.onChange(readNumber(event.target.value))
      }}
      onBlur={() => {
        if (!Number.isNaN(field.value)) setTyped(null)
        field.onBlur()
      }}
      placeholder={placeholder ?? ''}
      slotProps={{
        htmlInput: { inputMode: 'decimal', autoComplete: 'off', 'aria-required': required },
        input: unit ? { endAdornment: <InputAdornment position="end">{unit}</InputAdornment> } : {},
      }}
    />
  )
}
