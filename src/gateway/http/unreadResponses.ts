/**
 * Limits the responses that wait to be received. A response stays in memory until its receiver has read it, so that a caller who asks for
 * much and reads nothing could fill the memory.
 */
import { finished } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { failure } from '#node/upstream/apiFailure.ts'

/** Bytes that may wait for one session or token: more than a page with many charts receives at once. */
const defaultUnreadLimit = 128 * 1024 * 1024

/** Seconds. */
const retryAfter = 5

/**
 * @param limit of bytes for one caller. A single response may be larger
 * @returns a hook `onSend` for routes that only read. It throws rateLimited in the place of a response beyond the limit
 */
export function boundUnread(limit = defaultUnreadLimit) {
  /** Bytes that wait, by caller. */
  const waiting = new Map<string, number>()

  function add(caller: string, bytes: number): void {
    const total = (waiting.get(caller) ?? 0) + bytes
    if (total > 0) waiting.set(caller, total)
    else waiting.delete(caller)
  }

  return async (request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> => {
    if (typeof payload !== 'string' || reply.statusCode >= 400) return payload
    const caller = request.sessionKey || request.ip
    const bytes = Buffer.byteLength(payload)
    const before = waiting.get(caller) ?? 0
    if (before > 0 && before + bytes > limit) {
      const message = 'Earlier responses have not been received yet. Try again once they have.'
      throw failure('rateLimited', message, { retryAfter })
    }
    add(caller, bytes)
    // Handed over to the operating system, or given up. Requests of the console to itself have no socket.
    finished(reply.raw, () => add(caller, -bytes))
    return payload
  }
}
