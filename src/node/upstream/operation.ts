/**
 * One operation of a deployment's API, ready to be sent. Three names say who is behind it: the `caller` takes turns with
 * others within the rate limit, the `asker` is a session as the deployment knows it, and the `actor` is whom the history and
 * the audit log name for a write.
 */
import type { Endpoint } from '#contract/wire/kernel.ts'
import type { Priority } from './waitingRequests.ts'

export interface Operation {
  endpoint: Endpoint
  /** The upstream path, with its parameters filled in. */
  path: string
  query?: URLSearchParams | undefined
  /** JSON text. */
  body?: string | undefined
  priority: Priority
  /** The person, token or session that asks; absent for the console itself. Callers take turns within the rate limit. */
  caller?: string | undefined
  signal?: AbortSignal | undefined
  /** Names under which the page asks for the progress of this read. A read that joins an earlier request keeps the names of that request. */
  asked?: AskedRead | undefined
  /** Whether the read must not share a request that began earlier. */
  fresh?: boolean
  /** The parameters of the endpoint's path. */
  params?: Record<string, string> | undefined
  /** Where a write comes from. Absent for reads. */
  cause?: WriteCause | undefined
}

/** How a deployment tells one read of telemetry from others. */
export interface AskedRead {
  queryId: string
  /** Different for each session, without saying whose it is. */
  asker: string
}

/** Where a write comes from: who asked for it, in which part of the product, and with whose approval. */
export interface WriteCause {
  /** The name of the person, token or agent. */
  actor: string
  /** The ID of the person in whose name it is sent; null without an account. */
  personId: string | null
  origin: 'console' | 'promotion' | 'restore' | 'undo' | 'fileImport'
  /** The ID of the request to the gateway that asked for it. */
  request?: string | undefined
  /** The run that it belongs to. */
  run?: string | undefined
  /** The approval that allows it on a connection with two-person approval: a change request, such as `request 58`, or `break-glass`. */
  approval?: string | undefined
}
