import FormControl from '@mui/material/FormControl'
import FormHelperText from '@mui/material/FormHelperText'
import ToggleButton from '@mui/material/ToggleButton'
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup'
import { useController, type FieldValues } from 'react-hook-form'
import { fieldHelpText, type FieldProps } from './fieldProps.ts'

interface TogglesFieldProps<Values extends FieldValues> extends FieldProps<Values> {
  options: readonly { value: string | number; label: string }[]
}

/** Any number of a few options with short names, side by side. The value is a list of theirs; the label is for screen readers. */
export function TogglesField<Values extends FieldValues>(props: TogglesFieldProps<Values>) {
  const { control, name, label, help, disabled, options } = props
  const { field, fieldState } = useController({ control, name })
  const under = fieldHelpText(fieldState.error?.message, disabled, help)
  return (
    <FormControl error={fieldState.invalid} disabled={disabled !== undefined} fullWidth>
      <ToggleButtonGroup
        aria-label={label}
        size="small"
        fullWidth
        disabled={disabled !== undefined}
        value={field.value}
        onChange={(_, chosen: unknown) => field.onChange(chosen)}
      >
        {options.map((option, at) => (
          <ToggleButton key={option.value} value={option.value} ref={at === 0 ? field.ref : undefined} sx={{ px: 0 }}>
            {option.label}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
      {under && <FormHelperText>{under}</FormHelperText>}
    </FormControl>
  )
}
