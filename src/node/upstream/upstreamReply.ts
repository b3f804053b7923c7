/** Unwraps the envelope of a response, and maps the errors of both variants to the contract's. */
import type { Endpoint } from '#contract/wire/kernel.ts'
import { fromWire } from '#contract/wire/naming.ts'
import { formatValue } from '#domain/charts/units.ts'
import { failure, type ErrorCode, type ApiFailure } from './apiFailure.ts'
import { fieldErrors, issueFields, type FieldError } from './fieldErrors.ts'
import { countValues, MalformedJson, readJson } from './untrustedJson.ts'
import { secondsToWait } from './rateHeaders.ts'
import { scrub, type UpstreamTarget } from './upstreamTarget.ts'
import type { RawReply } from './upstream.ts'

export interface UpstreamResult {
  result: unknown
  /** The number of rows in total, if the deployment reports it. */
  total?: number | undefined
  /** The number of rows in a page, if the deployment reports it. */
  pageSize?: number | undefined
  requestId?: string | undefined
  /** A measure of its memory: the characters and the JSON values of the response. */
  size?: ReplySize | undefined
  /** Milliseconds from when the request was sent until the whole response was there. */
  took?: number | undefined
}

export interface ReplySize {
  characters: number
  values: number
}

type Json = Record<string, unknown>

const maxDetailLength = 500
/** Characters of an error message that are read, and fields of one that are returned: a response may have 32 MB. */
const maxMessageLength = 20_000
const maxFields = 200

/** JSON values in one response. Parsing more of them would keep everybody waiting for seconds. */
export const maxReplyValues = 2_000_000

/** The result of an endpoint. @throws ApiFailure for an error, a redirect or a response that cannot be read */
export function openReply(endpoint: Endpoint, target: UpstreamTarget, reply: RawReply): UpstreamResult {
  const size = { characters: reply.text.length, values: endpoint.format === 'text' ? 1 : countValues(reply.text) }
  if (size.values > maxReplyValues) throw tooManyValues(reply)
  if (reply.status >= 300) throw refused(endpoint, target, reply)
  if (endpoint.format === 'text') return { result: reply.text, requestId: requestIdOf(null, reply, target) }
  const body = bodyOf(reply)
  if (body === malformed) throw unreadable(target, reply)
  const envelope = asObject(body)
  const inner = envelope?.status
  if (envelope && typeof inner === 'number' && (inner < 200 || inner > 299) && 'requestId' in envelope) {
    throw refused(endpoint, target, { ...reply, status: inner })
  }
  const result = resultOf(endpoint, body, reply)
  if (result === malformed || !hasShape(endpoint, result)) throw unreadable(target, reply)
  return {
    result: endpoint.scope === 'stack' ? result : fromWire(result, target.names),
    requestId: requestIdOf(envelope, reply, target),
    ...pagingOf(envelope, reply),
    size,
    took: reply.took,
  }
}

function tooManyValues({ status }: RawReply): ApiFailure {
  const message = `The response of the deployment has more than ${formatValue(maxReplyValues)} JSON values.`
  return failure('tooLarge', message, { status })
}

const malformed = Symbol('malformed')

function bodyOf(reply: RawReply): unknown {
  if (reply.text.trim() === '') return undefined
  try {
    return readJson(reply.text)
  } catch (error) {
    if (error instanceof MalformedJson) return malformed
    throw error
  }
}

/**
 * Accepts the envelopes of both variants, `result` or `data`. A result without an envelope is accepted for lists, and for
 * endpoints that have none on a variant.
 */
function resultOf(endpoint: Endpoint, body: unknown, reply: RawReply): unknown {
  const envelope = asObject(body)
  if (endpoint.bare.length > 0 && endpoint.result.safeParse(body).success) return body
  if (envelope && endpoint.continued) return continuedList(envelope)
  if (envelope && 'result' in envelope) return envelope.result
  if (envelope && 'data' in envelope) return envelope.data
  // The response to a deletion may be empty.
  if (endpoint.method === 'DELETE' || reply.status === 204) return null
  return Array.isArray(body) && endpoint.list ? body : malformed
}

/** A list with the fields beside it, such as `hasMore`. */
function continuedList({ result, data, status: _status, requestId: _requestId, ...beside }: Json): unknown {
  const items = result ?? data
  return Array.isArray(items) ? { ...beside, items } : malformed
}

/** Checks the outer shape only. Everything inside passes through unchanged, including unknown fields and values. */
function hasShape(endpoint: Endpoint, result: unknown): boolean {
  if (endpoint.method === 'DELETE') return true
  return endpoint.list ? Array.isArray(result) : asObject(result) !== null
}

function pagingOf(envelope: Json | null, reply: RawReply): Pick<UpstreamResult, 'total' | 'pageSize'> {
  const meta = asObject(envelope?.meta)
  return { total: count(meta?.total) ?? count(reply.headers['x-total-count']), pageSize: count(meta?.limit) }
}

function count(value: unknown): number | undefined {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isInteger(number) && number >= 0 ? number : undefined
}

function refused(endpoint: Endpoint, target: UpstreamTarget, reply: RawReply): ApiFailure {
  const body = bodyOf(reply)
  const envelope = asObject(body)
  // Cut after secrets were replaced, so that no part of one is left.
  const upstreamMessage = scrub(target, messageOf(body, reply.text, target)).slice(0, maxMessageLength)
  const fields = fieldsOf(body, upstreamMessage, target)
    .slice(0, maxFields)
    .map(({ path, message }) => ({ path, message: scrub(target, message).slice(0, maxMessageLength) }))
  const code = codeOf(endpoint, reply, body)
  return failure(code, sentence(code, endpoint, reply, upstreamMessage), {
    status: reply.status,
    requestId: requestIdOf(envelope, reply, target),
    ...(code === 'rateLimited' ? secondsToWait(reply.headers) : {}),
    ...(code === 'invalid' && fields.length > 0 ? { fields } : {}),
    ...(upstreamMessage ? { detail: upstreamMessage.slice(0, maxDetailLength) } : {}),
  })
}

function codeOf(endpoint: Endpoint, reply: RawReply, body: unknown): ErrorCode {
  switch (reply.status) {
    case 400:
    case 422:
      return 'invalid'
    case 401:
      return 'keyRejected'
    case 403:
      return 'forbidden'
    case 404:
    case 405:
    case 410:
      return isRouteMissing(endpoint, reply, body) ? 'notOffered' : 'notFound'
    case 408:
      return 'upstreamFailed'
    case 409:
    case 412:
    case 428:
      return 'conflict'
    case 413:
      return 'tooLarge'
    case 424:
      return 'dependency'
    case 429:
      return 'rateLimited'
    default:
      return reply.status >= 400 && reply.status < 500 ? 'invalid' : 'upstreamFailed'
  }
}

/**
 * Both variants respond to an unknown route with an HTML page and to a missing item with JSON or plain text (reference
 * 1.1). An open-source list names no item and no owner, so its 404 can only mean the route.
 */
function isRouteMissing(endpoint: Endpoint, reply: RawReply, body: unknown): boolean {
  const html = /^text\/html/i.test(String(reply.headers['content-type'] ?? '')) || /^\s*</.test(reply.text)
  const namesNothing = endpoint.scope === 'stack' && !endpoint.path.includes('{') && endpoint.method === 'GET'
  const managed = asObject(body)?.requestId !== undefined
  return reply.status === 405 || html || (namesNothing && !managed)
}

function sentence(code: ErrorCode, endpoint: Endpoint, reply: RawReply, upstreamMessage: string): string {
  // An engine's error about a query ends with the query that the deployment made of it.
  const [queryMessage = ''] = upstreamMessage.split(/:? in scope (?:SELECT|WITH) /i)
  const own = queryMessage.replace(/^[A-Z_]{4,}:\s+/, '').slice(0, maxDetailLength)
  switch (code) {
    case 'keyRejected':
      return 'The deployment rejected the key.'
    case 'forbidden':
      return `The key is not allowed to ${operationText(endpoint)}.`
    case 'notOffered':
      return `This deployment does not offer ${offerText(endpoint)}.`
    case 'rateLimited':
      return 'The deployment received too many requests with this key.'
    case 'upstreamFailed':
      return reply.status < 400 ? redirectMessage(reply) : `The deployment failed (${reply.status}).`
    default:
      return own || `The deployment refused the request (${reply.status}).`
  }
}

const spaced = (name: string) => name.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()

/** Such as `alerts`, or `evaluations of alerts`, which a deployment with alerts may lack. */
function offerText({ feature, resource }: Endpoint): string {
  return feature === undefined ? spaced(resource) : `${spaced(feature)} of ${spaced(resource)}`
}

/** Such as `read service backups`. */
function operationText({ method, verb, resource }: Endpoint): string {
  return `${method === 'GET' ? 'read' : spaced(verb)} ${spaced(resource)}`
}

/** Shows only the origin of the new URL, because the rest of it may contain a token. */
function redirectMessage(reply: RawReply): string {
  const location = String(reply.headers.location ?? '')
  const where = URL.canParse(location) ? ` to ${new URL(location).origin}` : ''
  return `The deployment redirects${where}. The console does not follow redirects. Enter the final address in the connection.`
}

/** The error message of a deployment, in any of its shapes; empty for an HTML page. */
function messageOf(body: unknown, text: string, target: UpstreamTarget): string {
  const envelope = asObject(body)
  const upstreamMessage = [envelope?.message, envelope?.error].find(
    (value) => typeof value === 'string' && value !== '',
  )
  if (typeof upstreamMessage === 'string') return upstreamMessage
  if (Array.isArray(body))
    return listedIssues(body, target)
      .map(({ path, message }) => `${path}: ${message}`)
      .join('; ')
  if (body === malformed && !/^\s*</.test(text)) return scrub(target, text.trim()).slice(0, maxDetailLength)
  return ''
}

function fieldsOf(body: unknown, upstreamMessage: string, target: UpstreamTarget): FieldError[] {
  if (Array.isArray(body)) return listedIssues(body, target)
  const issues = issueFields(asObject(body)?.issues, target.names)
  return issues.length > 0 ? issues : fieldErrors(upstreamMessage, target.names)
}

/** `[{type: 'Body', errors: {issues: […]}}]`, as one router of the open-source variant responds. */
function listedIssues(body: unknown[], target: UpstreamTarget): FieldError[] {
  return body.flatMap((part) => issueFields(asObject(asObject(part)?.errors)?.issues, target.names))
}

function requestIdOf(envelope: Json | null, reply: RawReply, target: UpstreamTarget): string | undefined {
  const id = envelope?.requestId ?? reply.headers['x-request-id']
  return typeof id === 'string' && /^[\w-]{1,128}$/.test(id) ? scrub(target, id) : undefined
}

function unreadable(target: UpstreamTarget, reply: RawReply): ApiFailure {
  const html = /^\s*</.test(reply.text)
  const message = html
    ? 'The address returned a web page and not the API. Check the base address of the connection.'
    : 'The response of the deployment does not match the API specification.'
  const detail = html ? undefined : scrub(target, reply.text).slice(0, 200)
  return failure('malformedReply', message, { status: reply.status, ...(detail ? { detail } : {}) })
}

function asObject(value: unknown): Json | null {
  // The keys of a plain object are strings.
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Json) : null
}
