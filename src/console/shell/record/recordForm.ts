/** Between a record, the form that mirrors it on the screen, and the body that is sent. */
import { zodResolver } from '@hookform/resolvers/zod'
import { useMemo } from 'react'
import {
  useForm,
  useWatch,
  type DefaultValues,
  type FieldPath,
  type FieldValues,
  type UseFormReturn,
} from 'react-hook-form'
import type { z } from 'zod'
import { formatError } from '#console/api/errors.ts'
import type { ApiFailure } from '#console/api/failure.ts'
import type { ErrorText } from '#console/ui/ErrorState.tsx'
import { applyFieldErrors } from '#console/ui/form/applyFieldErrors.ts'
import type { Connection } from '#contract/connections.ts'

type Field<Form> = keyof Form & string

/** The form of a resource. `base` is the record that is edited; null for a new one. */
export interface RecordForm<T, Form extends FieldValues> {
  /** Every field as it is called on the screen, in the order of the form. */
  titles: Record<Field<Form>, string>
  read: (record: T) => Form
  /** The rules; their errors land on the form's fields. */
  schema: (base: T | null, connection: Connection) => z.ZodType<Form, Form>
  /** The body that sends the form. */
  body: (form: Form, base: T | null, connection: Connection) => Record<string, unknown>
  /** The fields that a person changed. */
  changed: (form: Form, base: T | null) => Field<Form>[]
  /** A value as a person reads it. */
  formatValue: (field: Field<Form>, form: Form) => string
  /** Where the refusals of the API belong on the form. Default: where they say. */
  refusals?: (failure: ApiFailure, form: Form) => { path: string; message: string }[]
  /** Paths of fields inside of lists, which can show an error of their own. */
  innerPaths?: (form: Form) => FieldPath<Form>[]
  /** Whether a record is what the form would make of `base`, as far as a read shows. Default: no field differs. */
  applied?: (form: Form, now: T, base: T) => boolean
  /** The form with what the API does not return, for a comparison with another version; and back. */
  comparable?: (form: Form, base: T) => Form
  fromComparable?: (merged: Form, theirs: T) => Form
}

/** The fields of a form, in their order. */
export function fieldsOf<T, Form extends FieldValues>({ titles }: Pick<RecordForm<T, Form>, 'titles'>): Field<Form>[] {
  return Object.keys(titles) // the keys of the record of titles, by type
}

/** The form's own state and rules. */
export function useRecordForm<T, Form extends FieldValues>(
  model: RecordForm<T, Form>,
  start: Form,
  base: T | null,
  connection: Connection,
): { form: UseFormReturn<Form>; values: Form; changed: Field<Form>[] } {
  const { schema } = model
  const resolver = useMemo(() => zodResolver(schema(base, connection)), [schema, base, connection])
  const form = useForm<Form>({ defaultValues: start as DefaultValues<Form>, resolver, mode: 'onTouched' })
  const values = useWatch({ control: form.control, compute: (all: Form) => all })
  return { form, values, changed: model.changed(values, base) }
}

/** Puts what the API refused on the form's fields. Returns what is left to say above them. */
export function showRefusals<T, Form extends FieldValues>(
  model: RecordForm<T, Form>,
  form: UseFormReturn<Form>,
  failure: ApiFailure,
): ErrorText | null {
  const values = form.getValues()
  const refusals = model.refusals?.(failure, values) ?? failure.fields ?? []
  const paths = [...fieldsOf(model), ...(model.innerPaths?.(values) ?? [])] as FieldPath<Form>[]
  const unclaimed = applyFieldErrors(form, refusals, paths)
  if (refusals.length > 0 && unclaimed.length === 0) return null
  return formatError(failure, location.pathname)
}
