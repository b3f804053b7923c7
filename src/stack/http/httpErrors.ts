/** Whatever was thrown, as a status and words that may leave the process. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../errors.ts'
import { StoreError } from '../store/storeError.ts'

export interface Failure {
  status: number
  message: string
}

/** Words of our own for what the server itself refuses before a handler runs. */
const serverMessages: Record<number, string> = {
  400: 'Invalid JSON payload',
  413: 'Request body is too large',
  415: 'Unsupported media type: send application/json',
}

/** Anything that nobody meant to throw is a 500 without detail, and logged with it. */
export function failureOf(error: unknown, request: FastifyRequest): Failure {
  if (error instanceof Refusal) return { status: error.status, message: error.message }
  if (error instanceof StoreError) {
    request.log.warn({ err: error, route: request.routeOptions.url }, 'the store failed')
    // For clients, 503 means that nothing was done.
    return { status: error.outcome === 'unknown' ? 504 : 503, message: error.message }
  }
  const status = statusCodeOf(error)
  const message = serverMessages[status]
  if (message !== undefined) return { status, message }
  request.log.error({ err: error, route: request.routeOptions.url }, 'request failed')
  return { status: 500, message: 'Something went wrong :(' }
}

function statusCodeOf(error: unknown): number {
  return error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number'
    ? error.statusCode
    : 500
}

/**
 * A route that is not there, for either variant: an HTML page, as deployments send it.
 * Clients tell it by that from a thing that is not there.
 */
export function answerUnknownRoute(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const path = request.url.split('?')[0] ?? ''
  return reply
    .code(404)
    .type('text/html; charset=utf-8')
    .header('content-security-policy', "default-src 'none'")
    .header('x-content-type-options', 'nosniff')
    .send(`<!DOCTYPE html>\n<title>Error</title>\n<pre>Cannot ${request.method} ${escapeHtml(path)}</pre>\n`)
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
