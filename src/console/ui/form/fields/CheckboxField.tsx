import Checkbox from '@mui/material/Checkbox'
import FormControl from '@mui/material/FormControl'
import FormControlLabel from '@mui/material/FormControlLabel'
import FormHelperText from '@mui/material/FormHelperText'
import { useId } from 'react'
import { useController, type FieldValues } from 'react-hook-form'
import { fieldHelpText, type FieldProps } from './fieldProps.ts'

/** Yes or no, for what is done with a form besides its other fields. */
export function CheckboxField<Values extends FieldValues>(props: FieldProps<Values>) {
  const { control, name, label, help, disabled } = props
  const { field, fieldState } = useController({ control, name })
  const helpId = useId()
  const under = fieldHelpText(fieldState.error?.message, disabled, help)
  return (
    <FormControl error={fieldState.invalid} disabled={disabled !== undefined}>
      <FormControlLabel
        label={label}
        control={
          <Checkbox
            name={field.name}
            checked={field.value === true}
            onChange={(_, on) => field.onChange(on)}
            onBlur={field.onBlur}
            slotProps={{ input: { ref: field.ref, ...(under ? { 'aria-describedby': helpId } : {}) } }}
          />
        }
      />
      {under && (
        <FormHelperText id={helpId} sx={{ mt: 0, ml: '23px' }}>
          {under}
        </FormHelperText>
      )}
    </FormControl>
  )
}
