/** Turning knobs: the form, the write, and following the deployment until it reports what was asked. */
import { zodResolver } from '@hookform/resolvers/zod'
import { useForm, useWatch } from 'react-hook-form'
import { useFollowedWrite } from '#console/shell/following/useFollowedWrite.ts'
import { applyFieldErrors } from '#console/ui/form/applyFieldErrors.ts'
import { changesOf, draftSchema, touched, unchanged, type Draft } from './draft.ts'
import type { Knob, Values } from './knobs.ts'

export interface ScalingTarget {
  /** Names what is scaled, connection included. */
  thing: string
  knobs: readonly Knob[]
  /** What the deployment reports. */
  current: Values
  /** When it did, epoch milliseconds. */
  reportedAt: number
  send: (values: Record<string, number>) => Promise<unknown>
  /** What is wrong with all values together, or null. */
  whole?: (values: Values) => string | null
}

export function useScaling({ thing, knobs, current, reportedAt, send, whole }: ScalingTarget) {
  const form = useForm<Draft>({
    defaultValues: unchanged(knobs),
    resolver: zodResolver(draftSchema(knobs, current, whole)),
    mode: 'onChange',
  })
  const draft = useWatch({ control: form.control, compute: (all: Draft) => all })
  const values = touched(draft, current)
  const { write, clearError, ...followed } = useFollowedWrite({
    thing,
    reported: current,
    reportedAt,
    onRefused: ({ fields = [] }) => {
      const names = knobs.map(({ field }) => field)
      return applyFieldErrors(form, fields, names).length === 0 && fields.length > 0
    },
  })

  const scale = async (sent: Record<string, number>, what: string) => {
    const changes = changesOf(knobs, sent, current)
    if (await write(what, { values: sent, former: knownOf(current, sent) }, changes, () => send(sent))) {
      form.reset(unchanged(knobs))
    }
  }
  const former = followed.asked && formerNumbers(followed.asked)
  return {
    ...followed,
    form,
    draft,
    values,
    changes: changesOf(knobs, values, current),
    submit: form.handleSubmit((all) => scale(touched(all, current), 'Scaled')),
    /** Null where not all former values are known. */
    revert: former && (() => scale(former, 'Scaled back')),
    discard: () => {
      clearError()
      form.reset(unchanged(knobs))
    },
  }
}

/** The values in force of the fields that are sent, where they are known. */
export function knownOf(current: Values, sent: Record<string, number>): Record<string, number> {
  return Object.fromEntries(
    Object.keys(sent).flatMap((field): [string, number][] => {
      const value = current[field]
      return value === null || value === undefined ? [] : [[field, value]]
    }),
  )
}

/** All former values as numbers, which is what knobs are; null where one was not known. */
function formerNumbers({ values, former }: { values: object; former: object }): Record<string, number> | null {
  const numbers = Object.entries(former).flatMap(([field, value]): [string, number][] =>
    typeof value === 'number' ? [[field, value]] : [],
  )
  return numbers.length === Object.keys(values).length ? Object.fromEntries(numbers) : null
}
