/** Whether a chart query failed because its groups have too many values. */
import { asFailure } from '../../api/failure.ts'

export interface TooManyGroups {
  /** The most points of a result; null if the deployment does not name it. */
  maxPoints: number | null
}

export function tooManyGroups(error: unknown): TooManyGroups | null {
  const { message, detail = '' } = asFailure(error)
  const text = `${message} ${detail}`
  const limit = /more than ([\d,]+) points/i.exec(text)?.[1]
  if (limit) return { maxPoints: Number(limit.replaceAll(',', '')) }
  return /too many (groups|points)/i.test(text) ? { maxPoints: null } : null
}
