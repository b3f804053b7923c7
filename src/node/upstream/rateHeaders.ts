/** Reads a deployment's rate limit headers: `RateLimit-*`, `X-RateLimit-*` and `Retry-After`. All times in milliseconds. */
import { currentTime } from '../clock/wallClock.ts'

export type ReplyHeaders = Record<string, string | string[] | undefined>

export interface RateLimitInfo {
  limit?: number
  window?: number
  remaining?: number
  reset?: number
  retryAfter?: number
}

/** Reads the headers of a response. Absent and invalid values are left out. */
export function rateLimitInfo(headers: ReplyHeaders): RateLimitInfo {
  const now = sentAt(headers)
  const number = (...names: string[]) =>
    names.map((name) => Number.parseFloat(firstValue(headers[name]))).find(Number.isFinite)
  const window = Number.parseFloat(/[;,]\s*w=(\d+)/.exec(firstValue(headers['ratelimit-policy']))?.[1] ?? '')
  const reset = number('ratelimit-reset', 'x-ratelimit-reset')
  return {
    ...defined('limit', number('ratelimit-limit', 'x-ratelimit-limit')),
    ...defined('remaining', number('ratelimit-remaining', 'x-ratelimit-remaining')),
    ...defined('window', seconds(window)),
    ...defined('reset', resetIn(reset, now)),
    ...defined('retryAfter', retryAfter(firstValue(headers['retry-after']), now)),
  }
}

/** How long a refused request should wait, in whole seconds; absent if the response does not say it. */
export function secondsToWait(headers: ReplyHeaders): { retryAfter?: number } {
  const { retryAfter, reset } = rateLimitInfo(headers)
  const wait = retryAfter ?? reset
  return wait === undefined ? {} : { retryAfter: Math.ceil(wait / 1000) }
}

/**
 * When a response was sent, epoch milliseconds, by the clock of its server if it says so. Times in its other headers are of that
 * clock too, and the one of this machine may be hours away from it.
 */
export function sentAt({ date }: ReplyHeaders): number {
  const at = Date.parse(firstValue(date))
  return Number.isNaN(at) ? currentTime() : at
}

function firstValue(value: string | string[] | undefined): string {
  return (Array.isArray(value) ? value[0] : value) ?? ''
}

function defined<K extends string>(name: K, value: number | undefined): { [P in K]?: number } {
  // The computed key is K, which TypeScript widens to string.
  return value !== undefined && Number.isFinite(value) && value >= 0 ? ({ [name]: value } as { [P in K]: number }) : {}
}

const seconds = (value: number | undefined) => (value === undefined ? undefined : value * 1000)

/** Seconds from now, or (from some gateways) seconds since 1970. */
function resetIn(reset: number | undefined, now: number): number | undefined {
  if (reset === undefined) return undefined
  return reset > 1e9 ? Math.max(0, reset * 1000 - now) : reset * 1000
}

/** Seconds, or a date. */
function retryAfter(value: string, now: number): number | undefined {
  if (value === '') return undefined
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000
  const at = Date.parse(value)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}
