/** Errors of the managed variant: sections 1 and 2 of the managed reference. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { keyToWire, type WireNames } from '#contract/naming.ts'
import { InvalidInput, type InvalidPart, type Issue } from '../errors.ts'
import { failureOf } from './httpErrors.ts'

/** What the text of an error begins with. */
const codes: Record<number, string> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
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

/** @param names in which a body of the cloud's own resources was sent */
export function errorAnswerer(names: WireNames) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const invalid = error instanceof InvalidInput ? spelledOut(error, request, names) : null
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

/** All issues, their paths in the words that the client used. */
function spelledOut({ parts }: InvalidInput, request: FastifyRequest, names: WireNames): PlacedIssue[] {
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

/** Beside the one text, the fields one by one: clients that show errors at their fields need not read the text. */
function issuesOf(invalid: readonly PlacedIssue[]): { issues?: { path: string[]; message: string }[] } {
  const fields = invalid.filter(({ part, path }) => part === 'Body' && path)
  if (fields.length === 0) return {}
  return { issues: fields.map(({ path, message }) => ({ path: path.split('.'), message })) }
}

/** What a pipe signs in with: such a value is never told again, not even to whoever sent it. */
const secretPath = /(?:^|\.)(?:credentials|accessKey|connectionString)(?:\.|$)/

/** `request body.interval: Required <undefined>`, with the value where it is a short one. */
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

/** Enough of a client's text to know it by. */
export function shortened(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text
}
