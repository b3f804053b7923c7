import { visibleText } from '#domain/text/visibleText.ts'
import Autocomplete from '@mui/material/Autocomplete'
import MuiTextField from '@mui/material/TextField'
import { useController, type FieldValues } from 'react-hook-form'
import { textFieldProps, type FieldProps } from './fieldProps.ts'
import type { Option } from './SelectField.tsx'
import { useUnchanged } from './PickField.tsx'

interface PickSeveralFieldProps<Values extends FieldValues> extends FieldProps<Values> {
  options: readonly Option[]
}

/** Any number from a long list, by typing. The value is a list of texts; one that is no option any more is shown as it is. */
export function PickSeveralField<Values extends FieldValues>(props: PickSeveralFieldProps<Values>) {
  const { control, name, disabled, placeholder, options } = props
  const controller = useController({ control, name })
  const { field } = controller
  const values: string[] = Array.isArray(field.value) ? field.value.map(String) : []
  const known = new Map(options.map((option) => [option.value, option]))
  const chosen = useUnchanged(values.map((value) => known.get(value) ?? { value, label: value }))
  return (
    <Autocomplete<Option, true>
      multiple
      fullWidth
      disableCloseOnSelect
      disabled={disabled !== undefined}
      options={options}
      value={chosen}
      onChange={(_, picked) => field.onChange(picked.map(({ value }) => value))}
      onBlur={field.onBlur}
      getOptionKey={({ value }) => value}
      getOptionLabel={(option) => visibleText(option.label)}
      isOptionEqualToValue={(option, other) => option.value === other.value}
      renderInput={(input) => (
        <MuiTextField
          {...input}
          {...textFieldProps(props, controller)}
          placeholder={values.length === 0 ? (placeholder ?? '') : ''}
        />
      )}
    />
  )
}
