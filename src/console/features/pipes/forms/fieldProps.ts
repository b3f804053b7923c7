/** Shared props of the fields of a pipe form. */
import type { Control } from 'react-hook-form'
import type { PipeForm } from './pipeForm.ts'
import { fieldLabels, type LabeledPath } from '../model/fieldLabels.ts'

export interface PipeFieldsProps {
  control: Control<PipeForm>
  /** Why the form is read-only. */
  locked: string | undefined
  /** Empty secret fields keep the stored value. */
  keepsSecrets?: boolean
  /** Whether the pipe has credentials, which can be replaced but not removed. */
  hasCredentials?: boolean
}

/** Why the authentication of a pipe with credentials cannot be removed. */
export const keepsCredentials = 'Credentials can be replaced but not removed.'

/** The props of a field, by its path in the form. */
export function fieldProps<P extends LabeledPath>({ control, locked }: PipeFieldsProps, path: P) {
  return { control, name: path, label: fieldLabels[path], disabled: locked }
}

/** The props of a secret field. */
export function secretFieldProps<P extends LabeledPath>(props: PipeFieldsProps, path: P) {
  const placeholder = props.keepsSecrets ? 'unchanged' : ''
  return { ...fieldProps(props, path), mono: true, required: props.keepsSecrets !== true, placeholder }
}

/** Values as options that are labeled by themselves. */
export const plainOptions = (values: readonly string[]) => values.map((value) => ({ value, label: value }))
