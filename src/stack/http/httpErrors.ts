/** Maps any error to a status and a message that may be sent to clients. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../refusal.ts'
import { DamagedRow } from '#node/database/damagedRows.ts'
import { StoreError } from '#node/database/storeError.ts'

export interface Failure {
  status: number
  message: string
}

/** Messages for errors of the server before a handler runs. */
const serverMessages: Record<number, string> = {
  400: 'Invalid JSON payload',
  413: 'Request body is too large',
  415: 'Unsupported media type. Use application/json',
}

/** An unexpected error is a 500 without details, which are logged. */
export function failureOf(error: unknown, request: FastifyRequest): Failure {
  if (error instanceof Refusal) return { status: error.status, message: error.message }
  if (error instanceof DamagedRow) return { status: 500, message: error.message }
  if (error instanceof StoreError) {
    request.log.warn({ err: error, route: request.routeOptions.url }, 'the store failed')
    // For clients, 503 means that nothing was changed.
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
 * Responds to an unknown route with an HTML page, as deployments do.
 * By that, clients tell it from a record that does not exist.
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

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
