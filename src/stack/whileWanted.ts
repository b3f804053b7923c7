/**
 * Work that somebody waits for. Fastify's own `request.signal` and `handlerTimeout` end with the request's body,
 * long before its answer: of a POST they see nothing.
 */
import type { FastifyReply } from 'fastify'
import { Refusal } from './errors.ts'

/**
 * Does the work until it is done, or its client is gone, or its time is over: then the signal fires and whatever still
 * runs may stop.
 * @throws Refusal 503 when the time is over
 */
export async function whileWanted<T>(
  reply: FastifyReply,
  milliseconds: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const { signal } = controller
  const onClose = () => controller.abort(new Refusal(499, 'nobody waits for the answer any more'))
  const overdue = () => controller.abort(new Refusal(503, 'The request took too long and was given up'))
  const timer = setTimeout(overdue, milliseconds)
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
