/**
 * The MCP server of the gateway: Streamable HTTP, with one JSON answer for each message. Only personal tokens are accepted, so
 * that no page of another site can use the cookie of a browser, and nothing is kept between two messages.
 */
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { agentPath, withAgent, agentName, maxAgentName } from '#contract/console/agents.ts'
import { isPlainObject } from '#domain/json/plainObject.ts'
import { logFault } from '#node/process/logFault.ts'
import { ApiFailure, refusal } from '#node/upstream/apiFailure.ts'
import type { AuditLog } from '../audit/auditLog.ts'
import { disconnectSignal } from '../http/requests.ts'
import { AgentGateway } from './exchange/agentGateway.ts'
import { createHmac, timingSafeEqual } from 'node:crypto'

interface AgentRouteDependencies {
  audit: AuditLog
  /** Signs the IDs of sessions. */
  key: Buffer
  /** The version of the console. */
  build: string
  /** @throws signedOut for a token that is not valid any more */
  identify(request: FastifyRequest): Promise<void>
}

/** The first message of an agent, as far as its name goes. The protocol checks the rest. */
const initialize = z.object({
  method: z.literal('initialize'),
  params: z.object({ clientInfo: z.object({ name: z.string(), version: z.string() }) }),
})
/** Bytes of a message. */
const bodyLimit = 1024 * 1024
const sessionHeader = 'mcp-session-id'
/** The code of errors that JSON-RPC does not name. */
const serverError = -32_000

export function registerAgents(app: FastifyInstance, { key, ...parts }: AgentRouteDependencies): void {
  const sessions = new AgentSessions(key)
  void app.register(async (scope) => {
    scope.setErrorHandler((error: FastifyError, request, reply) => {
      const status = error instanceof ApiFailure ? error.httpStatus : (error.statusCode ?? 500)
      if (status >= 500) logFault(request.log, 'A message of an agent could not be answered.')(error)
      if (status === 401) void reply.header('www-authenticate', 'Bearer realm="Stack Console"')
      return sendError(reply, status, messageOf(error, status))
    })
    scope.post(agentPath, { bodyLimit }, (request, reply) => answer(app, sessions, parts, request, reply))
    scope.route({
      method: ['GET', 'DELETE'],
      url: agentPath,
      handler: (_, reply) =>
        sendError(reply.header('allow', 'POST'), 405, 'Send messages by POST. There is no stream to listen to.'),
    })
  })
}

function messageOf(error: FastifyError, status: number): string {
  if (error instanceof ApiFailure) return error.message
  if (status === 413) return `A message has at most ${bodyLimit / 1024} KiB.`
  return status < 500 ? 'The request is not valid.' : 'Internal error. See the log of the console.'
}

async function answer(
  app: FastifyInstance,
  sessions: AgentSessions,
  { audit, build, identify }: Omit<AgentRouteDependencies, 'key'>,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const { body } = request
  if (Array.isArray(body)) throw refusal(400, 'Batches are not supported: send one message at a time.')
  if (!isPlainObject(body)) throw refusal(400, 'The body must be a JSON-RPC message.')
  const name = agentOf(sessions, request, reply)
  request.log.debug({ agent: name, method: String(body['method']).slice(0, 60) })
  request.actor = withAgent(request.actor, name)
  const signal = disconnectSignal(reply)
  // Most consoles have no agents: the protocol takes a third of a second and 24 MB to load.
  const { answerMessage } = await import('./mcpServer.ts')
  const answered = await answerMessage(webRequest(request), body, {
    version: build,
    gatewayFor: (tool) => new AgentGateway(app, request, { name, tool, removes: false }, signal),
    note: ({ tool, connectionId, outcome, reason }) =>
      audit.noteEvent(request, { event: 'agent.call', subject: tool, connectionId, outcome, reason }),
    onFault: logFault(request.log, 'A tool failed.'),
  })
  const text = await answered.text()
  // Its token may have been revoked while a tool was reading.
  await identify(request)
  void reply.code(answered.status).type('application/json; charset=utf-8')
  // As text: the serializer of the app is for values.
  return reply.serializer(String).send(text)
}

/** The name that the agent gave itself. A first message gets the ID of its session. @throws blocked without a session */
function agentOf(sessions: AgentSessions, { body, headers, sessionKey }: FastifyRequest, reply: FastifyReply): string {
  const { data: first } = initialize.safeParse(body)
  if (first) {
    const { name, version } = first.params.clientInfo
    const id = sessions.begin(sessionKey, `${name} ${version}`)
    void reply.header(sessionHeader, id)
    return sessions.nameOf(sessionKey, id) ?? ''
  }
  const sessionId = headers[sessionHeader]
  if (typeof sessionId !== 'string') {
    throw refusal(400, 'Send initialize first, and the Mcp-Session-Id of its answer with every other message.')
  }
  const name = sessions.nameOf(sessionKey, sessionId)
  if (name === undefined)
    throw refusal(404, 'This session is unknown, or belongs to another token. Send initialize again.')
  return name
}

/** The request as the transport reads it: its headers. */
function webRequest({ headers }: FastifyRequest): Request {
  const { accept = '', host = 'localhost', 'mcp-protocol-version': protocol } = headers
  return new Request(`http://${host}${agentPath}`, {
    method: 'POST',
    headers: {
      accept,
      'content-type': 'application/json',
      ...(typeof protocol === 'string' && { 'mcp-protocol-version': protocol }),
    },
  })
}

function sendError(reply: FastifyReply, status: number, message: string): FastifyReply {
  const error = { code: serverError, message }
  return reply.code(status).type('application/json; charset=utf-8').send({ jsonrpc: '2.0', error, id: null })
}

/** UTF-8 bytes of a name, and of a signature, in base64url. */
const pattern = new RegExp(String.raw`^([\w-]{1,${Math.ceil((maxAgentName * 4 * 4) / 3) + 2}})\.([\w-]{43})$`)

/**
 * Sessions of agents. Nothing of them is stored: the ID has the name that the agent gave itself, bound to its token by a
 * signature, so that every console of a database knows it, also after a restart.
 */
export class AgentSessions {
  readonly #key: Buffer

  constructor(key: Buffer) {
    this.#key = key
  }

  /** @param tokenKey identifies the token: `sessionKey` of its requests */
  begin(tokenKey: string, clientName: string): string {
    const name = Buffer.from(agentName(clientName)).toString('base64url')
    return `${name}.${this.#signature(tokenKey, name)}`
  }

  /** The name of the agent; undefined for an ID that was not given to this token. */
  nameOf(tokenKey: string, id: string): string | undefined {
    const [, name = '', signature = ''] = pattern.exec(id) ?? []
    if (name === '') return undefined
    const expected = Buffer.from(this.#signature(tokenKey, name))
    const sent = Buffer.from(signature)
    if (sent.length !== expected.length || !timingSafeEqual(sent, expected)) return undefined
    return agentName(Buffer.from(name, 'base64url').toString('utf8'))
  }

  #signature(tokenKey: string, name: string): string {
    return createHmac('sha256', this.#key).update(`${tokenKey}\n${name}`).digest('base64url')
  }
}
