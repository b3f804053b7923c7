/** Turning parameters: the form, the write, and following the deployment until it reports what was asked. */
import { zodResolver } from '@hookform/resolvers/zod'
import { useForm, useWatch } from 'react-hook-form'
import { usePendingWrite } from '#console/shell/pendingChanges/usePendingWrite.ts'
import { applyFieldErrors } from '#console/ui/form/applyFieldErrors.ts'
import { applyDraft, draftChanges, draftSchema, changedValues, emptyDraft, type Draft } from './draft.ts'
import { revertValues, numericValues, withPreviousValues } from './previousValues.ts'
import type { ScalingParameter, Values } from '../model/scalingParameters.ts'

export interface ScalingTarget {
  /** Names what is scaled, connection included. */
  resource: string
  parameters: readonly ScalingParameter[]
  /** What the deployment reports to be in effect. */
  current: Values
  /** What it reports to have been asked for, where it tells the two apart. */
  requested?: Values
  /** When it did, epoch milliseconds. */
  reportedAt: number
  send: (values: Record<string, number>) => Promise<unknown>
  /** What is wrong with all values together, or null. */
  validate?: (values: Values) => string | null
}

export function useScaling({
  resource,
  parameters,
  current,
  requested = current,
  reportedAt,
  send,
  validate,
}: ScalingTarget) {
  const { write, clearError, pendingChange, progress, ...followed } = usePendingWrite({
    resource,
    reported: current,
    reportedAt,
    onRefused: ({ fields = [] }) => {
      const names = parameters.map(({ field }) => field)
      return applyFieldErrors(form, fields, names).length === 0 && fields.length > 0
    },
  })
  const effective = withPreviousValues(current, pendingChange?.previous)
  const reported = withPreviousValues(requested, numericValues(effective))
  const expected =
    pendingChange && !pendingChange.outcomeUnknown && progress?.state !== 'reached'
      ? applyDraft(numericValues(pendingChange.values), reported)
      : reported
  const form = useForm<Draft>({
    defaultValues: emptyDraft(parameters),
    resolver: zodResolver(draftSchema(parameters, expected, validate)),
    mode: 'onChange',
  })
  const draft = useWatch({ control: form.control, compute: (all: Draft) => all })
  const values = changedValues(draft, expected)

  const scale = async (sent: Record<string, number>, what: string) => {
    const changes = draftChanges(parameters, sent, expected)
    if (await write(what, { values: sent, previous: numericValues(effective) }, changes, () => send(sent))) {
      form.reset(emptyDraft(parameters))
    }
  }
  const previous = pendingChange && revertValues(pendingChange, expected)
  return {
    ...followed,
    pendingChange,
    progress,
    form,
    draft,
    values,
    /** What is in effect, as far as it is known: while a change is under way, placeholders are reported. */
    effective,
    /** What will hold once the deployment has done what was asked of it. */
    expected,
    changes: draftChanges(parameters, values, expected),
    submit: form.handleSubmit((all) => scale(changedValues(all, expected), 'Scaled')),
    /** Null where there is nothing to go back to, or not all of it is known. */
    revert: previous && (() => scale(previous, 'Scaling reverted')),
    discard: () => {
      clearError()
      form.reset(emptyDraft(parameters))
    },
  }
}
