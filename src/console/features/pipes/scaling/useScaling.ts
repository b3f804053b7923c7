/** The state of a scaling form: draft, write, and tracking of the pending change. */
import { zodResolver } from '@hookform/resolvers/zod'
import { useForm, useWatch } from 'react-hook-form'
import { usePendingWrite } from '#console/shell/pendingChanges/usePendingWrite.ts'
import { applyFieldErrors } from '#console/ui/form/applyFieldErrors.ts'
import { applyDraft, draftChanges, draftSchema, changedValues, emptyDraft, type Draft } from './draft.ts'
import { revertValues, numericValues, withPreviousValues } from './previousValues.ts'
import type { ScalingParameter, Values } from '../model/scalingParameters.ts'

export interface ScalingTarget {
  /** The key of the resource, including the connection. */
  resource: string
  parameters: readonly ScalingParameter[]
  /** The values that the deployment reports to be in effect. */
  current: Values
  /** The values that it reports as requested, if it distinguishes them. */
  requested?: Values
  /** When they were reported, epoch milliseconds. */
  reportedAt: number
  send: (values: Record<string, number>) => Promise<unknown>
  /** Checks rules between parameters. Returns an error message or null. */
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
    /** The values in effect. Placeholders during a change are replaced by the previous values. */
    effective,
    /** The values once the pending change is applied. */
    expected,
    changes: draftChanges(parameters, values, expected),
    submit: form.handleSubmit((all) => scale(changedValues(all, expected), 'Scaled')),
    /** Null if there is nothing to revert or a previous value is unknown. */
    revert: previous && (() => scale(previous, 'Scaling reverted')),
    discard: () => {
      clearError()
      form.reset(emptyDraft(parameters))
    },
  }
}
