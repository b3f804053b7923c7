/**
 * Work that somebody waits for. Fastify's own `request.signal` and `handlerTimeout` end with the request's body,
 * long before its answer: of a POST they see nothing.
 */
import type { FastifyReply } from 'fastify'
import { Refusal } from '../errors.ts'

export interface Wanted {
  /** Milliseconds. */
  timeout: number
  /** Whether the work changes something. */
  mutates: boolean
}

/**
 * Does the work until it is done, or its client is gone, or its time is over: then the signal fires and whatever still
 * runs may stop.
 * @throws Refusal when the time is over: 503, nothing was done; or 504 for a change, which may be past stopping
 */
export async function withDeadline<T>(
  reply: FastifyReply,
  { timeout, mutates }: Wanted,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const { signal } = controller
  const onClose = () => controller.abort(new Refusal(499, 'nobody waits for the answer any more'))
  const timer = setTimeout(() => controller.abort(overdue(mutates)), timeout)
  reply.raw.once('close', onClose)
  const unwanted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  try {
    return await Promise.race([work(signal), unwanted])
  } finally {
    clearTimeout(timer)
    reply.raw.off('close', onClose)
  }
}

function overdue(mutates: boolean): Refusal {
  return mutates
    ? new Refusal(504, 'The change took too long: nobody knows whether it was kept')
    : new Refusal(503, 'The request took too long and was given up')
}
