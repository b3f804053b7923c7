/** The error of a failed call: the gateway's ApiError. */
import type { ApiError } from '#contract/wire/kernel.ts'

export class ApiFailure extends Error implements ApiError {
  override name = 'ApiFailure'
  readonly code: ApiError['code']
  readonly status: number
  readonly requestId: string | undefined
  readonly retryAfter: number | undefined
  /** When another try makes sense, in epoch milliseconds. */
  readonly retryAt: number | undefined
  readonly fields: ApiError['fields']
  readonly detail: string | undefined
  readonly current: ApiError['current']
  readonly held: ApiError['held']

  constructor(error: ApiError) {
    super(error.message)
    this.code = error.code
    this.status = error.status
    this.requestId = error.requestId
    this.retryAfter = error.retryAfter
    this.retryAt = error.retryAfter === undefined ? undefined : Date.now() + error.retryAfter * 1000
    this.fields = error.fields
    this.detail = error.detail
    this.current = error.current
    this.held = error.held
  }
}

/** Anything that was thrown, as an ApiFailure: a fault of the page itself becomes `failed`. */
export function asFailure(error: unknown): ApiFailure {
  if (error instanceof ApiFailure) return error
  const message = error instanceof Error ? error.message : String(error)
  return new ApiFailure({ code: 'failed', message, status: 0 })
}
