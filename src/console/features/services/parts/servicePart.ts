/**
 * A part of a service that is a record of its own, such as its upgrade window: read, edited and saved apart from the
 * service. A part that is not set is null.
 */
import { useEffect, useRef, useState } from 'react'
import { useWatch, type DefaultValues, type FieldValues, type UseFormReturn } from 'react-hook-form'
import type { z } from 'zod'
import { call } from '#console/api/call.ts'
import { ApiFailure, asFailure } from '#console/api/failure.ts'
import { invalidate, q } from '#console/api/queries.ts'
import { queryClient } from '#console/api/queryClient.ts'
import { revisionOf } from '#console/api/revisions.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { toastFailure } from '#console/shell/messages/toastFailure.ts'
import { toast } from '#console/shell/messages/toasts.tsx'
import { logChange } from '#console/records/pendingChanges/changeLog.ts'
import { showRefusals } from '#console/records/record/recordForm.ts'
import { useRecordSave, type RecordSave } from '#console/records/record/useRecordSave.ts'
import type { Change } from '#console/ui/ChangeTable.tsx'
import { rebase, theirChanges, type ConflictRow } from '#console/ui/form/conflict.ts'
import { useSchemaForm } from '#console/ui/form/useSchemaForm.ts'
import { sameValue } from '#console/ui/form/values.ts'
import type { ResourceName } from '#contract/index.ts'
import type { Endpoint, Input } from '#contract/wire/kernel.ts'
import { serviceKey } from '../model/serviceResource.ts'

type Field<Form> = keyof Form & string

/** The name of a part, and its fields in a form. */
export interface PartModel<T extends object, Form extends FieldValues> {
  /** In a sentence: "upgrade window". */
  noun: string
  /** Reads it; 404 where it is not set. */
  endpoint: Endpoint & { result: z.ZodType<T> }
  /** Every field as it is called on the screen, in the order of the form. */
  titles: Record<Field<Form>, string>
  read: (stored: T | null) => Form
  /** The rules; their errors land on the form's fields. */
  schema: z.ZodType<Form, Form>
  /** A value as a person reads it. */
  formatValue: (field: Field<Form>, form: Form) => string
  /** Fields that are never read back: they say nothing about what is stored. */
  secrets?: readonly Field<Form>[]
  /** The API's name of a field, for its refusals. Default: its own name. */
  wireNames?: Partial<Record<Field<Form>, string>>
}

interface PartOptions<T extends object, Form extends FieldValues> {
  model: PartModel<T, Form>
  serviceId: string
  stored: T | null
  /** Sends the form. `base` is what it starts from; null for a part that is not set. Returns null for one that it cleared. */
  write: (form: Form, base: T | null) => Promise<T | null>
  /** Removes it, where an empty form would set it instead: Undo of its first save needs that. */
  remove?: (stored: T) => Promise<void>
  /** Asks before it is sent, where that needs more than a click. */
  confirmSave?: (form: Form, base: T | null) => Promise<boolean>
}

export interface ServicePart<T extends object, Form extends FieldValues> {
  form: UseFormReturn<Form>
  values: Form
  changes: Change[]
  save: RecordSave<T>
  submit: () => void
  /** Changes of others meanwhile, field by field; null without a conflict. */
  conflict: ConflictRow<Form>[] | null
  /** The form on top of their version, with their values for these fields. */
  resolve: (taken: Field<Form>[]) => void
  model: PartModel<T, Form>
}

/** The form of a part. What others save meanwhile is not overwritten: it is shown beside the form. */
export function useServicePart<T extends object, Form extends FieldValues>(
  options: PartOptions<T, Form>,
): ServicePart<T, Form> {
  const { model } = options
  const { id: connectionId } = useConnection()
  const draft = usePartDraft(model, options.stored)
  const { form, values, fields, before } = draft
  const changes = fields
    .filter((field) => !sameValue(values[field], before[field]))
    .map((field) => ({
      title: model.titles[field],
      before: model.formatValue(field, before),
      after: model.formatValue(field, values),
    }))
  const save = usePartSave(options, draft, changes)
  const { theirs } = save
  return {
    form,
    values,
    changes,
    save,
    submit: () => void form.handleSubmit(save.save)(),
    conflict: theirs && theirChanges(fields, values, before, model.read(theirs)),
    resolve: (taken) => {
      if (!theirs) return
      form.reset(rebase(fields, form.getValues(), before, model.read(theirs), taken))
      draft.setBase(theirs)
      // Other actions of the page on the part start from it too.
      queryClient.setQueryData(partKey(connectionId, options), theirs)
      save.clear()
    },
    model,
  }
}

interface PartDraft<T extends object, Form extends FieldValues> {
  /** The values that the form starts from. */
  base: T | null
  setBase: (base: T | null) => void
  /** The form of `base`. */
  before: Form
  form: UseFormReturn<Form>
  values: Form
  fields: readonly Field<Form>[]
  /** Drops all changes. */
  startFrom: (now: T | null) => void
}

function usePartDraft<T extends object, Form extends FieldValues>(
  model: PartModel<T, Form>,
  stored: T | null,
): PartDraft<T, Form> {
  const [base, setBase] = useState(stored)
  const before = model.read(base)
  const form = useSchemaForm(
    model.schema,
    before as DefaultValues<Form>, // every field has a value
    { mode: 'onTouched' },
  )
  const values = useWatch({ control: form.control, compute: (all: Form) => all })
  const fields: readonly Field<Form>[] = Object.keys(model.titles)
  // A later read replaces a form that nobody has touched.
  const isTouched = fields.some((field) => !sameValue(values[field], before[field]))
  const [seen, setSeen] = useState({ stored, adopted: false })
  if (stored !== seen.stored) {
    setSeen({ stored, adopted: !isTouched })
    if (!isTouched) setBase(stored)
  }
  useEffect(() => {
    if (seen.adopted) form.reset(model.read(seen.stored))
  }, [seen, form, model])
  return {
    base,
    setBase,
    before,
    form,
    values,
    fields,
    startFrom: (now) => {
      setBase(now)
      form.reset(model.read(now))
    },
  }
}

function usePartSave<T extends object, Form extends FieldValues>(
  options: PartOptions<T, Form>,
  { base, before, form, fields, startFrom }: PartDraft<T, Form>,
  changes: readonly Change[],
): RecordSave<T> {
  const { model, serviceId, write, remove, confirmSave } = options
  const { id: connectionId, stage } = useConnection()
  const resource = model.endpoint.resource as ResourceName // `resource()` names it as `api` does
  const cleared = useRef(false)
  const readNow = async (): Promise<T> => {
    const now = await call(connectionId, model.endpoint, partInput(options), { priority: 'readBack' })
    return now as T // the schema of the endpoint is that of T
  }
  const keep = (now: T) => void queryClient.setQueryData(partKey(connectionId, options), now)
  const undo = async (saved: T) => {
    try {
      const wasUnset = base === null && remove !== undefined
      if (wasUnset) await remove(saved)
      const back = wasUnset ? null : await write(before, cleared.current ? null : saved)
      if (back) keep(back)
      startFrom(back)
      await invalidate(connectionId, resource)
      toast({ tone: 'ok', text: `Save of ${model.noun} undone` })
    } catch (error) {
      toastFailure(error)
    }
  }
  // Secrets cannot be put back, and what asks first does more than a save.
  const isUndone = stage === 'local' && !model.secrets && !confirmSave
  return useRecordSave<T>({
    resource,
    noun: model.noun,
    nameOf: () => '',
    confirm: confirmSave && (() => confirmSave(form.getValues(), base)),
    base: base ?? ({} as T), // not sent: there is nothing to start from
    // The schema of the endpoint is that of T.
    record: model.endpoint.result,
    read: readNow,
    // Fields that the form does not show are taken over from `now`.
    unchanged: (now) => sameValue(model.read(now), before),
    done: (now) => {
      const [stored, sent] = [model.read(now), form.getValues()]
      return fields.every((field) => model.secrets?.includes(field) || sameValue(stored[field], sent[field]))
    },
    write: async (current) => {
      if (base === null) await refuseIfSet(readNow)
      const written = await write(form.getValues(), base === null ? null : current)
      cleared.current = written === null
      return written ?? ({} as T) // not used: it is cleared
    },
    ...(isUndone && { undo }),
    onSaved: (now) => {
      logChange(serviceKey(connectionId, serviceId), `Changed: ${model.noun}`, changes)
      // A read of a part that was cleared is on its way: `useRecordSave` asked for it.
      if (!cleared.current) keep(now)
      startFrom(cleared.current ? null : now)
    },
    showFailure: (failure) => {
      const titles = Object.fromEntries(fields.map((field) => [field, model.titles[field]]))
      const refusals = () =>
        (failure.fields ?? []).map(({ path, message }) => ({ path: fieldOf(model, path), message }))
      return showRefusals<Form, null>({ titles, refusals }, form, failure, null)
    },
  })
}

interface PartPlace {
  model: { endpoint: Endpoint }
  serviceId: string
}

/** The input of every endpoint of a part; its type is open here. */
const partInput = ({ serviceId }: PartPlace) => ({ params: { serviceId } }) as Input<Endpoint>

const partKey = (connectionId: string, part: PartPlace) =>
  q(connectionId, part.model.endpoint, partInput(part)).queryKey

/** @throws conflict with the part that somebody else has set meanwhile */
async function refuseIfSet(read: () => Promise<object>): Promise<void> {
  let current: object
  try {
    current = await read()
  } catch (error) {
    if (asFailure(error).code === 'notFound') return
    throw error
  }
  const message = 'Somebody else set it after you opened this page. Nothing was saved.'
  throw new ApiFailure({
    code: 'conflict',
    status: 409,
    message,
    current: { result: current, revision: revisionOf(current) },
  })
}

function fieldOf<T extends object, Form extends FieldValues>({ wireNames }: PartModel<T, Form>, path: string): string {
  const [name = '', ...rest] = path.split('.')
  const own = Object.entries(wireNames ?? {}).find(([, wire]) => wire === name)?.[0] ?? name
  return [own, ...rest].join('.')
}
