/** What every field of a form takes. */
import type { ReactNode } from 'react'
import type { Control, FieldPath, FieldValues } from 'react-hook-form'

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
