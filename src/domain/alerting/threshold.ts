/** Compares values with the threshold of an alert. */
import { rangeThresholdTypes } from '#contract/stack/alerts.ts'

/** The fields of an alert that its values are compared with. */
export interface Threshold {
  threshold: number
  thresholdType: string
  /** The second number of `between` and `not_between`. */
  thresholdMax?: number | null | undefined
}

/** Whether a value violates the threshold. `above` and `between` include the threshold itself. */
export function violates({ threshold, thresholdType, thresholdMax }: Threshold, value: number): boolean {
  const max = thresholdMax ?? threshold
  switch (thresholdType) {
    case 'above':
      return value >= threshold
    case 'above_exclusive':
      return value > threshold
    case 'below':
      return value < threshold
    case 'below_or_equal':
      return value <= threshold
    case 'equal':
      return value === threshold
    case 'not_equal':
      return value !== threshold
    case 'between':
      return value >= threshold && value <= max
    case 'not_between':
      return value < threshold || value > max
    default:
      return false
  }
}

/** Why a threshold cannot be compared with; null if it can. */
export function thresholdProblem({ thresholdType, thresholdMax }: Threshold): string | null {
  if (!rangeThresholdTypes.includes(thresholdType) || typeof thresholdMax === 'number') return null
  return `The threshold type ${thresholdType} needs thresholdMax. Set it to the upper end of the range.`
}

/** The values that violate the threshold, as ranges; none for single values. */
export function violatedRanges({ threshold, thresholdType, thresholdMax }: Threshold): [low: number, high: number][] {
  const max = thresholdMax ?? threshold
  switch (thresholdType) {
    case 'above':
    case 'above_exclusive':
      return [[threshold, Infinity]]
    case 'below':
    case 'below_or_equal':
      return [[-Infinity, threshold]]
    case 'between':
      return [[threshold, max]]
    case 'not_between':
      return [
        [-Infinity, threshold],
        [max, Infinity],
      ]
    default:
      return []
  }
}
