/** A server of unary gRPC calls over HTTP/2 without TLS. */
import { createServer, type Http2Server, type ServerHttp2Session } from 'node:http2'
import { Refused } from './refusedExport.ts'
import { UnaryCall } from './unaryCall.ts'

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
