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
import { rebase, theirChanges, type ConflictRow } from '#console/ui/form/conflict.ts'
import { applyFieldErrors } from '#console/ui/form/applyFieldErrors.ts'
import type { Connection } from '#contract/connections.ts'

type Field<Form> = keyof Form & string

/** The form of a resource. `base` is the record that is edited; null for a new one. */
export interface RecordForm<T, Form extends FieldValues, Base = T | null> {
  /** Every field as it is called on the screen, in the order of the form. */
  titles: Record<Field<Form>, string>
  read: (record: T) => Form
  /** The rules; their errors land on the form's fields. */
  schema: (base: Base, connection: Connection) => z.ZodType<Form, Form>
  /** The body that sends the form on top of `base`. `opened` is the record that the form started from. */
  body: (form: Form, base: Base, connection: Connection, opened: Base) => Record<string, unknown>
  /** The fields that a person changed. */
  changed: (form: Form, base: Base) => Field<Form>[]
  /** A value as a person reads it. */
  formatValue: (field: Field<Form>, form: Form) => string
  /** Where the refusals of the API belong on the form. Default: where they say. */
  refusals?: (failure: ApiFailure, form: Form, base: Base) => { path: string; message: string }[]
  /** Paths of fields inside of lists, which can show an error of their own. */
  innerPaths?: (form: Form) => FieldPath<Form>[]
  /** Whether a record is what the form would make of `base`, as far as a read shows. Default: no field differs. */
  applied?: (form: Form, now: T, base: T) => boolean
  /** Whether a save may be written on top of `now`. Default: the record is unchanged. */
  writable?: (form: Form, now: T, base: T) => boolean
  /** What somebody else changed meanwhile. Default: field by field. */
  conflicts?: (form: Form, base: T, theirs: T) => ConflictRow<Form>[]
  /** The form on top of their version, with their values in the fields of `taken`. Default: field by field. */
  merge?: (form: Form, base: T, theirs: T, taken: Field<Form>[]) => Form
}

/** A form that only edits. */
export type EditForm<T, Form extends FieldValues> = RecordForm<T, Form, T>

/** The fields of a form, in their order. */
function fieldsOf<Form extends FieldValues>({ titles }: { titles: Record<Field<Form>, string> }): Field<Form>[] {
  return Object.keys(titles) // the keys of the record of titles, by type
}

/** What somebody else changed since the form was opened. */
export function conflictsOf<T, Form extends FieldValues>(
  model: EditForm<T, Form>,
  form: Form,
  base: T,
  theirs: T,
): ConflictRow<Form>[] {
  const rows = model.conflicts?.(form, base, theirs)
  return rows ?? theirChanges(fieldsOf(model), form, model.read(base), model.read(theirs))
}

/** The form on top of what somebody else saved. */
export function mergeForm<T, Form extends FieldValues>(
  model: EditForm<T, Form>,
  form: Form,
  base: T,
  theirs: T,
  taken: Field<Form>[],
): Form {
  const merged = model.merge?.(form, base, theirs, taken)
  return merged ?? rebase(fieldsOf(model), form, model.read(base), model.read(theirs), taken)
}

/** The form's own state and rules. */
export function useRecordForm<T, Form extends FieldValues, Base>(
  model: RecordForm<T, Form, Base>,
  start: Form,
  base: Base,
  connection: Connection,
): { form: UseFormReturn<Form>; values: Form; changed: Field<Form>[] } {
  const { schema } = model
  const resolver = useMemo(() => zodResolver(schema(base, connection)), [schema, base, connection])
  const form = useForm<Form>({ defaultValues: start as DefaultValues<Form>, resolver, mode: 'onTouched' })
  const values = useWatch({ control: form.control, compute: (all: Form) => all })
  return { form, values, changed: model.changed(values, base) }
}

/** Puts what the API refused on the form's fields. Returns what is left to say above them. */
export function showRefusals<T, Form extends FieldValues, Base>(
  model: RecordForm<T, Form, Base>,
  form: UseFormReturn<Form>,
  failure: ApiFailure,
  base: Base,
): ErrorText | null {
  const values = form.getValues()
  const refusals = model.refusals?.(failure, values, base) ?? failure.fields ?? []
  const paths = [...fieldsOf(model), ...(model.innerPaths?.(values) ?? [])] as FieldPath<Form>[]
  const unclaimed = applyFieldErrors(form, refusals, paths)
  if (refusals.length > 0 && unclaimed.length === 0) return null
  return formatError(failure, location.pathname)
}
