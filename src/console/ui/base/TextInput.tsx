import { type ComponentProps, useId } from 'react'
import { describedBy, Field, type FieldText } from './Field.tsx'
import * as css from './base.module.css'

interface TextInputProps extends FieldText, Omit<ComponentProps<'input'>, 'onChange' | 'value' | 'id'> {
  value: string
  onChange: (value: string) => void
  /** In letters of fixed width. */
  mono?: boolean
}

/** A line of text, outside of a form. */
export function TextInput(props: TextInputProps) {
  const { label, hiddenLabel, error, help, onChange, mono = false, className, ...input } = props
  const id = useId()
  return (
    <Field
      {...{ id, label, error, help, className }}
      hiddenLabel={hiddenLabel === true}
      required={input.required === true}
    >
      <input
        type="text"
        {...input}
        id={id}
        {...describedBy(id, props)}
        onChange={(event) => onChange(event.target.value)}
        className={css.control}
        {...(mono ? { 'data-mono': '' } : {})}
      />
    </Field>
  )
}
