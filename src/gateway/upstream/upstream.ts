/** One request to a deployment and its raw answer. Address, path and headers are ours alone; nothing of the browser's is copied. */
import { Writable, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { request, type Dispatcher } from 'undici'
import type { Method } from '#contract/kernel.ts'
import { maxHeaderBytes, ConnectError, type Deadlines, type Egress } from './egressGuard.ts'
import { refusal } from '../http/errors.ts'
import type { ReplyHeaders } from './rateHeaders.ts'
import type { Target } from './upstreamTarget.ts'

export interface Sending {
  method: Method
  /** What is wanted back. */
  format: 'json' | 'text'
  /** Already filled: nothing in it needs encoding. */
  path: string
  query?: URLSearchParams | undefined
  body?: string | undefined
  signal?: AbortSignal | undefined
}

export interface RawReply {
  status: number
  headers: ReplyHeaders
  text: string
}

/** The request was sent, or may have been, and its answer did not come whole. */
export class ResponseLost extends Error {
  override name = 'Lost'

  constructor(
    readonly kind: 'timeout' | 'broken' | 'tooLarge' | 'unreadable',
    message: string,
  ) {
    super(message)
  }
}

export const defaultDeadlines: Deadlines = { connect: 5_000, headers: 60_000, body: 20_000, total: 90_000 }

/** Bytes of one answer, after decompression. */
export const replyLimit = 32 * 1024 * 1024

export class Upstream {
  constructor(
    private readonly egress: Egress,
    private readonly deadlines: Deadlines = defaultDeadlines,
    private readonly limit = replyLimit,
  ) {}

  /** Throws ConnectError (nothing was sent), Lost (no telling what happened), or the reason of the caller's signal. */
  async send(target: Target, sending: Sending): Promise<RawReply> {
    const url = addressOf(target, sending)
    const deadline = AbortSignal.timeout(this.deadlines.total)
    const signal = sending.signal ? AbortSignal.any([sending.signal, deadline]) : deadline
    try {
      const reply = await request(url, {
        dispatcher: this.egress.agent(target.allowPrivate),
        method: sending.method,
        headers: headersOf(target, sending),
        body: sending.body ?? null,
        signal,
      })
      const text = await this.read(reply, signal)
      return { status: reply.statusCode, headers: reply.headers, text }
    } catch (error) {
      if (sending.signal?.aborted) throw sending.signal.reason
      throw this.told(error, deadline.aborted)
    }
  }

  private async read(reply: Dispatcher.ResponseData, signal: AbortSignal): Promise<string> {
    const encoding = String(reply.headers['content-encoding'] ?? 'identity').toLowerCase()
    if (encoding !== 'identity' && encoding !== 'gzip') {
      // Without a listener, undici's word that the body was given up would end the process.
      reply.body.on('error', () => {}).destroy()
      throw new ResponseLost('unreadable', `The answer is encoded as ${encoding}, which was not asked for.`)
    }
    const pieces: Buffer[] = []
    const collect = this.capped((piece) => pieces.push(piece))
    // undici's body is a Readable of Buffers.
    const body: Readable = reply.body
    if (encoding === 'gzip') await pipeline(body, createGunzip(), collect, { signal })
    else await pipeline(body, collect, { signal })
    return Buffer.concat(pieces).toString('utf8')
  }

  /** A stream of its own, because a generator's error would reach the caller as a mere abort. */
  private capped(keep: (piece: Buffer) => void): Writable {
    let size = 0
    return new Writable({
      write: (piece: Buffer, _, next) => {
        size += piece.length
        if (size > this.limit) {
          next(new ResponseLost('tooLarge', `The answer is larger than ${Math.round(this.limit / 2 ** 20)} MiB.`))
          return
        }
        keep(piece)
        next()
      },
    })
  }

  private told(error: unknown, late: boolean): ConnectError | ResponseLost {
    if (error instanceof ConnectError || error instanceof ResponseLost) return error
    const { name, code = '' } = error as NodeJS.ErrnoException // what undici, net and zlib throw
    if (late || code.endsWith('_TIMEOUT')) return new ResponseLost('timeout', 'No answer came in time.')
    if (code.startsWith('Z_'))
      return new ResponseLost('unreadable', 'The answer is damaged: its compression cannot be undone.')
    if (code === 'UND_ERR_HEADERS_OVERFLOW' || code === 'HPE_HEADER_OVERFLOW') {
      return new ResponseLost(
        'unreadable',
        `The headers of the answer are larger than ${maxHeaderBytes / 1024} KiB and were not read.`,
      )
    }
    if (name === 'HTTPParserError' || code.startsWith('HPE_'))
      return new ResponseLost('unreadable', 'The answer is not HTTP.')
    if (/^(UND_ERR_|ECONN|EPIPE|ERR_STREAM|ERR_SSL|ETIMEDOUT|EHOST|ENET)/.test(code)) {
      return new ResponseLost('broken', 'The connection broke before the whole answer was there.')
    }
    return new ResponseLost('broken', `The connection failed before the whole answer was there (${code || name}).`)
  }
}

/** Throws `blocked` if the URL standard would read the path otherwise than it is written. */
function addressOf(target: Target, { path, query }: Sending): URL {
  const url = new URL(target.baseUrl + path)
  const base = new URL(target.baseUrl)
  const prefix = base.pathname === '/' ? '' : base.pathname
  if (url.origin !== base.origin || url.pathname !== prefix + path || url.search || url.hash) {
    throw refusal(400, 'The request would leave its path.')
  }
  if (query) url.search = query.toString()
  return url
}

function headersOf(target: Target, { body, format }: Sending): Record<string, string> {
  return {
    accept: format === 'json' ? 'application/json' : 'text/plain',
    'accept-encoding': 'gzip',
    'user-agent': 'stack-console',
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(target.authorization ? { authorization: target.authorization } : {}),
  }
}
