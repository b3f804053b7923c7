/** Shows the stack's pages for invitations to people who are not signed in: they have no account yet. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { gatewayPaths } from '#contract/console/connections.ts'
import { failure } from '#node/upstream/apiFailure.ts'

const pages = [gatewayPaths.joinPage, gatewayPaths.organizationJoinPage]
const bodyLimit = 4096
/** Milliseconds, longer than hashing a password takes under load. */
const timeout = 30_000
/** Attempts per minute and address. They are entered in the audit log, which strangers must not fill. */
const rateLimit = { max: 20, timeWindow: 60_000, allowList: [] }

/** @param stackUrl the address of the stack of this server; undefined if it has none, and then there are no such pages */
export function registerJoinPages(app: FastifyInstance, stackUrl: string | undefined): void {
  if (stackUrl === undefined) return
  void app.register(async (scope) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit },
      (_request, body, done) => done(null, body),
    )
    for (const path of pages) {
      const page = `${stackUrl}${path}`
      const forwarded = (request: FastifyRequest, reply: FastifyReply) =>
        forward(page + request.url.slice(path.length), request, reply)
      scope.get(path, forwarded)
      scope.post(path, { bodyLimit, config: { rateLimit } }, forwarded)
    }
  })
}

async function forward(address: string, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const isForm = typeof request.body === 'string'
  const response = await fetch(address, {
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
