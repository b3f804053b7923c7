/** OTLP over HTTP: POST of JSON or protobuf, with one path for each signal. */
import cors from '@fastify/cors'
import { type FastifyInstance, type FastifyPluginAsync, type FastifyRequest, fastify } from 'fastify'
import { pipeline, type Readable, Transform } from 'node:stream'
import type { Logger } from 'pino'
import type { Admission, Ticket } from './admission.ts'
import { decompress, encodings, knownEncoding, tooLarge } from './decompress.ts'
import type { Intake } from './intake.ts'
import { Refused, senderGaveUp } from './refusedExport.ts'
import { type Encoding, type Signal, signals } from './signals.ts'
import { statusBytes } from './rpcStatus.ts'

export interface HttpReceiverOptions {
  intake: Intake
  admission: Admission
  isAuthorized: (authorization: string | undefined) => boolean
  /** Maximum size of a request in bytes, decompressed. */
  maxRequestBytes: number
  /** Origins of pages that can send. Empty: none. */
  corsOrigins: readonly string[]
  logger: Logger
  /** Observes every request, such as the stack's own telemetry. */
  plugin?: FastifyPluginAsync | undefined
}

const mediaTypes: Record<Encoding, string> = { json: 'application/json', protobuf: 'application/x-protobuf' }

/**
 * Timeouts in milliseconds for the phases of a request. A slower client is disconnected, and its memory is released.
 */
const deadlines = { requestTimeout: 60_000, keepAliveTimeout: 60_000, http: { headersTimeout: 10_000 } }

/** An app that is not listening yet. */
export async function createHttpReceiver(options: HttpReceiverOptions): Promise<FastifyInstance> {
  const app = fastify({ bodyLimit: options.maxRequestBytes, ...deadlines, pluginTimeout: 0 })
  if (options.plugin) await app.register(options.plugin)
  if (options.corsOrigins.length > 0) {
    await app.register(cors, {
      origin: [...options.corsOrigins],
      methods: ['POST'],
      maxAge: 7200,
      strictPreflight: false,
    })
  }
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(Object.values(mediaTypes), { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.setErrorHandler<Error & { code?: string }>((error, request, reply) => {
    const refused = refusalOf(error, options.maxRequestBytes)
    if (refused.reason === 'failed') options.logger.error({ err: error }, 'The collector failed to handle a request')
    const encoding = encodingOf(request) ?? 'json'
    if (refused.retryAfter !== undefined) reply.header('retry-after', refused.retryAfter)
    return reply.code(refused.httpStatus).type(mediaTypes[encoding]).send(statusBytes(refused, encoding))
  })
  app.setNotFoundHandler(() => {
    throw new Refused('notFound', `unknown path. Use ${signals.map(({ httpPath }) => httpPath).join(', ')}`)
  })
  endConnectionsOnClose(app)
  for (const signal of signals) {
    receive(app, signal, options)
    app.route({
      method: ['GET', 'PUT', 'PATCH', 'DELETE'],
      url: signal.httpPath,
      handler: (_request, reply) => {
        reply.header('allow', 'POST')
        throw new Refused('wrongMethod', `${signal.httpPath} only accepts POST`)
      },
    })
  }
  return app
}

/** Closes the connection of each response that is sent while the app closes. An open one would keep the app open. */
function endConnectionsOnClose(app: FastifyInstance): void {
  let closing = false
  app.addHook('preClose', async () => {
    closing = true
  })
  app.addHook('onSend', async (_request, reply) => {
    if (closing) reply.header('connection', 'close')
  })
}

function receive(app: FastifyInstance, signal: Signal, options: HttpReceiverOptions): void {
  const { intake, admission, isAuthorized, maxRequestBytes } = options
  const tickets = new WeakMap<FastifyRequest, Ticket>()
  const senders = new WeakMap<FastifyRequest, AbortSignal>()
  app.post(signal.httpPath, {
    // Checks key, type and capacity before a byte of the body is read.
    onRequest: async (request, reply) => {
      const { authorization, 'content-encoding': contentEncoding } = request.headers
      if (!isAuthorized(authorization)) throw new Refused('unauthenticated', 'the ingestion key is missing or wrong')
      if (!encodingOf(request)) throw wrongMediaType()
      if (!knownEncoding(contentEncoding)) throw unknownEncoding()
      const announced = Number(request.headers['content-length'] ?? 0)
      if (announced > maxRequestBytes) throw tooLarge(maxRequestBytes)
      tickets.set(request, admission.admit(announced))
      const sender = new AbortController()
      senders.set(request, sender.signal)
      reply.raw.once('close', () => {
        // The sender may have disconnected before its request was complete, and no handler runs.
        tickets.get(request)?.release()
        sender.abort(senderGaveUp())
      })
    },
    // A body of unknown length reserves its memory as it arrives.
    preParsing: async (request, _reply, payload) => {
      const ticket = tickets.get(request)
      return ticket && request.headers['content-length'] === undefined ? counted(payload, ticket) : payload
    },
    handler: async (request, reply) => {
      const encoding = encodingOf(request)
      const ticket = tickets.get(request)
      const sender = senders.get(request)
      const contentEncoding = knownEncoding(request.headers['content-encoding'])
      if (!encoding || !ticket || !sender) throw wrongMediaType()
      if (!contentEncoding) throw unknownEncoding()
      // From here on, the memory is held until the batch is stored or dropped.
      tickets.delete(request)
      try {
        // The parser above returns a buffer, or nothing for a request without a body.
        const sent = (request.body as Buffer | undefined) ?? Buffer.alloc(0)
        const body = await decompress(sent, contentEncoding, maxRequestBytes, ticket)
        return reply.type(mediaTypes[encoding]).send(await intake.accept(signal, encoding, body, { ticket, sender }))
      } finally {
        ticket.release()
      }
    },
  })
}

function counted(payload: Readable, ticket: Ticket): Readable {
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      try {
        ticket.grow(chunk.length)
        done(null, chunk)
      } catch (error) {
        done(error instanceof Error ? error : new Error(String(error)))
      }
    },
  })
  // An error of either ends the other, and fails the request.
  return pipeline(payload, counter, () => undefined)
}

function encodingOf(request: FastifyRequest): Encoding | undefined {
  const mediaType = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase()
  if (mediaType === mediaTypes.json) return 'json'
  return mediaType === mediaTypes.protobuf ? 'protobuf' : undefined
}

/** A request in an unknown compression: HTTP 400, as other collectors answer it. */
function unknownEncoding(): Refused {
  return new Refused('malformed', `unsupported content-encoding. Use ${encodings.join(', ')}`)
}

function wrongMediaType(): Refused {
  return new Refused('wrongMediaType', 'content-type must be application/json or application/x-protobuf')
}

function refusalOf(error: Error & { code?: string; statusCode?: number }, maxRequestBytes: number): Refused {
  if (error instanceof Refused) return error
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return tooLarge(maxRequestBytes)
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return wrongMediaType()
  // Other client errors of the server are for the sender to fix; server errors are not reported in detail.
  if (error.statusCode !== undefined && error.statusCode < 500) return new Refused('malformed', error.message)
  return new Refused('failed', 'the collector failed')
}
