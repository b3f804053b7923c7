/** Between a record, the form that mirrors it on the screen, and the body that is sent. */
import { useMemo } from 'react'
import { useWatch, type DefaultValues, type FieldPath, type FieldValues, type UseFormReturn } from 'react-hook-form'
import type { z } from 'zod'
import { formatError } from '#console/api/errors.ts'
import type { ApiFailure } from '#console/api/failure.ts'
import type { ErrorText } from '#console/ui/ErrorState.tsx'
import { rebase, theirChanges, type ConflictRow } from '#console/ui/form/conflict.ts'
import { applyFieldErrors } from '#console/ui/form/applyFieldErrors.ts'
import { useSchemaForm } from '#console/ui/form/useSchemaForm.ts'
import type { Connection } from '#contract/console/connections.ts'

type Field<Form> = keyof Form & string

/**
 * The form of a resource. `base` is the record that is edited; null for a new one.
 * `View` has its fields by name, where they lie deeper in the form.
 */
export interface RecordForm<T, Form extends FieldValues, Base = T | null, View extends FieldValues = Form> {
  /** Every field as it is called on the screen, in the order of the form. */
  titles: Record<Field<View>, string>
  read: (record: T) => Form
  /** The fields of the form by name. Default: the form. */
  view?: (form: Form) => View
  /** The rules; their errors land on the form's fields. */
  schema: (base: Base, connection: Connection) => z.ZodType<Form, Form>
  /** The body that sends the form on top of `base`. `opened` is the record that the form started from. */
  body: (form: Form, base: Base, connection: Connection, opened: Base) => Record<string, unknown>
  /** The fields that a person changed. */
  changed: (form: Form, base: Base) => Field<View>[]
  /** A value as a person reads it. */
  formatValue: (field: Field<View>, view: View) => string
  /** Where the refusals of the API belong on the form. Default: where they say. */
  refusals?: (failure: ApiFailure, form: Form, base: Base) => { path: string; message: string }[]
  /** The fields that can show an error, with those inside of lists. Default: those with a title. */
  errorPaths?: (form: Form) => FieldPath<Form>[]
  /** Whether a record is what the form would make of `base`, as far as a read shows. Default: no field differs. */
  applied?: (form: Form, now: T, base: T) => boolean
  /** Whether a save may be written on top of `now`. Default: the record is unchanged. */
  writable?: (form: Form, now: T, base: T) => boolean
  /** Changes of others meanwhile. Default: field by field. */
  conflicts?: (form: Form, base: T, theirs: T) => ConflictRow<View>[]
  /** The form on top of their version, with their values in the fields of `taken`. Default: field by field. */
  merge?: (form: Form, base: T, theirs: T, taken: Field<View>[]) => Form
}

/** A form that only edits. */
export type EditForm<T, Form extends FieldValues, View extends FieldValues = Form> = RecordForm<T, Form, T, View>

/** A form that only creates. */
export interface NewForm<Form extends FieldValues> extends Pick<
  RecordForm<never, Form, null>,
  'schema' | 'body' | 'refusals' | 'errorPaths'
> {
  /** Every field as it is called on the screen. */
  titles: Readonly<Record<string, string>>
  /** The fields that a person filled in. Default: those that differ from the start. */
  changed?: (form: Form, base: null) => string[]
}

/** The fields of a form, in their order. */
function fieldsOf<View extends FieldValues>({ titles }: { titles: Record<Field<View>, string> }): Field<View>[] {
  return Object.keys(titles) // the keys of the record of titles, by type
}

/** The fields of a form by name. */
export function viewOf<Form extends FieldValues, View extends FieldValues>(
  { view }: { view?: (form: Form) => View },
  form: Form,
): View {
  return view ? view(form) : (form as FieldValues as View) // without `view`, the form is its own view
}

/** Changes of others since the form was opened. */
export function conflictsOf<T, Form extends FieldValues, View extends FieldValues>(
  model: EditForm<T, Form, View>,
  form: Form,
  base: T,
  theirs: T,
): ConflictRow<View>[] {
  const view = (values: Form) => viewOf(model, values)
  const rows = model.conflicts?.(form, base, theirs)
  return rows ?? theirChanges(fieldsOf(model), view(form), view(model.read(base)), view(model.read(theirs)))
}

/** The form on top of what somebody else saved. */
export function mergeForm<T, Form extends FieldValues, View extends FieldValues>(
  model: EditForm<T, Form, View>,
  form: Form,
  base: T,
  theirs: T,
  taken: Field<View>[],
): Form {
  if (model.merge) return model.merge(form, base, theirs, taken)
  const fields = fieldsOf(model) as readonly string[] as Field<Form>[] // without `view`, the view is the form
  return rebase(fields, form, model.read(base), model.read(theirs), taken as string[] as Field<Form>[])
}

/** The form's own state and rules. */
export function useRecordForm<Form extends FieldValues, Base>(
  { schema }: Pick<RecordForm<never, Form, Base>, 'schema'>,
  start: Form,
  base: Base,
  connection: Connection,
): { form: UseFormReturn<Form>; values: Form } {
  const rules = useMemo(() => schema(base, connection), [schema, base, connection])
  const form = useSchemaForm(rules, start as DefaultValues<Form>, { mode: 'onTouched' })
  const values = useWatch({ control: form.control, compute: (all: Form) => all })
  return { form, values }
}

interface RefusalPlaces<Form extends FieldValues, Base> extends Pick<
  RecordForm<never, Form, Base>,
  'refusals' | 'errorPaths'
> {
  titles: Readonly<Record<string, string>>
}

/** Puts what the API refused on the form's fields. Returns what is left to say above them. */
export function showRefusals<Form extends FieldValues, Base>(
  model: RefusalPlaces<Form, Base>,
  form: UseFormReturn<Form>,
  failure: ApiFailure,
  base: Base,
): ErrorText | null {
  const values = form.getValues()
  const refusals = model.refusals?.(failure, values, base) ?? failure.fields ?? []
  const paths = model.errorPaths?.(values) ?? (Object.keys(model.titles) as FieldPath<Form>[]) // keys of the form
  const unclaimed = applyFieldErrors(form, refusals, paths)
  if (refusals.length > 0 && unclaimed.length === 0) return null
  return formatError(failure, location.pathname)
}
