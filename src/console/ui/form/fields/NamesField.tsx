import Autocomplete from '@mui/material/Autocomplete'
import MuiTextField from '@mui/material/TextField'
import { useController, type FieldValues } from 'react-hook-form'
import { textFieldProps, type FieldProps } from './fieldProps.ts'

interface NamesFieldProps<Values extends FieldValues> extends FieldProps<Values> {
  /** Names to select from; others can be typed. */
  options?: readonly string[]
}

/** A list of names in an order that counts. Enter or a comma ends a name. */
export function NamesField<Values extends FieldValues>(props: NamesFieldProps<Values>) {
  const { control, name, disabled, placeholder, options = [] } = props
  const controller = useController({ control, name })
  const { field, fieldState } = controller
  const names: string[] = Array.isArray(field.value) ? field.value.map(String) : []
  const put = (all: readonly string[]) => field.onChange(namesOf(all, names))
  // An error of one name is shown below the list.
  const error = fieldState.error?.message ?? fieldState.error?.root?.message
  return (
    <Autocomplete<string, true, false, true>
      multiple
      freeSolo
      fullWidth
      autoHighlight
      filterSelectedOptions
      disabled={disabled !== undefined}
      options={options}
      value={names}
      onChange={(_, all) => put(all)}
      onBlur={field.onBlur}
      renderInput={(input) => (
        <MuiTextField
          {...input}
          {...textFieldProps(props, controller, error)}
          placeholder={names.length > 0 ? '' : (placeholder ?? '')}
          onKeyDown={(event) => {
            const typed = event.target instanceof HTMLInputElement ? event.target.value : ''
            if (event.key !== ',' || typed.trim() === '') return
            event.preventDefault()
            put([...names, typed])
          }}
          onBlur={(event) => {
            // Typed text without Enter counts too.
            if (event.target.value.trim() !== '') put([...names, event.target.value])
          }}
        />
      )}
    />
  )
}

/** Each name once, in order, without blanks. A pasted list with commas is many names; a name from before stays as it is. */
function namesOf(texts: readonly string[], before: readonly string[]): string[] {
  const names = texts.flatMap((text) => (before.includes(text) ? [text] : text.split(',').map((name) => name.trim())))
  return [...new Set(names.filter((name) => name !== ''))]
}
