import type { ReactNode } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { useConnection } from '#console/shell/connection.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { NewPage } from './NewPage.tsx'
import { creationInput, parentKeyOf } from './recordCalls.ts'
import { showRefusals, useRecordForm, type NewForm } from './recordForm.ts'
import type { CrudResource, RecordBase, RecordContext, RecordKey } from './resource.ts'
import { useRecordCreate } from './useRecordCreate.ts'

interface NewRecordProps<T extends RecordBase, Form extends FieldValues> extends Omit<RecordContext<T>, 'usesOf'> {
  resource: CrudResource<T>
  model: NewForm<Form>
  /** The initial values of the form. */
  start: Form
  lead: string
  /** The parent of the record: its key without its own ID. Default: the connection. */
  parentKey?: (form: Form) => RecordKey
  /** The content takes the whole width, for forms with something beside them. */
  wide?: boolean
  /** The fields. */
  children: (form: UseFormReturn<Form>) => ReactNode
}

/** The form of a new record; when it is created, its page opens. */
export function NewRecord<T extends RecordBase, Form extends FieldValues>(props: NewRecordProps<T, Form>) {
  const { resource, model, start, lead, parentKey = inConnection, wide = false, children } = props
  const connection = useConnection()
  const { locked = lockReason(connection), nameOf = resource.nameOf } = props
  const { form, values } = useRecordForm(model, start, null, connection)
  // Read in every render: the form only keeps this up to date where it is read.
  const { isDirty } = form.formState
  const { create, ...creating } = useRecordCreate(resource.api.create, {
    noun: resource.longNoun,
    nameOf,
    titles: model.titles,
    pathOf: ({ id }, input) => resource.paths.detail(connection.id, ...parentKeyOf(resource, input), id),
    showFailure: (failure) => showRefusals(model, form, failure, null),
  })
  const submit = form.handleSubmit((filled) =>
    create(creationInput(resource, model.body(filled, null, connection, null), parentKey(filled))),
  )
  return (
    <NewPage
      resource={resource}
      lead={lead}
      creating={creating}
      onSubmit={() => void submit()}
      submitLabel={`Create ${resource.noun}`}
      dirty={isDirty && model.changed?.(values, null).length !== 0}
      locked={locked}
      wide={wide}
    >
      {children(form)}
    </NewPage>
  )
}

const inConnection = (): RecordKey => []
