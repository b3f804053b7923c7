import MuiTextField from '@mui/material/TextField'
import { useController, type FieldValues } from 'react-hook-form'
import { textFieldProps, type FieldProps } from './fieldProps.ts'

interface TextFieldProps<Values extends FieldValues> extends FieldProps<Values> {
  /** Lines to start with; the field grows with its text. */
  lines?: number
  /** The label is for screen readers: what surrounds the field says what it is. */
  hiddenLabel?: boolean
  mono?: boolean
  /** No word is corrected or capitalized by the browser. */
  verbatim?: boolean
  type?: 'text' | 'password' | 'url' | 'email' | 'time'
  /** The browser's autofill. Default: nothing. */
  autoComplete?: string
  /** Typing replaces the whole text, as where it is shown masked. */
  selectsOnFocus?: boolean
  /** Shows how much of it is used. */
  maxLength?: number
}

/** A line, or some lines, of text. */
export function TextField<Values extends FieldValues>(props: TextFieldProps<Values>) {
  const {
    control,
    name,
    label,
    help,
    required = false,
    placeholder,
    lines,
    hiddenLabel = false,
    mono,
    verbatim = mono,
    type,
    autoComplete,
    selectsOnFocus = false,
    maxLength,
  } = props
  const controller = useController({ control, name })
  // The reference would focus the box around the input, which cannot have the focus.
  const { ref: _, ...field } = controller.field
  const value = String(field.value ?? '')
  const counted = maxLength !== undefined && value.length > maxLength * 0.8 ? `${value.length} of ${maxLength}` : help
  return (
    <MuiTextField
      {...field}
      {...textFieldProps({ ...props, help: counted }, controller)}
      value={value}
      {...(selectsOnFocus && { onFocus: (event) => event.target.select() })}
      label={hiddenLabel ? undefined : label}
      type={type ?? 'text'}
      placeholder={placeholder ?? ''}
      multiline={lines !== undefined}
      {...(lines === undefined ? {} : { minRows: lines, maxRows: 16 })}
      slotProps={{
        htmlInput: {
          autoComplete: autoComplete ?? 'off',
          ...(verbatim ? { spellCheck: false, autoCapitalize: 'off' } : {}),
          'aria-required': required,
          ...(hiddenLabel && { 'aria-label': label }),
          ...(mono ? { style: { fontFamily: 'var(--mono)', fontSize: 12 } } : {}),
        },
        inputLabel: { required },
      }}
    />
  )
}
