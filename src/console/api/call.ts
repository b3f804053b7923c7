/** One typed call for every endpoint of the contract, through the gateway. */
import type { QueryKey } from '@tanstack/react-query'
import type { z } from 'zod'
import {
  baseRevisionHeader,
  priorityHeader,
  queryIdHeader,
  writeIdHeader,
  type priorities,
} from '#contract/wire/gatewayWire.ts'
import { fillPath, gatewayPath, gatewayReply, type Endpoint, type Input, type Output } from '#contract/wire/kernel.ts'
import { trackProgress } from './runningReads.ts'
import { approvalHeaders, noteHeld } from './approval.ts'
import { recordRateLimit } from './rateLimit.ts'
import { connectionsQuery } from './connections.ts'
import { ApiFailure } from './failure.ts'
import { recordOffer, recordOrigin } from './offers/offers.ts'
import { noteRevision, revisionOf } from './revisions.ts'
import { queryClient } from './queryClient.ts'
import { trackPending } from './pending.ts'
import { requestJson } from './send.ts'
import { noteStored } from './stored.ts'

export interface CallOptions {
  signal?: AbortSignal
  /** Priority within the rate limit of the key. Default: `visible` for reads, `user` for writes. */
  priority?: (typeof priorities)[number]
  /** The record that a write starts from: nothing is written where another revision of it is stored. */
  base?: object | undefined
  /** Fields of the body as they are called on the screen, by their paths. Default: the paths. */
  titles?: Readonly<Record<string, string>> | undefined
  /** The key of the read that the request belongs to, so that its progress can be shown. */
  read?: QueryKey | undefined
  /** The name of the record in messages, at the start of a sentence. Default: its kind and name. */
  record?: string
}

/** The input of a call, as any endpoint may have it. */
interface CallInput {
  params?: Record<string, string>
  query?: Record<string, unknown>
  body?: unknown
}

/** Calls an endpoint of a connection. Throws ApiFailure (`api/errors.ts` puts it into words). */
export async function call<E extends Endpoint>(
  connectionId: string,
  endpoint: E,
  input: Input<E>,
  options: CallOptions = {},
): Promise<Output<E>> {
  // Input<E> is a conditional type that TypeScript cannot open while E is unknown: these are its possible parts.
  const { params, query, body } = input as CallInput
  const path = fillPath(gatewayPath(endpoint), { ...params, connectionId }) + queryString(query)
  const approval = endpoint.mutates && isChange(endpoint) ? await approvalHeaders([connectionId]) : {}
  try {
    const send = (queryId: string | undefined) =>
      requestJson(path, {
        method: endpoint.method,
        body,
        signal: options.signal,
        mutates: endpoint.mutates,
        headers: { ...headersOf(endpoint, options), ...approval, ...(queryId && { [queryIdHeader]: queryId }) },
        onHeaders: (headers) => recordRateLimit(connectionId, headers),
      })
    const answer = await trackPending(connectionId, () => trackProgress(connectionId, options.read, send))
    const { result, origin } = readReply(endpoint, answer.body)
    if (origin === undefined) recordOffer(connectionId, endpoint, 'offered')
    else recordOrigin(connectionId, endpoint, origin)
    const { titles = {}, record } = options
    noteStored({ connectionId, endpoint, sent: body, result, titles, record })
    return result
  } catch (error) {
    if (error instanceof ApiFailure && error.code === 'notOffered') {
      recordOffer(connectionId, endpoint, 'notOffered')
    }
    if (error instanceof ApiFailure && error.held) noteHeld(error.held, connectionId)
    // The list of connections is out of date: it said that writes are allowed.
    if (error instanceof ApiFailure && (error.code === 'readOnly' || error.code === 'forbidden'))
      void queryClient.invalidateQueries(connectionsQuery)
    throw error
  }
}

/** Tests, notifications that are sent again and acknowledgements need no approval. */
function isChange({ resource, verb }: Endpoint): boolean {
  return verb !== 'test' && !(resource === 'alerts' && /^resend$|acknowledge$/.test(verb))
}

function headersOf(endpoint: Endpoint, options: CallOptions): Record<string, string> {
  const priority = options.priority ?? (endpoint.mutates ? 'user' : 'visible')
  return {
    [priorityHeader]: priority,
    ...(endpoint.mutates ? { [writeIdHeader]: crypto.randomUUID() } : {}),
    ...(options.base ? { [baseRevisionHeader]: revisionOf(options.base) } : {}),
  }
}

function queryString(query: Record<string, unknown> = {}): string {
  const set = Object.entries(query).filter(([, value]) => value !== undefined)
  return set.length ? `?${new URLSearchParams(set.map(([key, value]) => [key, String(value)]))}` : ''
}

/** The result, and where it comes from if not from the API. */
function readReply<E extends Endpoint>(endpoint: E, body: unknown): { result: Output<E>; origin: string | undefined } {
  const reply = gatewayReply.safeParse(body)
  const result = endpoint.result.safeParse(reply.success ? reply.data.result : undefined)
  if (reply.success && result.success) {
    noteRevisions(result.data, reply.data)
    // The schema is the one that Output names.
    return { result: result.data as Output<E>, origin: reply.data.origin }
  }
  const issue = result.error?.issues[0]
  throw new ApiFailure({
    code: 'malformedReply',
    status: 200,
    message: 'The deployment’s response does not match the API.',
    ...(reply.success && reply.data.requestId ? { requestId: reply.data.requestId } : {}),
    ...(issue ? { detail: `${issue.path.join('.')}: ${issue.message}` } : {}),
  })
}

function noteRevisions(result: unknown, { revision, revisions }: z.infer<typeof gatewayReply>): void {
  noteRevision(result, revision)
  if (Array.isArray(result)) result.forEach((record, at) => noteRevision(record, revisions?.[at]))
}
