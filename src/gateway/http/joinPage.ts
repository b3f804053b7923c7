/** Shows the stack's page for invitations to people who are not signed in: they have no account yet. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { gatewayPaths } from '#contract/connections.ts'
import { failure } from '#node/upstream/apiFailure.ts'

const path = gatewayPaths.joinPage
const bodyLimit = 4096
/** Milliseconds, longer than hashing a password takes under load. */
const timeout = 30_000
/** Attempts per minute and address. They are entered in the audit log, which strangers must not fill. */
const rateLimit = { max: 20, timeWindow: 60_000, allowList: [] }

/** @param stackUrl the address of the stack of this server; undefined if it has none, and then there is no such page */
export function registerJoinPage(app: FastifyInstance, stackUrl: string | undefined): void {
  if (stackUrl === undefined) return
  void app.register(async (scope) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit },
      (_request, body, done) => done(null, body),
    )
    scope.get(path, (request, reply) => forward(stackUrl, request, reply))
    scope.post(path, { bodyLimit, config: { rateLimit } }, (request, reply) => forward(stackUrl, request, reply))
  })
}

async function forward(stackUrl: string, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const isForm = typeof request.body === 'string'
  const query = request.url.slice(path.length)
  const response = await fetch(`${stackUrl}${path}${query}`, {
    method: isForm ? 'POST' : 'GET',
    ...(isForm && {
      body: String(request.body),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    }),
    signal: AbortSignal.timeout(timeout),
  }).catch(() => {
    throw failure('unreachable', 'The stack does not respond. Try again in a moment.')
  })
  const headers = ['content-security-policy', 'referrer-policy', 'content-type'].flatMap((name) => {
    const value = response.headers.get(name)
    return value === null ? [] : [[name, value] as const]
  })
  return reply
    .code(response.status)
    .headers(Object.fromEntries(headers))
    .send(await response.text())
}
