/** The form of a size, of a pipe or a service: its draft, its save, and the change that is not in effect yet. */
import { useEffect, useEffectEvent, useState } from 'react'
import { useWatch, type DefaultValues, type FieldPath, type FieldValues, type UseFormReturn } from 'react-hook-form'
import type { z } from 'zod'
import { formatError } from '#console/api/errors.ts'
import type { Change } from '#console/ui/ChangeTable.tsx'
import { applyFieldErrors } from '#console/ui/form/applyFieldErrors.ts'
import { theirChanges, type ConflictRow } from '#console/ui/form/conflict.ts'
import { useSchemaForm } from '#console/ui/form/useSchemaForm.ts'
import { usePendingChange, type PendingChange } from '../pendingChanges/pendingChanges.ts'
import { usePendingSave } from '../pendingChanges/usePendingSave.ts'

type Value = number | string | boolean

/** Values by field; null is unknown. */
export type Size = Readonly<Record<string, Value | null>>
/** The values that a form sends. */
export type Sent = Readonly<Record<string, Value>>

/** The scaled object. `State` is its size with what else its form needs to know. */
export interface ScalingTarget<T extends object, Form extends FieldValues, State> {
  /** The key of the resource, including the connection. */
  resource: string
  /** "pipe" */
  noun: string
  /** The state that was read. */
  base: T
  /** When it was read, epoch milliseconds. */
  reportedAt: number
  /** The schema of a record. */
  record: z.ZodType<T>
  /** Every field as it is called on the screen, in the order of the form. */
  titles: Readonly<Record<string, string>>
  formatValue: (field: string, value: Value | null) => string
  /** The size in effect, for fields that report none with the values before the change. */
  effectiveOf: (record: T, previous: PendingChange['previous'] | undefined) => State
  /** The size that was requested last, with the values of a pending change that the deployment does not report yet. */
  expectedOf: (record: T, effective: State, pending: PendingChange['values'] | undefined) => State
  sizeOf: (state: State) => Size
  /** The form that changes nothing. */
  start: (expected: State) => Form
  schema: (expected: State) => z.ZodType<Form, Form>
  /** The values that differ. Only these are sent. */
  values: (form: Form, expected: State) => Sent
  /** The form that sends values. */
  formOf: (values: Sent, expected: State) => Form
  /** The changes that these values make. */
  changes: (values: Sent, expected: State) => Change[]
  /** The values before a change, as far as they are known. */
  previous: (values: Sent, effective: State) => Sent
  /** The values that revert a change. Null if one is unknown or nothing would change. */
  revert: (change: PendingChange, expected: State) => Sent | null
  /** Whether nobody else has changed what is sent. */
  unchanged: (now: T, values: Sent) => boolean
  read: () => Promise<T>
  write: (values: Sent, current: T) => Promise<T>
  /** Keeps a record as it is stored now. */
  keep: (record: T) => void
  /** Reads again what else shows the size, such as lists. */
  reload?: () => void
}

export function useScaling<T extends object, Form extends FieldValues, State>(target: ScalingTarget<T, Form, State>) {
  const { resource, base, titles, sizeOf, effectiveOf, expectedOf } = target
  const pendingBefore = usePendingChange(resource)?.previous
  const effective = effectiveOf(base, pendingBefore)
  const pendingSave = usePendingSave<T>({
    resource,
    reported: sizeOf(effectiveOf(base, undefined)),
    reportedAt: target.reportedAt,
    showFailure: (failure) => {
      const { fields = [] } = failure
      // The fields of the form are those with a title.
      const unclaimed = applyFieldErrors(form, fields, Object.keys(titles) as FieldPath<Form>[])
      return fields.length > 0 && unclaimed.length === 0 ? null : formatError(failure, location.pathname)
    },
  })
  const { pendingChange, progress } = pendingSave
  const isOpen = pendingChange && !pendingChange.outcomeUnknown && progress?.state !== 'reached'
  const pendingValues = isOpen ? pendingChange.values : undefined
  const expected = expectedOf(base, effective, pendingValues)
  const form = useSchemaForm(
    target.schema(expected),
    target.start(expected) as DefaultValues<Form>, // every field has a value
    { mode: 'onChange' },
  )
  const draft = useWatch({ control: form.control, compute: (all: Form) => all })
  const values = target.values(draft, expected)

  const [attempt, setAttempt] = useState<Attempt<T> | null>(null)
  const scale = (sent: Sent, what: string) => {
    setAttempt({ values: sent, base, before: sizeOf(expected) })
    return pendingSave.save({
      what,
      values: sent,
      previous: target.previous(sent, effective),
      changes: target.changes(sent, expected),
      base,
      record: target.record,
      read: target.read,
      unchanged: (now) => target.unchanged(now, sent),
      done: (now) => isSize(sizeOf(expectedOf(now, effectiveOf(now, undefined), undefined)), sent),
      write: (current) => target.write(sent, current),
      onConflict: target.keep,
      onAccepted: (record) => {
        target.keep(record)
        target.reload?.()
        form.reset(target.start(expectedOf(record, effectiveOf(record, undefined), sent)))
      },
    })
  }
  const { conflict, resolve } = useSizeConflict(target, form, pendingSave, attempt)
  const back = pendingChange && target.revert(pendingChange, expected)
  return {
    pending: pendingSave.pending,
    error: pendingSave.error,
    pendingChange,
    progress,
    forget: pendingSave.forget,
    /** Changes of others meanwhile, field by field; null without a conflict. Nothing was sent. */
    conflict,
    resolve,
    form,
    draft,
    values,
    /** The values in effect. Placeholders during a change are replaced by the previous values. */
    effective,
    /** The values once the pending change is applied. */
    expected,
    changes: target.changes(values, expected),
    submit: form.handleSubmit((all) => scale(target.values(all, expected), 'Scaled')),
    /** Null if there is nothing to revert or a previous value is unknown. */
    revert: back && (() => scale(back, 'Scaling reverted')),
    discard: () => {
      pendingSave.clear()
      form.reset(target.start(expected))
    },
  }
}

/** The last request, and what it was based on, to describe a conflict. */
interface Attempt<T> {
  values: Sent
  base: T
  /** The expected size before it. */
  before: Size
}

/** Changes of others that stopped the last request. They are read again until the deployment reports them. */
function useSizeConflict<T extends object, Form extends FieldValues, State>(
  target: ScalingTarget<T, Form, State>,
  form: UseFormReturn<Form>,
  { theirs, clear }: Pick<ReturnType<typeof usePendingSave<T>>, 'theirs' | 'clear'>,
  attempt: Attempt<T> | null,
) {
  const { base, titles, sizeOf, effectiveOf, expectedOf } = target
  // A deployment may report their values only when they are in effect: the latest report counts.
  const latest = attempt && base === attempt.base ? theirs : base
  const stored = theirs && latest && expectedOf(latest, effectiveOf(latest, undefined), undefined)
  const conflict: ConflictRow<Size>[] | null = attempt && stored ? conflictRows(titles, attempt, sizeOf(stored)) : null
  const isUnreported = conflict?.some((row) => row.theirs[row.field] === null) ?? false
  const readAgain = useEffectEvent(() => void target.read().then(target.keep, () => undefined))
  useEffect(() => {
    if (!isUnreported) return undefined
    const timer = setInterval(readAgain, reportDelay)
    return () => clearInterval(timer)
  }, [isUnreported])
  /** Puts what was sent on top of their values, except for the fields with their values. */
  const resolve = (taken: readonly string[]) => {
    if (!attempt || !stored) return
    const kept = Object.entries(attempt.values).filter(
      ([field, value]) => value !== attempt.before[field] && !taken.includes(field),
    )
    form.reset(target.start(stored))
    for (const [field, value] of Object.entries(target.formOf(Object.fromEntries(kept), stored))) {
      // The form of these values has the form's own fields.
      form.setValue(field as FieldPath<Form>, value, { shouldDirty: true, shouldValidate: true })
    }
    clear()
  }
  return { conflict, resolve }
}

/** Milliseconds between two reads of values that somebody else changed and that are not reported yet. */
const reportDelay = 2000

/** Changes of others. Of fields that are not sent, a value that is not reported says nothing. */
function conflictRows(titles: Readonly<Record<string, string>>, attempt: { values: Sent; before: Size }, theirs: Size) {
  const { values, before } = attempt
  const rows = theirChanges(Object.keys(titles), { ...before, ...values }, before, theirs)
  return rows.filter(({ field, contested }) => contested || theirs[field] !== null)
}

const isSize = (size: Size, sent: Sent) => Object.entries(sent).every(([field, value]) => size[field] === value)
