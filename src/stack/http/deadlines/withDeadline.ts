/**
 * Ends work at a deadline, or when its client disconnects. Fastify's own `request.signal` and `handlerTimeout` end with
 * the request's body and do not cover the response to a POST.
 */
import type { FastifyReply } from 'fastify'
import { Refusal } from '../../refusal.ts'

export interface Deadline {
  /** Milliseconds. */
  timeout: number
  /** Whether the work changes something. */
  mutates: boolean
}

/**
 * Runs the work. The signal fires when the client disconnects or the time is over: then the work may stop.
 * @throws Refusal when the time is over: 503, nothing was changed; or 504 for a change, which may still be applied
 */
export async function withDeadline<T>(
  reply: FastifyReply,
  { timeout, mutates }: Deadline,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const { signal } = controller
  const onClose = () => controller.abort(new Refusal(499, 'the client disconnected'))
  const timer = setTimeout(() => controller.abort(overdue(mutates)), timeout)
  reply.raw.once('close', onClose)
  const ended = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  try {
    return await Promise.race([work(signal), ended])
  } finally {
    clearTimeout(timer)
    reply.raw.off('close', onClose)
  }
}

function overdue(mutates: boolean): Refusal {
  return mutates
    ? new Refusal(504, 'The change took too long. It is unknown whether it was saved')
    : new Refusal(503, 'The request took too long and was cancelled')
}
