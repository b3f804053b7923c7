/** Errors of the gateway's API: the contract's `ApiError` as exceptions. */
import type { ApiError } from '#contract/wire/kernel.ts'

export type ErrorCode = ApiError['code']

/** The status of the gateway's own response. An upstream's 401 must not look as if the person were signed out. */
const httpStatuses: Record<ErrorCode, number> = {
  signedOut: 401,
  keyRejected: 502,
  forbidden: 403,
  readOnly: 403,
  notFound: 404,
  notOffered: 404,
  invalid: 422,
  conflict: 409,
  dependency: 424,
  rateLimited: 429,
  upstreamFailed: 502,
  unreachable: 502,
  timeout: 504,
  outcomeUnknown: 504,
  malformedReply: 502,
  tooLarge: 413,
  notStored: 507,
  unavailable: 503,
  sentForApproval: 202,
  blocked: 403,
  failed: 500,
}

export class ApiFailure extends Error {
  override name = 'ApiFailure'

  readonly error: ApiError
  /** The status of the gateway's response; `error.status` may be the upstream's. */
  readonly httpStatus: number

  constructor(error: ApiError, httpStatus = httpStatuses[error.code]) {
    super(error.message)
    this.error = error
    this.httpStatus = httpStatus
  }
}

/** A ApiFailure. Its status follows from the code unless `more` has one. */
export function failure(code: ErrorCode, message: string, more: Partial<ApiError> = {}): ApiFailure {
  return new ApiFailure({ code, message, status: httpStatuses[code], ...more })
}

/** A ApiFailure for a request that breaks the gateway's own rules. */
export function refusal(httpStatus: number, message: string, more: Partial<ApiError> = {}): ApiFailure {
  return new ApiFailure({ code: 'blocked', message, status: httpStatus, ...more }, httpStatus)
}

/** The error in a sentence for people, with what the deployment said about it, once. */
export function failureSentence({ error }: ApiFailure): string {
  const { message, detail, fields } = error
  const upstreamMessage = fields?.map(({ path, message: problem }) => `${path}: ${problem}`).join('; ') || detail
  return !upstreamMessage || message.includes(upstreamMessage) || upstreamMessage.includes(message)
    ? message
    : `${message} ${upstreamMessage}`
}

/** The response to a write was lost. `verdict`: what reading the record showed. */
export class OutcomeUnknown extends ApiFailure {
  readonly verdict: 'applied' | 'notApplied' | 'unknown'

  constructor(verdict: 'applied' | 'notApplied' | 'unknown', message: string, detail: string) {
    super({ code: 'outcomeUnknown', message, status: httpStatuses.outcomeUnknown, detail })
    this.verdict = verdict
  }
}
