import { ApiFailure } from './failure.ts'

/** The deployment computed values by group, and does not tell of which group each is. */
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
