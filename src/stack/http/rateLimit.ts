/** The rate limit of a key: docs/DEPLOYMENTS.md#rate-limit, #conventions. */
import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { RateWindows } from '#node/concurrency/rateWindows.ts'
import { Refusal } from '../refusal.ts'
import { secretDigest } from '#node/secrets/sameSecret.ts'

export interface RateLimit {
  /** 0 for no limit. */
  requests: number
  seconds: number
  /** The key of the request, valid or not. Requests without a key are counted by address. */
  keyOf(request: FastifyRequest): string
  /** `ratelimit`: limit, remaining and reset on every response. `x-ratelimit`: the reset on a 429. */
  headers: 'ratelimit' | 'x-ratelimit'
  message: string
}

/** Counts every request of this instance before its key is checked, so that wrong keys count too. */
export async function limitRate(app: FastifyInstance, limit: RateLimit): Promise<void> {
  if (limit.requests === 0) return
  const always = limit.headers === 'ratelimit'
  await app.register(rateLimit, {
    global: false,
    store: RateWindows,
    max: limit.requests,
    timeWindow: limit.seconds * 1000,
    keyGenerator: (request) => fingerprint(limit.keyOf(request) || request.ip),
    enableDraftSpec: always,
    ...(!always && {
      addHeadersOnExceeding: none,
      addHeaders: { ...none, 'x-ratelimit-reset': true, 'retry-after': true },
    }),
    errorResponseBuilder: () => new Refusal(429, limit.message),
  })
  app.addHook('onRequest', app.rateLimit())
}

const none = { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false }

/** A digest of a key that may be stored in memory. */
function fingerprint(secret: string): string {
  return secretDigest(secret).toString('base64url')
}
