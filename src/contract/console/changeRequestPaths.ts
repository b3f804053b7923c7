/** Paths and headers of the gateway for approvals. Without schemas, because the frame of the console needs none of them. */

/** The setting of a connection, and its break-glass: `approvals.ts`. */
export const approvalPaths = {
  /** Whether changes of a connection need approval, and who is told. */
  approvalSettings: '/api/connections/{connectionId}/approval',
  /** Sends a notification, and returns what its receiver answered. */
  approvalTest: '/api/connections/{connectionId}/approval/test',
  /** Starts or ends the time in which one person changes a connection without approval. */
  breakGlass: '/api/connections/{connectionId}/break-glass',
} as const

/** Change requests: `changeRequests.ts`. */
export const changeRequestPaths = {
  changeRequests: '/api/change-requests',
  /** The number of requests that wait for approval. */
  changeRequestCounts: '/api/change-requests/counts',
  changeRequest: '/api/change-requests/{requestId}',
  approve: '/api/change-requests/{requestId}/approve',
  decline: '/api/change-requests/{requestId}/decline',
  withdraw: '/api/change-requests/{requestId}/withdraw',
  comments: '/api/change-requests/{requestId}/comments',
} as const

/** A person's comment on a write that needs approval: `ChangeRequestDraft` as JSON, encoded like a part of a URL. */
export const changeRequestHeader = 'x-change-request'

/** Minutes of a break-glass. */
export const breakGlassMinutes = 15
/** Hours after which a request expires that nobody decided. */
export const expiryHours = { least: 1, default: 24, most: 168 } as const
