/** The bare HTTP server: what it reads, whom it waits for, and its own errors in the words of the contract. */
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import fastify, { LogController, type FastifyBaseLogger, type FastifyError, type FastifyInstance } from 'fastify'
import { stringifyJson } from '#contract/json.ts'
import { NotStored } from '#node/atomicFile.ts'
import { failure, GatewayError, refusal } from './errors.ts'
import { oddUrl } from './guard.ts'
import { hasPrototypeKey, MalformedJson, readJson } from './json.ts'
import { answerRefused } from './refusedRequest.ts'

/** Milliseconds that a browser may take: whoever is slower loses the connection. */
export interface Slowest {
  headers: number
  /** From the first byte of a request to the last of its body. */
  request: number
  /** Without a byte in either direction; longer than any deployment may take. */
  silence: number
}

const usualSlowest: Slowest = { headers: 15_000, request: 60_000, silence: 600_000 }

const foreignHost = refusal(421, 'This host name is not one of the console’s: see ALLOWED_HOSTS.')

/** `isForUs` decides on the raw request before any route is looked up. */
export function createHttpApp(
  logger: FastifyBaseLogger,
  isForUs: (request: IncomingMessage, response: ServerResponse) => boolean,
  slowest: Slowest = usualSlowest,
): FastifyInstance {
  const app = fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    connectionTimeout: slowest.silence,
    // What is under way is waited for: see the gateway's `close`.
    forceCloseConnections: 'idle',
    // A path parameter is 128 characters at most (contract/kernel.ts); a longer one is an id that is not valid.
    routerOptions: { maxParamLength: 2_048 },
    serverFactory: (handle) =>
      createServer(
        {
          requestTimeout: slowest.request,
          headersTimeout: slowest.headers,
          keepAliveTimeout: 10_000,
          connectionsCheckingInterval: Math.min(5_000, slowest.headers),
        },
        (request, response) => {
          const forUs = isForUs(request, response)
          const odd = oddUrl(request.url ?? '')
          if (!forUs) answerRefused(request, response, foreignHost)
          else if (odd) answerRefused(request, response, refusal(400, `The address is refused: ${odd}.`))
          else handle(request, response)
        },
      ),
  })
  endUnusedConnections(app)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, async (_: unknown, text: string) => bodyOf(text))
  app.setReplySerializer((payload) => stringifyJson(payload))
  app.addHook('onRequest', async (request, reply) => void reply.header('x-request-id', request.id))
  app.addHook('onResponse', async (request, reply) => {
    const { method, routeOptions } = request
    request.log.debug({ method, route: routeOptions.url, status: reply.statusCode, ms: Math.round(reply.elapsedTime) })
  })
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const known = translated(error)
    // A fault of ours is logged by its name and place; its text might quote what it was given.
    // Who has gone already is owed nothing: what was stopped for that reason is no fault.
    if (known.error.code === 'failed' && !reply.raw.destroyed)
      request.log.error({ fault: error.name, code: error.code, at: placeOf(error) })
    const { requestId = request.id } = known.error
    return reply
      .code(known.httpStatus)
      .type('application/json; charset=utf-8')
      .send({ ...known.error, requestId })
  })
  return app
}

/** Browsers open connections ahead of need. To Node one without a request is not idle, and the end would wait for it. */
function endUnusedConnections(app: FastifyInstance): void {
  const unused = new Set<Socket>()
  app.server.on('connection', (socket: Socket) => {
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  app.server.on('request', ({ socket }: IncomingMessage) => unused.delete(socket))
  app.addHook('preClose', async () => {
    for (const socket of unused) socket.destroy()
  })
}

function bodyOf(text: string): unknown {
  if (text === '') return undefined
  try {
    const body = readJson(text)
    if (hasPrototypeKey(body)) throw refusal(400, 'The body has a key that is not accepted.')
    return body
  } catch (error) {
    throw error instanceof MalformedJson ? refusal(400, `The body is ${error.message}.`) : error
  }
}

/** Whatever was thrown, in the words of the contract. */
function translated(error: Error & Pick<FastifyError, 'statusCode'>): GatewayError {
  if (error instanceof GatewayError) return error
  if (error instanceof NotStored) return failure('notStored', error.message)
  if (error.statusCode === 413) return failure('tooLarge', 'The body is larger than this operation takes.')
  if (error.statusCode !== undefined && error.statusCode < 500) {
    return refusal(error.statusCode, 'The request is not one that the console sends.')
  }
  return failure('failed', 'The console’s server failed; its log says where.')
}

function placeOf(error: Error): string | undefined {
  return error.stack
    ?.split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 4)
    .map((line) => line.trim())
    .join(' < ')
}
