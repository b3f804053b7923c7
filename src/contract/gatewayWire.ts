/** Addresses and headers between the console and the gateway: no schemas, so that the console's frame loads none. */

/** Requests left for a connection's key, on the headers of every answer that went through it. */
export const budgetHeaders = {
  limit: 'x-budget-limit',
  remaining: 'x-budget-remaining',
  reset: 'x-budget-reset',
  next: 'x-budget-next',
} as const

/** Every request of the console carries this header: a page of another origin cannot add it. */
export const consoleHeader = 'x-stack-console'
/** Names a write, so that the same click reaches the deployment once: a repeat gets the first outcome. */
export const writeIdHeader = 'x-write-id'
/** The revision of the record that a write starts from: another one being stored, nothing is written. */
export const baseRevisionHeader = 'x-base-revision'
/** `user`, `readBack`, `visible` or `background`: who goes first when the key's budget is short. */
export const priorityHeader = 'x-priority'
export const priorities = ['user', 'readBack', 'visible', 'background'] as const

/** The budget of a connection's key now. The gateway answers it without asking the deployment; null where nothing is counted. */
export interface BudgetState {
  limit: number
  remaining: number
  /** Seconds until all are there again. */
  reset: number
  /** Seconds until the next request may go. */
  next: number
  /** Requests that wait for one. */
  waiting: number
}

export const gatewayPaths = {
  session: '/api/session',
  /** Everybody who is signed in. */
  sessions: '/api/sessions',
  oneSession: '/api/sessions/{sessionId}',
  connections: '/api/connections',
  connection: '/api/connections/{connectionId}',
  /** Requests left for a connection's key, and who waits for one: `BudgetState`. */
  connectionBudget: '/api/connections/{connectionId}/budget',
  /** Whether a connection refuses writes. */
  connectionReadOnly: '/api/connections/{connectionId}/read-only',
  connectionTest: '/api/connections/{connectionId}/test',
  /** What was sampled of a managed connection's pipes: `pipeSamples.ts`. */
  pipeSamples: '/api/connections/{connectionId}/pipe-samples',
  /** Tests what is in the form, before it is saved. */
  connectionDraftTest: '/api/connection-test',
} as const
