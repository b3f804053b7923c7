/** Chooses the table that a chart is read from: a roll-up, where the result is exactly that of the rows themselves. */
import type { AggFn } from '#contract/stack/charts.ts'
import type { Attribute } from '../fieldExpressions.ts'
import { hasValues, rolledColumn, type Rollup } from './rollup.ts'

/** The question of a chart to one table. */
export interface RollupQuestion {
  /** Milliseconds since 1970. */
  startTime: number
  endTime: number
  /** The length of a bucket in seconds; null if the range is one. */
  step: number | null
  /** Seconds from a multiple of the step to the next bucket. */
  phase: number
  /** Whether buckets start by the clock of a time zone. */
  isLocal: boolean
  /** The columns and attributes that conditions and groups read; null if they read more than these. */
  fields: readonly string[] | null
  /** The map by whose keys rows are grouped; absent for any other grouping. */
  keysOf?: string | undefined
  /** The attribute or column that is the group, if nothing else is read. */
  valuesOf?: Attribute | undefined
  aggregates: readonly { aggFn: AggFn; field: string | undefined }[]
}

/** The part of a range that a roll-up has in whole steps, milliseconds: from the first on, up to but without the second. */
export interface Steps {
  from: number
  to: number
}

export type RollupChoice = { rollup: Rollup; steps: Steps } | { reasons: string[] }

/** The rows of fewer steps are read as fast as the roll-up. Their maps take longer. */
const minSteps = 12
const minStepsOfMaps = 2
/** All time zones differ from UTC by multiples of it, since long before the first time that is accepted. */
const zoneStep = 900
const day = 86_400

/** The coarsest of the roll-ups that answer the question, of equal ones that with the fewest dimensions; or why none of them does. */
export function chooseRollup(question: RollupQuestion, rollups: readonly Rollup[]): RollupChoice {
  const reasons: string[] = []
  const fitting: { rollup: Rollup; steps: Steps }[] = []
  for (const rollup of rollups) {
    const steps = stepsIn(question, rollup)
    const reason = reasonAgainst(question, rollup, steps)
    if (reason === undefined) fitting.push({ rollup, steps })
    else reasons.push(`${rollup.table.table}: ${reason}`)
  }
  const [best] = fitting.toSorted(
    (a, b) =>
      b.rollup.step - a.rollup.step ||
      Number(a.rollup.valuesOf !== undefined) - Number(b.rollup.valuesOf !== undefined) ||
      a.rollup.dimensions.length - b.rollup.dimensions.length,
  )
  return best ?? { reasons }
}

function stepsIn({ startTime, endTime }: RollupQuestion, { step, from }: Rollup): Steps {
  const length = step * 1000
  return {
    from: Math.ceil(Math.max(startTime, from) / length) * length,
    // The last millisecond belongs to the range, but not all of its nanoseconds.
    to: Math.floor(endTime / length) * length,
  }
}

function reasonAgainst(question: RollupQuestion, rollup: Rollup, { from, to }: Steps): string | undefined {
  const { step, phase, isLocal, aggregates } = question
  if (rollup.step < 1 || day % rollup.step !== 0) return 'its steps are no parts of a day'
  if (step !== null && step % rollup.step !== 0) return `buckets of ${step} s are no multiples of ${rollup.step} s`
  if (phase % rollup.step !== 0) return 'its steps begin at other times than the buckets'
  if (isLocal && zoneStep % rollup.step !== 0) return 'its steps may lie on both sides of a local midnight'
  const least = rollup.total === undefined ? minSteps : minStepsOfMaps
  if (to - from < least * rollup.step * 1000) return `the range has fewer than ${least} of its steps`
  const ofFields = reasonAgainstFields(question, rollup)
  if (ofFields !== undefined) return ofFields
  if (rolledColumn(rollup, 'count') === undefined)
    return 'it does not count rows, so that nothing tells whether it is complete'
  const other = aggregates.find((aggregate) => !isRolled(rollup, aggregate))
  return other && `it has no ${other.aggFn}${other.field ? ` of ${other.field}` : ''} that adds up to the same`
}

function reasonAgainstFields({ fields, keysOf, valuesOf }: RollupQuestion, rollup: Rollup): string | undefined {
  if (keysOf === undefined ? rollup.keysOf !== undefined : !rollup.keysOf?.includes(keysOf))
    return `it is of ${rollup.keysOf === undefined ? 'columns' : 'keys'}, as the groups are not`
  if (fields === null) return 'conditions or groups are more than plain columns and attributes'
  if (rollup.valuesOf) {
    const isThere = valuesOf !== undefined && hasValues(rollup.valuesOf, valuesOf)
    return isThere ? undefined : 'it has the values of one attribute at a time'
  }
  const missing = fields.find((field) => !rollup.dimensions.includes(field))
  return missing && `it has no column ${missing}`
}

function isRolled(rollup: Rollup, { aggFn, field }: RollupQuestion['aggregates'][number]): boolean {
  switch (aggFn) {
    case 'count':
      return true
    case 'avg':
      return rolledColumn(rollup, 'sum', field) !== undefined
    case 'sum':
    case 'min':
    case 'max':
      return rolledColumn(rollup, aggFn, field) !== undefined
    default:
      return false
  }
}
