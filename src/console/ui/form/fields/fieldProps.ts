/** Props of every form field. */
import type { ReactNode } from 'react'
import type { Control, FieldPath, FieldValues, UseControllerReturn } from 'react-hook-form'

export interface FieldProps<Values extends FieldValues> {
  control: Control<Values>
  name: FieldPath<Values>
  label: string
  help?: ReactNode
  required?: boolean
  /** Why the field cannot be changed now. */
  disabled?: string | undefined
  placeholder?: string
}

/** The text below a field: its error, or why it is disabled, or its help. */
export function fieldHelpText(error: string | undefined, disabled: string | undefined, help: ReactNode): ReactNode {
  return error ?? disabled ?? help
}

/** Props of MUI's text field for every field that is drawn as one: label, state and the text below. */
export function textFieldProps<Values extends FieldValues>(
  { label, required = false, disabled, help }: FieldProps<Values>,
  { field, fieldState }: Pick<UseControllerReturn<Values>, 'field' | 'fieldState'>,
  error: string | undefined = fieldState.error?.message,
) {
  return {
    inputRef: field.ref,
    name: field.name,
    label,
    required,
    disabled: disabled !== undefined,
    error: fieldState.invalid,
    helperText: fieldHelpText(error, disabled, help),
  }
}
