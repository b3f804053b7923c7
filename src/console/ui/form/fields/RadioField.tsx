import { visibleText } from '#domain/text/visibleText.ts'
import FormControl from '@mui/material/FormControl'
import FormControlLabel from '@mui/material/FormControlLabel'
import FormHelperText from '@mui/material/FormHelperText'
import FormLabel from '@mui/material/FormLabel'
import Radio from '@mui/material/Radio'
import RadioGroup from '@mui/material/RadioGroup'
import { useId } from 'react'
import { useController, type FieldValues } from 'react-hook-form'
import { Text } from '#console/ui/base/Text.tsx'
import { VisuallyHidden } from '#console/ui/base/VisuallyHidden.tsx'
import { fieldHelpText, type FieldProps } from './fieldProps.ts'
import type { Option } from './SelectField.tsx'
import * as css from '../form.module.css'

interface RadioFieldProps<Values extends FieldValues> extends FieldProps<Values> {
  options: readonly Option[]
  /** The label is for screen readers: what surrounds the options says what they are. */
  hiddenLabel?: boolean
}

/** A selection from options that are all in sight, one a line. Arrow keys move between them. */
export function RadioField<Values extends FieldValues>(props: RadioFieldProps<Values>) {
  const { control, name, label, help, disabled, options, hiddenLabel = false } = props
  const { field, fieldState } = useController({ control, name })
  const id = useId()
  const under = fieldHelpText(fieldState.error?.message, disabled, help)
  const value = String(field.value ?? '')
  const focused = options.some((option) => option.value === value) ? value : options[0]?.value
  return (
    <FormControl error={fieldState.invalid} disabled={disabled !== undefined} fullWidth>
      {hiddenLabel ? (
        <VisuallyHidden>
          <span id={id}>{label}</span>
        </VisuallyHidden>
      ) : (
        <FormLabel id={id} sx={{ mb: 1, fontSize: 13, fontWeight: 550, '&, &.Mui-focused': { color: 'text.primary' } }}>
          {label}
        </FormLabel>
      )}
      <RadioGroup
        aria-labelledby={id}
        name={field.name}
        value={value}
        onChange={(_, chosen) => field.onChange(chosen)}
        onBlur={field.onBlur}
      >
        {options.map((option) => (
          <FormControlLabel
            key={option.value}
            value={option.value}
            disabled={disabled !== undefined || option.disabled !== undefined}
            control={<Radio slotProps={{ input: option.value === focused ? { ref: field.ref } : {} }} />}
            label={
              <span className={css.radioOption}>
                {visibleText(option.label)}
                {(option.disabled ?? option.detail) && (
                  <Text component="span" variant="caption" color="textSecondary" className={css.radioDetail}>
                    {option.disabled ?? option.detail}
                  </Text>
                )}
              </span>
            }
            sx={{ ml: '-4px', mr: 0, '& .MuiFormControlLabel-label': { flexGrow: 1, minWidth: 0 } }}
          />
        ))}
      </RadioGroup>
      {under && <FormHelperText>{under}</FormHelperText>}
    </FormControl>
  )
}
