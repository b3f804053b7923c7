/**
 * A server of unary gRPC calls over HTTP/2 without TLS, and such a call over a stream: its message, and its answer or
 * status.
 */
import {
  createServer,
  type Http2Server,
  type ServerHttp2Session,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2'
import { Refused, senderGaveUp } from './refusedExport.ts'
import { encodings } from './decompress.ts'
import { statusBytes } from './rpcStatus.ts'
import { readMessage, type Message, type MessageLimits } from './unaryMessage.ts'

/** The most streams of a connection. Senders wait for a stream to end. */
const maxConcurrentStreams = 100

/** Megabytes of a connection: more than the windows of all its streams. */
const maxSessionMemory = 64

export class UnaryServer {
  readonly #server: Http2Server
  readonly #sessions = new Set<ServerHttp2Session>()

  /** @param methods what handles the calls of a path. It must not throw */
  constructor(methods: ReadonlyMap<string, (call: UnaryCall) => void>) {
    this.#server = createServer({ settings: { maxConcurrentStreams }, maxSessionMemory })
    // Such as too many open files. Senders try again.
    this.#server.on('error', () => undefined)
    this.#server.on('session', (session) => {
      this.#sessions.add(session)
      session.once('close', () => this.#sessions.delete(session))
    })
    this.#server.on('stream', (stream, headers) => {
      const call = new UnaryCall(stream, headers)
      if (headers[':method'] !== 'POST') return call.rejectRequest(405)
      if (!/^application\/grpc($|[+;])/i.test(headers['content-type'] ?? '')) return call.rejectRequest(415)
      const method = methods.get(headers[':path'] ?? '')
      if (method) method(call)
      else call.refuse(new Refused('notImplemented', 'unknown service or method'))
    })
  }

  /** Resolves to the port, which differs from the requested one if that was 0. Rejects if it is in use. */
  listen(host: string, port: number): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen(port, host, () => {
        this.#server.off('error', reject)
        const address = this.#server.address()
        resolve(typeof address === 'object' && address ? address.port : port)
      })
    })
  }

  /** Waits for running calls to end; cancels those that take longer than `timeout` milliseconds. */
  close(timeout: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        for (const session of this.#sessions) session.destroy()
      }, timeout)
      // Fails if the server did not listen.
      this.#server.close(() => {
        clearTimeout(timer)
        resolve()
      })
      for (const session of this.#sessions) session.close()
    })
  }
}

const responseHeaders: OutgoingHttpHeaders = {
  ':status': 200,
  'content-type': 'application/grpc+proto',
  'grpc-encoding': 'identity',
  'grpc-accept-encoding': encodings.join(','),
}

/** Milliseconds until a sender that goes on after it was refused is cut off. */
const drainTime = 10_000

/** A unary call of gRPC over a stream of HTTP/2: its message, and its answer or status. */
export class UnaryCall {
  readonly headers: IncomingHttpHeaders
  readonly #stream: ServerHttp2Stream
  readonly #sender = new AbortController()
  #isAnswered = false

  constructor(stream: ServerHttp2Stream, headers: IncomingHttpHeaders) {
    this.headers = headers
    this.#stream = stream
    // A stream that fails also closes.
    stream.on('error', () => undefined)
    const timeout = timeoutOf(headers['grpc-timeout'])
    const deadline = timeout === undefined ? undefined : setTimeout(() => this.#giveUp(), timeout)
    stream.once('close', () => {
      clearTimeout(deadline)
      this.#sender.abort(senderGaveUp())
    })
  }

  /** Fires when the sender cancels the call or disconnects, or when its deadline passes. */
  get sender(): AbortSignal {
    return this.#sender.signal
  }

  /** Reads the only message. Until then, the sender waits. Rejects with `Refused`, or the reason of `sender`. */
  read(limits: MessageLimits): Promise<Message> {
    return readMessage(this.#stream, this.sender, limits)
  }

  answer(body: Buffer): void {
    if (!this.#begin()) return
    const prefix = Buffer.alloc(5)
    prefix.writeUInt32BE(body.length, 1)
    this.#stream.respond(responseHeaders, { waitForTrailers: true })
    this.#stream.once('wantTrailers', () => this.#stream.sendTrailers({ 'grpc-status': 0 }))
    this.#stream.end(Buffer.concat([prefix, body]))
  }

  refuse(refused: Refused): void {
    if (!this.#begin()) return
    const status = {
      'grpc-status': refused.rpcCode,
      'grpc-message': percentEncoded(refused.message),
      'grpc-status-details-bin': statusBytes(refused, 'protobuf').toString('base64'),
    }
    this.#stream.respond({ ...responseHeaders, ...status }, { endStream: true })
    this.#discardRest()
  }

  /** For a request that is no call: a status of HTTP. */
  rejectRequest(httpStatus: number): void {
    if (!this.#begin()) return
    this.#stream.respond({ ':status': httpStatus }, { endStream: true })
    this.#discardRest()
  }

  /** Whether the call can be answered now: once, and while the sender is there. */
  #begin(): boolean {
    if (this.#isAnswered || this.#stream.closed || this.#stream.destroyed) return false
    this.#isAnswered = true
    return true
  }

  #discardRest(): void {
    this.#stream.resume()
    const timer = setTimeout(() => this.#stream.close(), drainTime)
    this.#stream.once('close', () => clearTimeout(timer))
  }

  #giveUp(): void {
    const refused = new Refused('tooSlow', 'the deadline of the call has passed')
    this.refuse(refused)
    this.#sender.abort(refused)
  }
}

const units: Record<string, number> = { H: 3_600_000, M: 60_000, S: 1000, m: 1, u: 0.001, n: 0.000_001 }
/** The longest time of a timer. */
const maxTimeout = 2 ** 31 - 1

/** Milliseconds; undefined without a deadline. */
function timeoutOf(header: string | string[] | undefined): number | undefined {
  const [, value, unit] = /^(\d{1,8})([HMSmun])$/.exec(String(header ?? '')) ?? []
  if (value === undefined || unit === undefined) return undefined
  return Math.min(maxTimeout, Math.ceil(Number(value) * (units[unit] ?? 0)))
}

/** As the protocol wants the text of a status: bytes beyond printable ASCII, and `%`, are encoded. */
function percentEncoded(text: string): string {
  return Array.from(Buffer.from(text), (byte) => {
    const isPlain = byte >= 0x20 && byte <= 0x7e && byte !== 0x25
    return isPlain ? String.fromCodePoint(byte) : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  }).join('')
}
