import { useState, type ReactNode } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { curlOf } from '#console/api/curl.ts'
import { useConnection } from '../connection.tsx'
import { lockReason } from '../lockReason.ts'
import { NewPage } from './NewPage.tsx'
import { creationInput, inputOf, parentKeyOf } from './recordCalls.ts'
import { showRefusals, useRecordForm, type NewForm } from './recordForm.ts'
import type { CrudResource, RecordBase, RecordContext, RecordKey } from './resource.ts'
import { ReviewDialog } from './ReviewDialog.tsx'
import { useRecordCreate } from './useRecordCreate.ts'

interface NewRecordProps<T extends RecordBase, Form extends FieldValues> extends Omit<RecordContext<T>, 'usesOf'> {
  resource: CrudResource<T>
  model: NewForm<Form>
  /** What the form starts with. */
  start: Form
  lead: string
  /** What the record is created in: its key without its own ID. Default: the connection. */
  parentKey?: (form: Form) => RecordKey
  /** Every new record is reviewed first, because it does more than the form shows. */
  review?: CreationReview<Form>
  /** The content takes the whole width, for forms with something beside them. */
  wide?: boolean
  /** The fields. */
  children: (form: UseFormReturn<Form>) => ReactNode
}

interface CreationReview<Form> {
  title: (form: Form) => string
  /** The body of the command, without secrets. */
  commandBody: (form: Form) => Record<string, unknown>
  render: (form: Form) => ReactNode
}

/** The form of a new record; when it is created, its page opens. */
export function NewRecord<T extends RecordBase, Form extends FieldValues>(props: NewRecordProps<T, Form>) {
  const { resource, model, start, lead, parentKey = inConnection, review, wide = false, children } = props
  const connection = useConnection()
  const { locked = lockReason(connection), nameOf = resource.nameOf } = props
  const { form, values } = useRecordForm(model, start, null, connection)
  const [reviewed, setReviewed] = useState<Form | null>(null)
  // Read in every render: the form only keeps this up to date where it is read.
  const { isDirty } = form.formState
  const { create, clear, ...creating } = useRecordCreate(resource.api.create, {
    noun: resource.longNoun,
    nameOf,
    titles: model.titles,
    pathOf: ({ id }, input) => resource.paths.detail(connection.id, ...parentKeyOf(resource, input), id),
    showFailure: (failure) => showRefusals(model, form, failure, null),
  })
  const send = (filled: Form) =>
    create(creationInput(resource, model.body(filled, null, connection, null), parentKey(filled)))
  const submit = form.handleSubmit((filled) => {
    if (!review) return send(filled)
    clear()
    setReviewed(filled)
  })
  const commandOf = ({ commandBody }: CreationReview<Form>, filled: Form) => {
    const body = resource.api.create.body.safeParse(commandBody(filled))
    return body.success
      ? curlOf(connection, resource.api.create, inputOf(resource, parentKey(filled), body.data))
      : null
  }
  return (
    <>
      <NewPage
        resource={resource}
        lead={lead}
        creating={creating}
        onSubmit={() => void submit()}
        submitLabel={review ? 'Review and create' : `Create ${resource.noun}`}
        dirty={isDirty && model.changed?.(values, null).length !== 0}
        locked={locked}
        wide={wide}
      >
        {children(form)}
      </NewPage>
      {review && reviewed && (
        <ReviewDialog
          title={review.title(reviewed)}
          changes={[]}
          requests={['write']}
          command={commandOf(review, reviewed)}
          action={`Create ${resource.noun}`}
          disabled={locked}
          onSend={() => {
            setReviewed(null)
            send(reviewed)
          }}
          onClose={() => setReviewed(null)}
        >
          {review.render(reviewed)}
        </ReviewDialog>
      )}
    </>
  )
}

const inConnection = (): RecordKey => []
