/** Paths and headers between console and gateway. Without schemas, so that the frame of the console loads none. */

/** The rate limit of a connection's key, in the headers of every response from its deployment. */
export const budgetHeaders = {
  limit: 'x-budget-limit',
  remaining: 'x-budget-remaining',
  reset: 'x-budget-reset',
  next: 'x-budget-next',
} as const

/** Every request of the console has this header. Pages of other origins cannot add it. */
export const consoleHeader = 'x-stack-console'
/** The id of a write, so that a repeated request is sent once and gets the first outcome. */
export const writeIdHeader = 'x-write-id'
/** The revision of the record that a write starts from. If another revision is stored, nothing is written. */
export const baseRevisionHeader = 'x-base-revision'
/** The priority of a request when the rate limit is short. */
export const priorityHeader = 'x-priority'
export const priorities = ['user', 'readBack', 'visible', 'background'] as const

/**
 * The name that a client gives to a read of telemetry, by which it asks for its progress. The gateway passes it on to the
 * deployment; those that do not know it ignore it.
 */
export const queryIdHeader = 'x-query-id'
/** A header of the gateway that distinguishes the users of one key without naming them. */
export const askerHeader = 'x-asker'

/** The current rate limit of a connection's key. The gateway knows it without a request; null without a limit. */
export interface BudgetState {
  limit: number
  remaining: number
  /** Seconds until all requests are available again. */
  reset: number
  /** Seconds until the next request may be sent. */
  next: number
  /** The number of waiting requests. */
  waiting: number
}

export const gatewayPaths = {
  session: '/api/session',
  connections: '/api/connections',
  connection: '/api/connections/{connectionId}',
  /** The rate limit of a connection's key: `BudgetState`. */
  connectionBudget: '/api/connections/{connectionId}/budget',
  /** Whether a connection refuses writes. */
  connectionReadOnly: '/api/connections/{connectionId}/read-only',
  connectionTest: '/api/connections/{connectionId}/test',
  /** Tests the connection in a form before it is saved. */
  connectionDraftTest: '/api/connection-test',
  /** The page of the local stack on which invited people join its team. */
  joinPage: '/join-team',
  /** The page of the local stack on which invited people join its organization. */
  organizationJoinPage: '/join-organization',
} as const
