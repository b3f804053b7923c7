import type { ReactNode } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { useConnection } from '../connection.tsx'
import { lockReason } from '../lockReason.ts'
import { NewPage } from './NewPage.tsx'
import { creationInput } from './recordCalls.ts'
import { showRefusals, useRecordForm, type RecordForm } from './recordForm.ts'
import type { CrudResource, RecordBase, RecordContext } from './resource.ts'
import { useRecordCreate } from './useRecordCreate.ts'

interface NewRecordProps<T extends RecordBase, Form extends FieldValues> extends Omit<RecordContext<T>, 'usesOf'> {
  resource: CrudResource<T>
  model: RecordForm<T, Form, null>
  /** What the form starts with. */
  start: Form
  lead: string
  /** The content takes the whole width, for forms with something beside them. */
  wide?: boolean
  /** The fields. */
  children: (form: UseFormReturn<Form>) => ReactNode
}

/** The form of a new record; when it is created, its page opens. */
export function NewRecord<T extends RecordBase, Form extends FieldValues>(props: NewRecordProps<T, Form>) {
  const { resource, model, start, lead, wide = false, children } = props
  const connection = useConnection()
  const { locked = lockReason(connection), nameOf = resource.nameOf } = props
  const { form, changed } = useRecordForm(model, start, null, connection)
  // Read in every render: the form only keeps this up to date where it is read.
  const { isDirty } = form.formState
  const { create, ...creating } = useRecordCreate(resource.api.create, {
    noun: resource.noun,
    nameOf,
    pathOf: ({ id }) => resource.paths.detail(connection.id, id),
    showFailure: (failure) => showRefusals(model, form, failure, null),
  })
  const submit = form.handleSubmit((values) =>
    create(creationInput(resource, model.body(values, null, connection, null))),
  )
  return (
    <NewPage
      noun={resource.noun}
      lead={lead}
      list={resource.paths.list(connection.id)}
      creating={creating}
      onSubmit={() => void submit()}
      dirty={isDirty && changed.length > 0}
      locked={locked}
      wide={wide}
    >
      {children(form)}
    </NewPage>
  )
}
