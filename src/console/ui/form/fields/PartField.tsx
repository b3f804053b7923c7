import MuiTextField from '@mui/material/TextField'
import { useState } from 'react'
import { useController, useFormState, type FieldPath, type FieldPathValue, type FieldValues } from 'react-hook-form'
import { fieldHelpText, type FieldProps } from './fieldProps.ts'

/** A text within the value of a field. */
export interface Part<Whole> {
  read: (whole: Whole) => string
  /** The value with another text in its place. */
  write: (whole: Whole, text: string) => Whole
}

interface PartFieldProps<Values extends FieldValues, Name extends FieldPath<Values>> extends Omit<
  FieldProps<Values>,
  'name'
> {
  /** The field that it is a part of, which may be edited as a whole elsewhere. */
  name: Name
  part: Part<FieldPathValue<Values, Name>>
  /** The error of this part of the value. */
  problem?: string | undefined
  type?: 'text' | 'password'
  mono?: boolean
}

/** A line of text that is a part of another field's value, such as a recipient within the body of a message. */
export function PartField<Values extends FieldValues, Name extends FieldPath<Values>>(
  props: PartFieldProps<Values, Name>,
) {
  const { control, name, label, help, required = false, disabled, placeholder, part, problem, type, mono } = props
  const { field } = useController({ control, name })
  const { isSubmitted } = useFormState({ control })
  const [typed, setTyped] = useState<string | null>(null)
  const [isLeft, setLeft] = useState(false)
  const current = part.read(field.value)
  // The typed text may be more than the value keeps, such as the comma before the next name of a list.
  const shown = typed !== null && part.read(part.write(field.value, typed)) === current ? typed : current
  const error = isLeft || isSubmitted ? problem : undefined
  return (
    <MuiTextField
      name={`${name}.${label}`}
      label={label}
      required={required}
      disabled={disabled !== undefined}
      error={error !== undefined}
      helperText={fieldHelpText(error, disabled, help)}
      type={type ?? 'text'}
      placeholder={placeholder ?? ''}
      value={shown}
      onChange={(event) => {
        setTyped(event.target.value)
        field.onChange(part.write(field.value, event.target.value))
      }}
      onBlur={() => {
        setLeft(true)
        field.onBlur()
      }}
      {...(problem !== undefined && { inputRef: field.ref })}
      slotProps={{
        htmlInput: {
          autoComplete: 'off',
          spellCheck: false,
          autoCapitalize: 'off',
          'aria-required': required,
          ...(mono ? { style: { fontFamily: 'var(--mono)', fontSize: 12 } } : {}),
        },
        inputLabel: { required },
      }}
    />
  )
}
