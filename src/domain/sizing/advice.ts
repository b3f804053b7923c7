/** The advice about the size of a pipe or service. Nothing is advised from too few measurements, or beyond what was measured. */
import type { ExpectedUse, MeasuredLoad, UsedResource } from '#contract/console/sampling/sizeLoads.ts'

/** The highest share of a limit that the peak may take at a size that is advised. */
export const highestShare = 0.7
/** From this share on a limit counts as reached. */
export const shortShare = 0.9
/** Measured hours that advice needs: a shortage shows at once, a peak of the day only after one. */
export const minHours = { larger: 1, smaller: 24 } as const

/** The expected peaks at a size. Null is not reported. */
export interface Expected {
  cpu: ExpectedUse | null
  memory: ExpectedUse | null
}

export type Advice<S> =
  /** Too little is known. `needed`: hours that must be measured; null if the resource is not reported. */
  | { kind: 'unknown'; missing: 'hours' | 'cpu' | 'memory'; needed: number | null }
  /** The size fits. `isShort`: it does not, but there is no larger one. */
  | { kind: 'keep'; expected: Expected; isShort: boolean }
  /** `isEnough`: false if even the largest size leaves less than the headroom. */
  | { kind: 'smaller' | 'larger'; size: S; expected: Expected; isEnough: boolean }

/** The advice that more hours are needed. */
export const needsHours = (needed: number): Advice<never> => ({ kind: 'unknown', missing: 'hours', needed })

export const isMeasured = (load: MeasuredLoad | null, hours: number): load is MeasuredLoad =>
  load !== null && load.hours >= hours

/** The expected use of a resource where its amount stays and its limit, and the share of a replica, change. */
export const expectedUse = ({ peak, quietestDay }: UsedResource, limit: number, share = 1): ExpectedUse => ({
  limit,
  low: (quietestDay ?? peak) * share,
  high: peak * share,
})

/** How far an expectation can be relied on. A week has peaks that single days lack. */
export type Certainty = 'low' | 'fair' | 'high'

/** @param isAtLimit the use was cut off by the limit, so that the need may be higher than measured */
export function certaintyOf({ hours }: Pick<MeasuredLoad, 'hours'>, isAtLimit: boolean): Certainty {
  if (isAtLimit || hours < minHours.smaller) return 'low'
  return hours < 3 * minHours.smaller ? 'fair' : 'high'
}

/** Whether the peak of a resource reached its limit. */
export const isAtLimit = (used: UsedResource | null, limit: number): boolean =>
  used !== null && used.peak >= shortShare * limit
