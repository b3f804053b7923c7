import MuiTextField from '@mui/material/TextField'
import { useController, type FieldValues } from 'react-hook-form'
import { fieldHelpText, type FieldProps } from './fieldProps.ts'
import { fromLocalInput, toLocalInput } from '../../time/localTime.ts'

interface DateTimeFieldProps<Values extends FieldValues> extends FieldProps<Values> {
  /** Called after a change by the user, to reset dependent values. */
  onPick?: (iso: string) => void
}

/** A moment, as an ISO text in UTC; shown and typed in the browser's own time zone. Empty is ''. */
export function DateTimeField<Values extends FieldValues>(props: DateTimeFieldProps<Values>) {
  const { control, name, label, help, required, disabled, onPick } = props
  const { field, fieldState } = useController({ control, name })
  const iso = String(field.value ?? '')
  return (
    <MuiTextField
      inputRef={field.ref}
      name={field.name}
      type="datetime-local"
      value={toLocalInput(iso)}
      onChange={(event) => {
        const picked = fromLocalInput(event.target.value)
        field.onChange(picked)
        onPick?.(picked)
      }}
      onBlur={field.onBlur}
      label={label}
      required={required ?? false}
      disabled={disabled !== undefined}
      error={fieldState.invalid}
      helperText={fieldHelpText(fieldState.error?.message, disabled, iso ? `${iso} in UTC` : help)}
      slotProps={{ htmlInput: { step: 60 } }}
    />
  )
}
