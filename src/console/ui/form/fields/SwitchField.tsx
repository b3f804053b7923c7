import FormControl from '@mui/material/FormControl'
import FormControlLabel from '@mui/material/FormControlLabel'
import FormHelperText from '@mui/material/FormHelperText'
import Switch from '@mui/material/Switch'
import { useId } from 'react'
import { useController, type FieldValues } from 'react-hook-form'
import { fieldHelpText, type FieldProps } from './fieldProps.ts'

/** Empty pixels of a small switch before what is drawn of it. */
const outset = '-4px'

/** On or off. */
export function SwitchField<Values extends FieldValues>(props: FieldProps<Values>) {
  const { control, name, label, help, disabled } = props
  const { field, fieldState } = useController({ control, name })
  const helpId = useId()
  const under = fieldHelpText(fieldState.error?.message, disabled, help)
  return (
    <FormControl error={fieldState.invalid} disabled={disabled !== undefined}>
      <FormControlLabel
        label={label}
        sx={{ ml: outset, gap: 0.5 }}
        control={
          <Switch
            name={field.name}
            checked={field.value === true}
            onChange={(_, on) => field.onChange(on)}
            onBlur={field.onBlur}
            slotProps={{ input: { ref: field.ref, ...(under ? { 'aria-describedby': helpId } : {}) } }}
          />
        }
      />
      {under && <FormHelperText id={helpId}>{under}</FormHelperText>}
    </FormControl>
  )
}
