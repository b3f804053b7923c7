import { useController, type FieldValues } from 'react-hook-form'
import { DateTimeInput } from '../../time/DateTimeInput.tsx'
import type { Zone } from '#domain/time/zone.ts'
import { fieldHelpText, type FieldProps } from './fieldProps.ts'

interface DateTimeFieldProps<Values extends FieldValues> extends FieldProps<Values> {
  /** In which it is shown and typed. Default: that of the browser. */
  zone?: Zone
  /** Called after a change by the user, to reset dependent values. */
  onPick?: (iso: string) => void
}

/** A moment, as an ISO text in UTC. Empty is ''. */
export function DateTimeField<Values extends FieldValues>(props: DateTimeFieldProps<Values>) {
  const { control, name, label, help, required, disabled, zone = 'local', onPick } = props
  const { field, fieldState } = useController({ control, name })
  const iso = String(field.value ?? '')
  return (
    <DateTimeInput
      label={label}
      value={iso}
      zone={zone}
      onChange={(picked) => {
        field.onChange(picked)
        onPick?.(picked)
      }}
      onBlur={field.onBlur}
      name={field.name}
      inputRef={field.ref}
      required={required ?? false}
      disabled={disabled !== undefined}
      error={fieldState.invalid}
      help={fieldHelpText(fieldState.error?.message, disabled, iso && zone !== 'utc' ? `${iso} in UTC` : help)}
    />
  )
}
