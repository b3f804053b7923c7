import { useNavigate } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { curlOf } from '#console/api/curl.ts'
import { q } from '#console/api/queries.ts'
import { queryClient } from '#console/api/queryClient.ts'
import type { Change } from '#console/ui/ChangeTable.tsx'
import { rebase, theirChanges } from '#console/ui/form/conflict.ts'
import { useConnection } from '../connection.tsx'
import { lockReason } from '../lockReason.ts'
import { EditPage } from './EditPage.tsx'
import { inputOf, readBack, updateRecord } from './recordCalls.ts'
import { fieldsOf, showRefusals, useRecordForm, type RecordForm } from './recordForm.ts'
import { ResourceLoader } from './RecordLoader.tsx'
import type { RecordBase, RecordContext, Resource } from './resource.ts'
import { useRecordSave } from './useRecordSave.ts'

interface EditRecordProps<T extends RecordBase, Form extends FieldValues> extends Omit<RecordContext<T>, 'usesOf'> {
  resource: Resource<T>
  model: RecordForm<T, Form>
  /** Every save is reviewed first, because it does more than the form shows. Otherwise a review is optional. */
  reviewFirst?: boolean
  /** What a save changes, where that is more than the changed fields. */
  changesOf?: (form: Form, base: T) => Change[]
  /** The body of the command in the review, without secrets. Default: the body that is sent. */
  commandBody?: (form: Form, base: T) => Record<string, unknown>
  /** What else the review says. */
  renderNotes?: (form: Form, base: T) => ReactNode
  /** The fields. */
  children: (form: UseFormReturn<Form>, base: T) => ReactNode
}

/** The form of the record that the URL names. */
export function EditRecord<T extends RecordBase, Form extends FieldValues>(props: EditRecordProps<T, Form>) {
  const { resource } = props
  return (
    <ResourceLoader resource={resource} title={`Edit ${resource.noun}`}>
      {(record) => <RecordEditor key={record.id} {...props} record={record} />}
    </ResourceLoader>
  )
}

/** Edits what was read: unknown fields stay, an unchanged save sends nothing, nobody's work is overwritten unseen. */
function RecordEditor<T extends RecordBase, Form extends FieldValues>(props: EditRecordProps<T, Form> & { record: T }) {
  const { resource, model, record, reviewFirst, changesOf = fieldChanges(model), renderNotes, children } = props
  const connection = useConnection()
  const { locked = lockReason(connection), nameOf = resource.nameOf } = props
  const [base, setBase] = useState(record)
  const { form, values, changed } = useRecordForm(model, model.read(base), base, connection)
  const save = useSave(props, form, base)
  const fields = fieldsOf(model)
  const { comparable = (shown: Form) => shown, fromComparable = (merged: Form) => merged } = model
  const shown = (one: T) => comparable(model.read(one), one)
  const bodyOf = props.commandBody ?? ((all: Form) => model.body(all, base, connection))
  const body = resource.api.update.body.safeParse(bodyOf(values, base))
  const rebaseOn = (theirs: T, taken: (keyof Form & string)[]) => {
    const merged = rebase(fields, comparable(form.getValues(), base), shown(base), shown(theirs), taken)
    form.reset(fromComparable(merged, theirs))
    setBase(theirs)
  }
  return (
    <EditPage
      name={nameOf(base)}
      resource={resource.noun}
      back={resource.paths.detail(connection.id, base.id)}
      form={form}
      save={save}
      changes={changed.length > 0 ? changesOf(values, base) : []}
      locked={locked}
      command={body.success ? curlOf(connection, resource.api.update, inputOf(resource, base.id, body.data)) : null}
      reviewFirst={reviewFirst}
      notes={renderNotes?.(values, base)}
      conflictOf={(theirs) => theirChanges(fields, comparable(values, base), shown(base), shown(theirs))}
      titles={model.titles}
      formatValue={model.formatValue}
      onRebase={rebaseOn}
    >
      {children(form, base)}
    </EditPage>
  )
}

function useSave<T extends RecordBase, Form extends FieldValues>(
  { resource, model, nameOf = resource.nameOf }: EditRecordProps<T, Form>,
  form: UseFormReturn<Form>,
  base: T,
) {
  const connection = useConnection()
  const navigate = useNavigate()
  const applied = model.applied ?? ((values: Form, now: T) => model.changed(values, now).length === 0)
  return useRecordSave<T>({
    resource: resource.name,
    noun: resource.noun,
    nameOf,
    base,
    record: resource.api.update.result,
    read: () => readBack(resource, connection.id, base.id),
    unchanged: (now) => resource.unchanged(now, base),
    done: (now) => applied(form.getValues(), now, base),
    write: (on) => updateRecord(resource, connection.id, on, model.body(form.getValues(), on, connection)),
    onSaved: (saved) => {
      const { get } = resource.api
      if (get) queryClient.setQueryData(q(connection.id, get, inputOf(resource, base.id)).queryKey, saved)
      void navigate({ to: resource.paths.detail(connection.id, base.id), ignoreBlocker: true })
    },
    showFailure: (failure) => showRefusals(model, form, failure),
  })
}

/** The changed fields, each with its value before and after. */
function fieldChanges<T, Form extends FieldValues>({ titles, read, changed, formatValue }: RecordForm<T, Form>) {
  return (form: Form, base: T): Change[] =>
    changed(form, base).map((field) => ({
      title: titles[field],
      before: formatValue(field, read(base)),
      after: formatValue(field, form),
    }))
}
