/** What the fields of a pipe's form share. */
import type { Control } from 'react-hook-form'
import type { PipeForm } from './pipeForm.ts'
import { fieldLabels, type LabeledPath } from './fieldLabels.ts'

export interface PipeFieldsProps {
  control: Control<PipeForm>
  /** Why nothing can be changed. */
  locked: string | undefined
  /** What is stored is kept while its fields are empty. */
  keepsSecrets?: boolean
}

/** The props of one field, by its place in the form. */
export function fieldProps<P extends LabeledPath>({ control, locked }: PipeFieldsProps, path: P) {
  return { control, name: path, label: fieldLabels[path], disabled: locked }
}

/** The props of a field that holds a secret. */
export function secretFieldProps<P extends LabeledPath>(props: PipeFieldsProps, path: P) {
  const placeholder = props.keepsSecrets ? 'unchanged' : ''
  return { ...fieldProps(props, path), mono: true, required: props.keepsSecrets !== true, placeholder }
}

/** Values as options that are called what they are. */
export const plainOptions = (values: readonly string[]) => values.map((value) => ({ value, label: value }))
