import { ApiFailure, asFailure } from './failure.ts'

/** The deployment returned values by group without saying which value belongs to which group. */
export class UnknownGroupsError extends ApiFailure {
  override name = 'UnknownGroupsError'

  constructor(groupBy: readonly string[]) {
    super({
      code: 'malformedReply',
      status: 200,
      message: `This deployment cannot group by ${groupBy.join(', ')} here: its response does not say which value belongs to which group`,
    })
  }
}

export interface TooManyGroups {
  /** The most points of a result; null if the deployment does not name it. */
  maxPoints: number | null
}

/** Whether a chart query failed because its groups have too many values; null for another reason. */
export function tooManyGroups(error: unknown): TooManyGroups | null {
  const { message, detail = '' } = asFailure(error)
  const text = `${message} ${detail}`
  const limit = /more than ([\d,]+) points/i.exec(text)?.[1]
  if (limit) return { maxPoints: Number(limit.replaceAll(',', '')) }
  return /too many (groups|points)/i.test(text) ? { maxPoints: null } : null
}
