/** How sliders scale a pipe, or the size that the database pipes of a service share. */
import type { ScalingTarget } from '#console/records/scaling/useScaling.ts'
import { changedValues, applyDraft, draftChanges, draftSchema, emptyDraft, type Draft } from './draft.ts'
import { numericValues, revertValues, withPreviousValues } from './previousValues.ts'
import { formatScalingValue, type ScalingParameter, type Values } from '../model/scalingParameters.ts'

export type SliderTarget<T extends object> = ScalingTarget<T, Draft, Values>

interface Sliders<T extends object> extends Pick<
  SliderTarget<T>,
  'resource' | 'noun' | 'base' | 'reportedAt' | 'record' | 'unchanged' | 'read' | 'keep' | 'reload'
> {
  parameters: readonly ScalingParameter[]
  /** The values that are reported to be in effect. */
  effective: (record: T) => Values
  /** The values that are reported as requested, if that is distinguished. */
  requested?: (record: T) => Values
  /** Checks rules between parameters. Returns an error message or null. */
  validate?: (values: Values) => string | null
  write: (values: Record<string, number>, current: T) => Promise<T>
}

export function sliderTarget<T extends object>(sliders: Sliders<T>): SliderTarget<T> {
  const { parameters, effective, requested = effective, validate, write, ...target } = sliders
  return {
    ...target,
    titles: Object.fromEntries(parameters.map(({ field, title }) => [field, title])),
    formatValue: (field, value) => {
      const parameter = parameters.find((candidate) => candidate.field === field)
      return parameter ? formatScalingValue(parameter, typeof value === 'number' ? value : null) : ''
    },
    effectiveOf: (record, previous) => withPreviousValues(effective(record), previous),
    expectedOf: (record, now, pending) =>
      applyDraft(numericValues(pending ?? {}), withPreviousValues(requested(record), numericValues(now))),
    sizeOf: (values) => values,
    start: () => emptyDraft(parameters),
    schema: (expected) => draftSchema(parameters, expected, validate),
    values: changedValues,
    formOf: (values) => ({ ...emptyDraft(parameters), ...numericValues(values) }),
    changes: (values, expected) => draftChanges(parameters, numericValues(values), expected),
    previous: (_, now) => numericValues(now),
    revert: revertValues,
    write: (values, current) => write(numericValues(values), current),
  }
}
