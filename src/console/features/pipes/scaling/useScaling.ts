/** Turning parameters: the form, the write, and following the deployment until it reports what was asked. */
import { zodResolver } from '@hookform/resolvers/zod'
import { useForm, useWatch } from 'react-hook-form'
import { usePendingWrite } from '#console/shell/pendingChanges/usePendingWrite.ts'
import { applyFieldErrors } from '#console/ui/form/applyFieldErrors.ts'
import { after, changesOf, draftSchema, touched, unchanged, type Draft } from './draft.ts'
import { formerOf, numbersOf, withFormer } from './previousValues.ts'
import type { ScalingParameter, Values } from '../model/scalingParameters.ts'

export interface ScalingTarget {
  /** Names what is scaled, connection included. */
  resource: string
  parameters: readonly ScalingParameter[]
  /** What the deployment reports to be in effect. */
  current: Values
  /** What it reports to have been asked for, where it tells the two apart. */
  wanted?: Values
  /** When it did, epoch milliseconds. */
  reportedAt: number
  send: (values: Record<string, number>) => Promise<unknown>
  /** What is wrong with all values together, or null. */
  whole?: (values: Values) => string | null
}

export function useScaling({
  resource,
  parameters,
  current,
  wanted = current,
  reportedAt,
  send,
  whole,
}: ScalingTarget) {
  const { write, clearError, asked, progress, ...followed } = usePendingWrite({
    resource,
    reported: current,
    reportedAt,
    onRefused: ({ fields = [] }) => {
      const names = parameters.map(({ field }) => field)
      return applyFieldErrors(form, fields, names).length === 0 && fields.length > 0
    },
  })
  const inForce = withFormer(current, asked?.former)
  const reported = withFormer(wanted, numbersOf(inForce))
  const coming =
    asked && !asked.uncertain && progress?.state !== 'reached' ? after(numbersOf(asked.values), reported) : reported
  const form = useForm<Draft>({
    defaultValues: unchanged(parameters),
    resolver: zodResolver(draftSchema(parameters, coming, whole)),
    mode: 'onChange',
  })
  const draft = useWatch({ control: form.control, compute: (all: Draft) => all })
  const values = touched(draft, coming)

  const scale = async (sent: Record<string, number>, what: string) => {
    const changes = changesOf(parameters, sent, coming)
    if (await write(what, { values: sent, former: numbersOf(inForce) }, changes, () => send(sent))) {
      form.reset(unchanged(parameters))
    }
  }
  const former = asked && formerOf(asked, coming)
  return {
    ...followed,
    asked,
    progress,
    form,
    draft,
    values,
    /** What is in effect, as far as it is known: while a change is under way, placeholders are reported. */
    inForce,
    /** What will hold once the deployment has done what was asked of it. */
    coming,
    changes: changesOf(parameters, values, coming),
    submit: form.handleSubmit((all) => scale(touched(all, coming), 'Scaled')),
    /** Null where there is nothing to go back to, or not all of it is known. */
    revert: former && (() => scale(former, 'Scaled back')),
    discard: () => {
      clearError()
      form.reset(unchanged(parameters))
    },
  }
}
