/** One operation of a deployment's API, ready to be sent. */
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
  /** Why a write is sent. */
  cause?: WriteCause | undefined
}

/** How a deployment tells one read of telemetry from others. */
export interface AskedRead {
  queryId: string
  /** Different for each session, without saying whose it is. */
  asker: string
}

/** Why a write is sent, and for whom. */
export interface WriteCause {
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
