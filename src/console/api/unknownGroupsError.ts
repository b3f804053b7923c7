import { ApiFailure } from './failure.ts'

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
