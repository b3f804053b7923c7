/** Sends one request to a deployment. URL and headers are the gateway's own: nothing is copied from the browser's request. */
import { Writable, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { request, type Dispatcher } from 'undici'
import { askerHeader, queryIdHeader } from '#contract/wire/gatewayWire.ts'
import type { Method, Variant } from '#contract/wire/kernel.ts'
import { maxHeaderBytes, ConnectError, type Deadlines, type Egress } from './egressGuard.ts'
import { refusal } from './apiFailure.ts'
import type { ReplyHeaders } from './rateHeaders.ts'
import type { AskedRead } from './operation.ts'
import type { UpstreamTarget } from './upstreamTarget.ts'

export interface UpstreamRequest {
  method: Method
  /** The format of the response. */
  format: 'json' | 'text'
  /** With its parameters filled in and encoded. */
  path: string
  query?: URLSearchParams | undefined
  body?: string | undefined
  signal?: AbortSignal | undefined
  /** See `queryIdHeader`. */
  asked?: AskedRead | undefined
  /** Further ones, in lower case, which take the place of those that every request has. */
  headers?: Readonly<Record<string, string>> | undefined
}

export interface RawReply {
  status: number
  headers: ReplyHeaders
  text: string
  /** Milliseconds from when the request was sent until the whole response was there. */
  took?: number
}

/** The request may have been sent, and its response did not arrive completely. */
export class ResponseLost extends Error {
  override name = 'ResponseLost'

  readonly kind: 'timeout' | 'broken' | 'tooLarge' | 'unreadable'

  constructor(kind: 'timeout' | 'broken' | 'tooLarge' | 'unreadable', message: string) {
    super(message)
    this.kind = kind
  }
}

export const defaultDeadlines: Deadlines = { connect: 5_000, headers: 60_000, body: 20_000, total: 90_000 }

/** Bytes of one response after decompression. */
export const replyLimit = 32 * 1024 * 1024

/** As many of the largest responses of one deployment are read at the same time. */
const largestAtOnce = 4

/** Is told of each request that has ended. @param outcome its status, or the error that it ended with */
export type CountRequest = (variant: Variant, outcome: number | Error, seconds: number) => void

/** Resolves once the server at an origin has started; undefined for servers of others. */
export type Starting = (origin: string) => Promise<unknown> | undefined

export class Upstream {
  /** Bytes of the responses that are being read, by connection. */
  readonly #reading = new Map<string, number>()
  readonly #egress: Egress
  readonly #deadlines: Deadlines
  readonly #limit: number
  readonly #count: CountRequest
  readonly #starting: Starting

  constructor(
    egress: Egress,
    deadlines: Deadlines = defaultDeadlines,
    limit = replyLimit,
    count: CountRequest = () => {},
    starting: Starting = () => undefined,
  ) {
    this.#egress = egress
    this.#deadlines = deadlines
    this.#limit = limit
    this.#count = count
    this.#starting = starting
  }

  /** @throws ConnectError if nothing was sent, ResponseLost if the outcome is unknown, or the reason of the caller's signal */
  async send(target: UpstreamTarget, sending: UpstreamRequest): Promise<RawReply> {
    const url = addressOf(target, sending)
    await this.#starting(url.origin)
    sending.signal?.throwIfAborted()
    const started = performance.now()
    const count = (outcome: number | Error) =>
      this.#count(target.variant, outcome, (performance.now() - started) / 1000)
    try {
      const reply = await this.#sendTo(url, target, sending)
      count(reply.status)
      return { ...reply, took: performance.now() - started }
    } catch (error) {
      count(error instanceof Error ? error : new Error('cancelled'))
      throw error
    }
  }

  async #sendTo(url: URL, target: UpstreamTarget, sending: UpstreamRequest): Promise<RawReply> {
    const deadline = AbortSignal.timeout(this.#deadlines.total)
    const signal = sending.signal ? AbortSignal.any([sending.signal, deadline]) : deadline
    try {
      const reply = await request(url, {
        dispatcher: this.#egress.agent(target.allowPrivate),
        method: sending.method,
        headers: headersOf(target, sending),
        body: sending.body ?? null,
        signal,
      })
      const text = await this.#read(target, reply, signal)
      return { status: reply.statusCode, headers: reply.headers, text }
    } catch (error) {
      if (sending.signal?.aborted) throw sending.signal.reason
      throw this.#transportError(error, deadline.aborted)
    }
  }

  async #read({ connectionId }: UpstreamTarget, reply: Dispatcher.ResponseData, signal: AbortSignal): Promise<string> {
    const encoding = String(reply.headers['content-encoding'] ?? 'identity').toLowerCase()
    if (encoding !== 'identity' && encoding !== 'gzip') {
      // Without a listener, undici's error about the abandoned body would end the process.
      reply.body.on('error', () => {}).destroy()
      throw new ResponseLost('unreadable', `The deployment sent an unsupported content encoding: ${encoding}.`)
    }
    const pieces: Buffer[] = []
    const collect = this.#collectorOf(connectionId, pieces)
    // undici's body is a Readable of Buffers.
    const body: Readable = reply.body
    try {
      if (encoding === 'gzip') await pipeline(body, createGunzip(), collect, { signal })
      else await pipeline(body, collect, { signal })
      return Buffer.concat(pieces).toString('utf8')
    } finally {
      this.#countReading(connectionId, -pieces.reduce((sum, piece) => sum + piece.length, 0))
    }
  }

  /** Fills `pieces` within the limits. A stream, because an error in a generator would reach the caller as a plain abort. */
  #collectorOf(connectionId: string, pieces: Buffer[]): Writable {
    const lost = (bytes: number, words: string) =>
      new ResponseLost('tooLarge', `${words} ${Math.round(bytes / 2 ** 20)} MiB.`)
    let size = 0
    return new Writable({
      write: (piece: Buffer, _, next) => {
        size += piece.length
        pieces.push(piece)
        const atOnce = this.#countReading(connectionId, piece.length)
        const most = largestAtOnce * this.#limit
        if (size > this.#limit) next(lost(this.#limit, 'The response is larger than'))
        else if (atOnce > most) next(lost(most, 'The responses of the deployment at the same time are larger than'))
        else next()
      },
    })
  }

  /** @returns the bytes of all responses of the connection that are being read */
  #countReading(connectionId: string, bytes: number): number {
    const total = (this.#reading.get(connectionId) ?? 0) + bytes
    if (total === 0) this.#reading.delete(connectionId)
    else this.#reading.set(connectionId, total)
    return total
  }

  #transportError(error: unknown, isLate: boolean): ConnectError | ResponseLost {
    if (error instanceof ConnectError || error instanceof ResponseLost) return error
    const { name, code = '' } = error as NodeJS.ErrnoException // what undici, net and zlib throw
    if (isLate || code.endsWith('_TIMEOUT')) return new ResponseLost('timeout', this.#timeoutMessage(isLate, code))
    if (code.startsWith('Z_'))
      return new ResponseLost('unreadable', 'The response is damaged and cannot be decompressed.')
    if (code === 'UND_ERR_HEADERS_OVERFLOW' || code === 'HPE_HEADER_OVERFLOW') {
      return new ResponseLost('unreadable', `The headers of the response are larger than ${maxHeaderBytes / 1024} KiB.`)
    }
    if (name === 'HTTPParserError' || code.startsWith('HPE_'))
      return new ResponseLost('unreadable', 'The response is not HTTP. Check the address and port of the connection.')
    if (/^(UND_ERR_|ECONN|EPIPE|ERR_STREAM|ERR_SSL|ETIMEDOUT|EHOST|ENET)/.test(code)) {
      return new ResponseLost('broken', 'The connection was closed before the response was complete.')
    }
    return new ResponseLost('broken', `The connection failed before the response was complete (${code || name}).`)
  }

  #timeoutMessage(isLate: boolean, code: string): string {
    const { headers, body, total } = this.#deadlines
    const limit = isLate ? total : code.includes('BODY') ? body : headers
    return `The deployment did not respond within ${limit / 1000} seconds. Try again, or check its load.`
  }
}

/** @throws `blocked` if the URL standard would read the path differently */
function addressOf(target: UpstreamTarget, { path, query }: UpstreamRequest): URL {
  const url = new URL(target.baseUrl + path)
  const base = new URL(target.baseUrl)
  const prefix = base.pathname === '/' ? '' : base.pathname
  if (url.origin !== base.origin || url.pathname !== prefix + path || url.search || url.hash) {
    throw refusal(400, 'The path of the request is not valid.')
  }
  if (query) url.search = query.toString()
  return url
}

function headersOf(target: UpstreamTarget, { body, format, asked, headers }: UpstreamRequest): Record<string, string> {
  return {
    accept: format === 'json' ? 'application/json' : 'text/plain',
    'accept-encoding': 'gzip',
    'user-agent': 'stack-console',
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(target.authorization ? { authorization: target.authorization } : {}),
    ...(asked ? { [queryIdHeader]: asked.queryId, [askerHeader]: asked.asker } : {}),
    ...headers,
  }
}
