/** The draft of a scaling form: changed values, resulting changes and validation. Bounds come from the contract. */
import { z } from 'zod'
import { boundSchema, formatBound } from '#contract/cloud/bounds.ts'
import type { Change } from '#console/ui/ChangeTable.tsx'
import { formatScalingValue, type ScalingParameter, type Values } from '../model/scalingParameters.ts'

/** Values by parameter: null is unchanged, NaN is an invalid number. */
export type Draft = Record<string, number | null>

export function emptyDraft(parameters: readonly ScalingParameter[]): Draft {
  return Object.fromEntries(parameters.map(({ field }) => [field, null]))
}

/** The values that differ from the current ones. Only these are sent. */
export function changedValues(draft: Draft, current: Values): Record<string, number> {
  return Object.fromEntries(
    Object.entries(draft).flatMap(([field, value]) =>
      value === null || value === current[field] ? [] : [[field, value]],
    ),
  )
}

/** The values after the draft is applied. */
export function applyDraft(draft: Draft, current: Values): Values {
  return { ...current, ...changedValues(draft, current) }
}

/** The changes that these values make. */
export function draftChanges(parameters: readonly ScalingParameter[], values: Values, current: Values): Change[] {
  return parameters.flatMap((parameter) => {
    const value = values[parameter.field]
    if (value === undefined || value === null) return []
    return [
      {
        title: parameter.title,
        before: formatScalingValue(parameter, current[parameter.field] ?? null),
        after: Number.isNaN(value) ? 'not a number' : formatScalingValue(parameter, value),
      },
    ]
  })
}

/** The contract's bounds as a form schema. `validate` checks rules between parameters. */
export function draftSchema(
  parameters: readonly ScalingParameter[],
  current: Values,
  validate?: (values: Values) => string | null,
) {
  return z.custom<Draft>().superRefine((draft, context) => {
    const values = changedValues(draft, current)
    for (const { field, bound } of parameters) {
      const value = values[field]
      if (value === undefined || boundSchema(bound).safeParse(value).success) continue
      context.addIssue({ code: 'custom', path: [field], message: `Must be ${formatBound(bound)}.` })
    }
    const problem = validate?.({ ...current, ...values })
    const [last] = parameters.slice(-1)
    if (problem && last) context.addIssue({ code: 'custom', path: [last.field], message: problem })
  })
}
