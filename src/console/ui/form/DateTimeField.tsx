import MuiTextField from '@mui/material/TextField'
import { useController, type FieldValues } from 'react-hook-form'
import { underField, type FieldProps } from './bound.ts'
import { fromLocalInput, toLocalInput } from './localTime.ts'

/** A moment, as an ISO text in UTC; shown and typed in the browser's own time zone. Empty is ''. */
export function DateTimeField<Values extends FieldValues>(props: FieldProps<Values>) {
  const { control, name, label, help, required, disabled } = props
  const { field, fieldState } = useController({ control, name })
  const iso = String(field.value ?? '')
  return (
    <MuiTextField
      inputRef={field.ref}
      name={field.name}
      type="datetime-local"
      value={toLocalInput(iso)}
      onChange={(event) => field.onChange(fromLocalInput(event.target.value))}
      onBlur={field.onBlur}
      label={label}
      required={required ?? false}
      disabled={disabled !== undefined}
      error={fieldState.invalid}
      helperText={underField(fieldState.error?.message, disabled, iso ? `${iso} in UTC` : help)}
      slotProps={{ htmlInput: { step: 60 } }}
    />
  )
}
