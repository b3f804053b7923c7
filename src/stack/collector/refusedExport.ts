/** The reasons for rejecting a request, and their codes in each protocol. */

/** HTTP status, and the code of google.rpc.Status (which is that of gRPC). */
const codes = {
  cancelled: { http: 499, rpc: 1 },
  tooSlow: { http: 408, rpc: 4 },
  malformed: { http: 400, rpc: 3 },
  unauthenticated: { http: 401, rpc: 16 },
  notFound: { http: 404, rpc: 5 },
  notImplemented: { http: 501, rpc: 12 },
  wrongMethod: { http: 405, rpc: 12 },
  tooLarge: { http: 413, rpc: 8 },
  wrongMediaType: { http: 415, rpc: 3 },
  overloaded: { http: 429, rpc: 8 },
  failed: { http: 500, rpc: 13 },
  unavailable: { http: 503, rpc: 14 },
} as const

export type Reason = keyof typeof codes

export class Refused extends Error {
  readonly reason: Reason
  readonly httpStatus: number
  readonly rpcCode: number
  /** Seconds until the sender should retry; absent if a retry would fail in the same way. */
  readonly retryAfter: number | undefined

  /** The message is for the sender: it must contain no key and no message of the engine. */
  constructor(reason: Reason, message: string) {
    super(message)
    this.reason = reason
    this.httpStatus = codes[reason].http
    this.rpcCode = codes[reason].rpc
    this.retryAfter = reason === 'overloaded' || reason === 'unavailable' ? 1 : undefined
  }
}

/** The reason with which a request is aborted when its sender no longer waits for the response. */
export function senderGaveUp(): Refused {
  return new Refused('cancelled', 'the sender gave up')
}
