import { visibleText } from '#domain/text/visibleText.ts'
import Checkbox from '@mui/material/Checkbox'
import FormControl from '@mui/material/FormControl'
import FormControlLabel from '@mui/material/FormControlLabel'
import FormHelperText from '@mui/material/FormHelperText'
import FormLabel from '@mui/material/FormLabel'
import { useController, type FieldValues } from 'react-hook-form'
import { Text } from '#console/ui/base/Text.tsx'
import { fieldHelpText, type FieldProps } from './fieldProps.ts'
import type { Option } from './SelectField.tsx'
import * as css from '../form.module.css'

interface ChecksFieldProps<Values extends FieldValues> extends FieldProps<Values> {
  options: readonly Option[]
  /** Shown instead of the options while there are none. */
  none?: string
}

/** Any number of a short list of options. The value is a list of texts; one that is no option any more stays. */
export function ChecksField<Values extends FieldValues>(props: ChecksFieldProps<Values>) {
  const { control, name, label, help, disabled, options, none } = props
  const { field, fieldState } = useController({ control, name })
  const values: string[] = Array.isArray(field.value) ? field.value.map(String) : []
  const under = fieldHelpText(fieldState.error?.message, disabled, help)
  const toggle = (value: string, on: boolean) =>
    field.onChange(on ? [...values, value] : values.filter((other) => other !== value))
  return (
    <FormControl component="fieldset" error={fieldState.invalid} disabled={disabled !== undefined} fullWidth>
      <FormLabel component="legend" sx={{ mb: 1, fontSize: 13, fontWeight: 550 }}>
        {label}
      </FormLabel>
      {options.length === 0 && <Text color="textSecondary">{none}</Text>}
      <div className={css.checksOptions}>
        {options.map((option, at) => (
          <FormControlLabel
            key={option.value}
            disabled={disabled !== undefined || option.disabled !== undefined}
            control={
              <Checkbox
                size="small"
                checked={values.includes(option.value)}
                onChange={(_, on) => toggle(option.value, on)}
                onBlur={field.onBlur}
                slotProps={{ input: { ...(at === 0 && { ref: field.ref }), name: field.name } }}
              />
            }
            label={
              <span>
                {visibleText(option.label)}
                {(option.disabled ?? option.detail) && (
                  <Text component="span" variant="caption" color="textSecondary" className={css.checksDetail}>
                    {option.disabled ?? option.detail}
                  </Text>
                )}
              </span>
            }
          />
        ))}
      </div>
      {under && <FormHelperText>{under}</FormHelperText>}
    </FormControl>
  )
}
