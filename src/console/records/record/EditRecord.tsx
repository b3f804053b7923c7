import { useNavigate } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { curlOf } from '#console/api/curl.ts'
import { guardedWrite } from '#console/api/guardedWrite.ts'
import { invalidate, q } from '#console/api/queries.ts'
import { queryClient } from '#console/api/queryClient.ts'
import type { Change } from '#console/ui/ChangeTable.tsx'
import { sameValue } from '#console/ui/form/values.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { toastFailure } from '#console/shell/messages/toastFailure.ts'
import { toast } from '#console/shell/messages/toasts.tsx'
import { logChange } from '../pendingChanges/changeLog.ts'
import { EditPage } from './EditPage.tsx'
import { changeKey, inputOf, readBack, updateRecord } from './recordCalls.ts'
import { conflictsOf, mergeForm, showRefusals, useRecordForm, viewOf, type EditForm } from './recordForm.ts'
import { ResourceLoader } from './RecordLoader.tsx'
import type { RecordBase, RecordContext, RecordKey, Resource } from './resource.ts'
import { useRecordKey } from './useRecord.ts'
import { useRecordSave, type RecordSave } from './useRecordSave.ts'

interface EditRecordProps<T extends RecordBase, Form extends FieldValues, View extends FieldValues> extends Omit<
  RecordContext<T>,
  'usesOf'
> {
  resource: Resource<T>
  model: EditForm<T, Form, View>
  /**
   * Every save is reviewed first, because it does more than the form shows. Otherwise a review is optional, as it is on a
   * local stage for what Undo takes back.
   */
  reviewFirst?: boolean
  /** Whether what was read is enough to take a save back. Default: of what is reviewed first. */
  undoable?: (form: Form, base: T) => boolean
  /** The changes of a save, where that is more than the changed fields. */
  changesOf?: (form: Form, base: T) => Change[]
  /** The body of the command in the review, without secrets. Default: the body that is sent. */
  commandBody?: (form: Form, base: T) => Record<string, unknown>
  /** Asks before a save is sent, where it needs more than a click. */
  confirmSave?: (form: Form, base: T) => Promise<boolean>
  /** Additional text of the review. */
  renderNotes?: (form: Form, base: T) => ReactNode
  /** The content takes the whole width, for forms with something beside them. */
  wide?: boolean
  /** The fields. */
  children: (form: UseFormReturn<Form>, base: T) => ReactNode
}

interface RecordEditorProps<
  T extends RecordBase,
  Form extends FieldValues,
  View extends FieldValues,
> extends EditRecordProps<T, Form, View> {
  record: T
}

/** The form of the record that the URL names. */
export function EditRecord<T extends RecordBase, Form extends FieldValues, View extends FieldValues>(
  props: EditRecordProps<T, Form, View>,
) {
  const { resource } = props
  return (
    <ResourceLoader resource={resource} title={`Edit ${resource.longNoun}`}>
      {(record) => <RecordEditor key={record.id} {...props} record={record} />}
    </ResourceLoader>
  )
}

/** Edits what was read: unknown fields stay, an unchanged save sends nothing, nobody's work is overwritten unseen. */
export function RecordEditor<T extends RecordBase, Form extends FieldValues, View extends FieldValues>(
  props: RecordEditorProps<T, Form, View>,
) {
  const { resource, model, record, reviewFirst, changesOf = fieldChanges(model), renderNotes, children } = props
  const connection = useConnection()
  const { locked = lockReason(connection), nameOf = resource.nameOf } = props
  const [base, setBase] = useState(record)
  const { form, values } = useRecordForm(model, model.read(base), base, connection)
  const key = useRecordKey(resource)
  const { undoable = () => reviewFirst === true } = props
  const isUndone = connection.stage === 'local' && undoable(values, base)
  const save = useSave(props, form, base, key, isUndone)
  const bodyOf = props.commandBody ?? ((all: Form) => model.body(all, base, connection, base))
  const body = resource.api.update.body.safeParse(bodyOf(values, base))
  const rebaseOn = (theirs: T, taken: (keyof View & string)[]) => {
    form.reset(mergeForm(model, form.getValues(), base, theirs, taken))
    setBase(theirs)
  }
  return (
    <EditPage
      name={nameOf(base)}
      noun={resource.noun}
      back={resource.paths.detail(connection.id, ...key)}
      form={form}
      save={save}
      changes={model.changed(values, base).length > 0 ? changesOf(values, base) : []}
      locked={locked}
      wide={props.wide ?? false}
      command={body.success ? curlOf(connection, resource.api.update, inputOf(resource, key, body.data)) : null}
      reviewFirst={reviewFirst === true && !isUndone}
      notes={renderNotes?.(values, base)}
      conflictOf={(theirs) => conflictsOf(model, values, base, theirs)}
      titles={model.titles}
      formatValue={model.formatValue}
      onRebase={rebaseOn}
    >
      {children(form, base)}
    </EditPage>
  )
}

function useSave<T extends RecordBase, Form extends FieldValues, View extends FieldValues>(
  props: EditRecordProps<T, Form, View>,
  form: UseFormReturn<Form>,
  base: T,
  key: RecordKey,
  isUndone: boolean,
): RecordSave<T> {
  const { resource, model, nameOf = resource.nameOf, changesOf = fieldChanges(model), confirmSave } = props
  const connection = useConnection()
  const navigate = useNavigate()
  const unchangedSince = (now: T, earlier: T) => resource.unchanged?.(now, earlier) ?? sameValue(now, earlier)
  const applied = model.applied ?? ((values: Form, now: T) => model.changed(values, now).length === 0)
  const writable = model.writable ?? ((_: Form, now: T) => unchangedSince(now, base))
  const keep = (record: T) => {
    const { get } = resource.api
    if (get) queryClient.setQueryData(q(connection.id, get, inputOf(resource, key)).queryKey, record)
  }
  const undo = async (saved: T) => {
    try {
      const write = (current: T) => {
        const body = model.body(model.read(base), current, connection, saved)
        return updateRecord(resource, connection.id, key, current, body, model.titles)
      }
      const record = resource.api.update.result
      keep(await guardedWrite({ base: saved, record, unchanged: (now) => unchangedSince(now, saved), write }))
      await invalidate(connection.id, resource.name)
      toast({ tone: 'ok', text: `Save of ${resource.noun} ${nameOf(base)} undone` })
    } catch (error) {
      toastFailure(error)
    }
  }
  return useRecordSave<T>({
    resource: resource.name,
    noun: resource.noun,
    nameOf,
    confirm: confirmSave && (() => confirmSave(form.getValues(), base)),
    base,
    record: resource.api.update.result,
    read: () => readBack(resource, connection.id, key),
    unchanged: (now) => writable(form.getValues(), now, base),
    done: (now) => applied(form.getValues(), now, base),
    write: (current) => {
      const body = model.body(form.getValues(), current, connection, base)
      return updateRecord(resource, connection.id, key, current, body, model.titles)
    },
    ...(isUndone && { undo }),
    onSaved: (saved) => {
      keep(saved)
      if (resource.live) {
        logChange(changeKey(resource, connection.id, base.id), 'Edited', changesOf(form.getValues(), base))
      }
      void navigate({ to: resource.paths.detail(connection.id, ...key), ignoreBlocker: true })
    },
    showFailure: (failure) => showRefusals(model, form, failure, base),
  })
}

/** The changed fields, each with its value before and after. */
function fieldChanges<T, Form extends FieldValues, View extends FieldValues>(model: EditForm<T, Form, View>) {
  const { titles, read, changed, formatValue } = model
  return (form: Form, base: T): Change[] =>
    changed(form, base).map((field) => ({
      title: titles[field],
      before: formatValue(field, viewOf(model, read(base))),
      after: formatValue(field, viewOf(model, form)),
    }))
}
