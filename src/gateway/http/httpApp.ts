/** The HTTP server: limits, timeouts, JSON, and its errors as the contract has them. */
import { isUtf8 } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import fastify, { LogController, type FastifyBaseLogger, type FastifyError, type FastifyInstance } from 'fastify'
import { stringifyJson } from '#contract/wire/json.ts'
import { NotStored } from '#node/files/atomicFile.ts'
import { withoutBasePath } from '#node/net/basePath.ts'
import { DamagedRow } from '#node/database/damagedRows.ts'
import { isOperational } from '#node/operations/operationalPaths.ts'
import { failure, ApiFailure, refusal } from '#node/upstream/apiFailure.ts'
import { hasPrototypeKey, MalformedJson, readJson } from '#node/upstream/untrustedJson.ts'
import { trustsSettled, type TrustedProxies } from '#node/net/trustedProxies.ts'
import { urlProblem } from './requestGuard.ts'

/** Milliseconds after which a connection is closed. */
export interface HttpTimeouts {
  headers: number
  /** From the first byte of a request to the last of its body. */
  request: number
  /** Without a byte in either direction. Longer than any deployment may take to respond. */
  idle: number
}

const defaultHttpTimeouts: HttpTimeouts = { headers: 15_000, request: 60_000, idle: 600_000 }

const unknownHost = refusal(421, 'The console does not serve this host name. Add it to ALLOWED_HOSTS.')
const outsideBasePath = (basePath: string) =>
  failure(
    'notFound',
    `The console is under ${basePath}. A proxy in front of it must pass on this part of the path, too.`,
  )

interface HttpAppOptions {
  timeouts?: HttpTimeouts | undefined
  proxies?: TrustedProxies | undefined
  basePath?: string | undefined
}

/**
 * @param isAllowedHost decides on the raw request before any route is looked up
 * @param options.proxies whose header names the client
 * @param options.basePath the path under which a proxy passes requests on. It is removed here, so that no route has to know it
 */
export function createHttpApp(
  logger: FastifyBaseLogger,
  isAllowedHost: (request: IncomingMessage, response: ServerResponse) => boolean,
  { timeouts = defaultHttpTimeouts, proxies, basePath = '' }: HttpAppOptions = {},
): FastifyInstance {
  const app = fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    ...(proxies && { trustProxy: trustsSettled }),
    connectionTimeout: timeouts.idle,
    // However slow the disk is: by default, a start fails after ten seconds.
    pluginTimeout: 0,
    // Running requests may finish: see the gateway's `close`.
    forceCloseConnections: 'idle',
    // A path parameter has at most 128 characters (contract/wire/kernel.ts). A longer one is reported as an invalid id.
    routerOptions: { maxParamLength: 2_048 },
    serverFactory: (handle) =>
      createServer(
        {
          requestTimeout: timeouts.request,
          headersTimeout: timeouts.headers,
          keepAliveTimeout: 10_000,
          connectionsCheckingInterval: Math.min(5_000, timeouts.headers),
        },
        (request, response) => {
          proxies?.settle(request)
          const url = withoutBasePath(request.url ?? '', basePath)
          // Probes know the port and not the proxy.
          const isInside = url !== null || isOperational(request.url)
          if (url !== null) request.url = url
          const reject = (refused: ApiFailure) => sendRejection(request, response, refused, `${basePath}/`)
          const isAllowed = isAllowedHost(request, response)
          const problem = urlProblem(request.url ?? '')
          if (!isAllowed) reject(unknownHost)
          else if (problem) reject(refusal(400, `The URL is not valid: ${problem}.`))
          else if (!isInside) reject(outsideBasePath(basePath))
          else handle(request, response)
        },
      ),
  })
  endUnusedConnections(app)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (_: unknown, body: Buffer) => bodyOf(body))
  app.setReplySerializer((payload) => stringifyJson(payload))
  app.addHook('onRequest', async (request, reply) => void reply.header('x-request-id', request.id))
  app.addHook('onResponse', async (request, reply) => {
    const { method, routeOptions } = request
    request.log.debug({ method, route: routeOptions.url, status: reply.statusCode, ms: Math.round(reply.elapsedTime) })
  })
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const known = toApiFailure(error)
    // Internal errors are logged by name and position only: the message might quote a secret.
    // An error after the client disconnected is expected.
    if (known.error.code === 'failed' && !reply.raw.destroyed)
      request.log.error({ fault: error.name, code: error.code, at: stackOf(error) })
    const { requestId = request.id } = known.error
    return reply
      .code(known.httpStatus)
      .type('application/json; charset=utf-8')
      .send({ ...known.error, requestId })
  })
  return app
}

/** Browsers open connections in advance. For Node, one without a request is not idle, and shutdown would wait for it. */
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

function bodyOf(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined
  // Decoded, other bytes would silently become another text.
  if (!isUtf8(bytes)) throw refusal(400, 'The body is not UTF-8.')
  const text = bytes.toString('utf8')
  try {
    const body = readJson(text)
    if (hasPrototypeKey(body)) throw refusal(400, 'The body has a key that is not allowed: __proto__.')
    return body
  } catch (error) {
    throw error instanceof MalformedJson ? refusal(400, `The body is ${error.message}.`) : error
  }
}

/** Converts any error to one of the contract. */
function toApiFailure(error: Error & Pick<FastifyError, 'statusCode'>): ApiFailure {
  if (error instanceof ApiFailure) return error
  if (error instanceof DamagedRow) return failure('failed', error.message)
  if (error instanceof NotStored) return failure('notStored', error.message)
  if (error.statusCode === 413) return failure('tooLarge', 'The request body is too large for this operation.')
  if (error.statusCode !== undefined && error.statusCode < 500) {
    return refusal(error.statusCode, 'The request is not valid.')
  }
  return failure('failed', 'Internal server error. See the console’s log for details.')
}

function stackOf(error: Error): string | undefined {
  return error.stack
    ?.split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 4)
    .map((line) => line.trim())
    .join(' < ')
}

/**
 * Responds to a request that is rejected before any route is looked up: with JSON, or with a plain page if a person opened the
 * URL. Sends the response and closes the connection, so that nothing else on it is read.
 * @param home the path of the first page
 */
function sendRejection(request: IncomingMessage, response: ServerResponse, refused: ApiFailure, home: string): void {
  const asPage = opensPage(request)
  const type = asPage ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8'
  response.writeHead(refused.httpStatus, { 'content-type': type, connection: 'close' })
  response.end(asPage ? pageOf(refused, home) : stringifyJson(refused.error))
}

function opensPage({ headers, url = '' }: IncomingMessage): boolean {
  return !url.startsWith('/api/') && (headers.accept ?? '').includes('text/html')
}

/** The messages quote nothing of the request. The link works only on hosts that the console serves. */
function pageOf({ error, httpStatus }: ApiFailure, home: string): string {
  const link = httpStatus === 421 ? '' : `\n<p><a href="${home}">Open the console</a></p>`
  return `<!doctype html>
<html lang="en">
<meta name="color-scheme" content="light dark">
<title>Stack Console</title>
<h1>This page cannot be opened</h1>
<p>${error.message}</p>${link}
</html>
`
}
