import type { ComponentProps } from 'react'
import { useController, type Control, type FieldPath, type FieldValues } from 'react-hook-form'
import { TextInput } from '#console/ui/base/TextInput.tsx'

type PlainTextFieldProps<Values extends FieldValues> = {
  control: Control<Values>
  name: FieldPath<Values>
} & Pick<ComponentProps<typeof TextInput>, 'label' | 'hiddenLabel' | 'type' | 'autoComplete' | 'placeholder' | 'help'>

/** A line of text in a form of a page that is drawn without MUI. */
export function PlainTextField<Values extends FieldValues>(props: PlainTextFieldProps<Values>) {
  const { control, name, ...input } = props
  const { field, fieldState } = useController({ control, name })
  return <TextInput {...input} {...field} value={String(field.value ?? '')} error={fieldState.error?.message} />
}
