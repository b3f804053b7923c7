/** Errors of the managed variant: docs/DEPLOYMENTS.md#conventions, #errors-of-the-control-plane. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { keyToWire, type WireNames } from '#contract/wire/naming.ts'
import { InvalidInput, type InvalidPart, type Issue } from '../refusal.ts'
import { failureOf } from './httpErrors.ts'

/** The prefix of an error message. */
const codes: Record<number, string> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  424: 'FAILED_DEPENDENCY',
  429: 'TOO_MANY_REQUESTS',
  500: 'INTERNAL_ERROR',
  503: 'SERVICE_UNAVAILABLE',
  504: 'GATEWAY_TIMEOUT',
}

/** @param names of the fields of the cloud's resources in request bodies */
export function createErrorHandler(names: WireNames) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const invalid = error instanceof InvalidInput ? issuesInWireNames(error, request, names) : null
    const { status, message } = invalid
      ? { status: 400, message: invalid.map(describe).join('; ') }
      : failureOf(error, request)
    const code = codes[status] ?? 'ERROR'
    if (status === 401) reply.header('www-authenticate', 'Basic realm="stack"')
    const text = message ? `${code}: ${message}` : code
    return reply.code(status).send({ status, error: text, requestId: request.id, ...issuesOf(invalid ?? []) })
  }
}

interface PlacedIssue extends Issue {
  part: InvalidPart['part']
}

/** All issues, with paths in the names that the client used. */
function issuesInWireNames({ parts }: InvalidInput, request: FastifyRequest, names: WireNames): PlacedIssue[] {
  const isStack = request.routeOptions.config.endpoint?.scope === 'stack'
  return parts.flatMap(({ part, issues }) =>
    issues.map((issue) => ({
      ...issue,
      part,
      path: isStack
        ? issue.path
        : issue.path
            .split('.')
            .map((key) => keyToWire(key, names))
            .join('.'),
    })),
  )
}

/** The issues by field, for clients that show errors at their fields. */
function issuesOf(invalid: readonly PlacedIssue[]): { issues?: { path: string[]; message: string }[] } {
  const fields = invalid.filter(({ part, path }) => part === 'Body' && path)
  if (fields.length === 0) return {}
  return { issues: fields.map(({ path, message }) => ({ path: path.split('.'), message })) }
}

/** Credentials of a pipe. Their values are never returned, not even to the client that sent them. */
const secretPath = /(?:^|\.)(?:credentials|accessKey|connectionString)(?:\.|$)/

/** `request body.interval: Required <undefined>`, with plain values. */
function describe({ part, path, message, input }: PlacedIssue): string {
  const value = secretPath.test(path) ? typeof input : valueText(input)
  return `request ${[part.toLowerCase(), ...(path ? [path] : [])].join('.')}: ${message} <${value}>`
}

function valueText(input: unknown): string {
  if (input === null) return 'null'
  if (typeof input === 'string' || typeof input === 'number' || typeof input === 'boolean') {
    return `${typeof input}:${shortened(String(input))}`
  }
  return Array.isArray(input) ? 'array' : typeof input
}

/** The beginning of a client's text. */
export function shortened(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text
}
