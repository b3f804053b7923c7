/** What the fields of a pipe's form share. */
import type { Control } from 'react-hook-form'
import type { PipeForm } from './pipeForm.ts'
import { titles, type TitledPath } from './fieldLabels.ts'

export interface PipeFieldsProps {
  control: Control<PipeForm>
  /** Why nothing can be changed. */
  locked: string | undefined
  /** What is stored is kept while its fields are empty. */
  kept?: boolean
}

/** The props of one field, by its place in the form. */
export function fieldOf<P extends TitledPath>({ control, locked }: PipeFieldsProps, path: P) {
  return { control, name: path, label: titles[path], disabled: locked }
}

/** The props of a field that holds a secret. */
export function secretOf<P extends TitledPath>(props: PipeFieldsProps, path: P) {
  const placeholder = props.kept ? 'kept unless re-entered' : ''
  return { ...fieldOf(props, path), mono: true, required: props.kept !== true, placeholder }
}

/** Values as options that are called what they are. */
export const plainOptions = (values: readonly string[]) => values.map((value) => ({ value, label: value }))
