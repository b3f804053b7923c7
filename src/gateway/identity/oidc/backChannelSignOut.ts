/** Ends sessions when a provider reports that somebody signed out there (OpenID Connect Back-Channel Logout 1.0). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { peoplePaths } from '#contract/console/peoplePaths.ts'
import { ApiFailure } from '#node/upstream/apiFailure.ts'
import { counted } from '#domain/text/words.ts'
import type { UsedOnce } from '../people/usedOnce.ts'
import type { Oidc } from './oidc.ts'
import { InvalidSignOut } from './provider.ts'
import type { ProviderSessions } from './providerSessions.ts'

const bodyLimit = 32 * 1024
/** The requests of each address of a provider: each costs the check of a signature. */
const rateLimit = { max: 600, timeWindow: 60_000, allowList: [] }
/** Milliseconds after which a token is too old in any case. */
const tokenPeriod = 60 * 60_000
const params = z.object({ providerId: z.string().max(60) })

export interface BackChannelDependencies {
  oidc: Oidc
  providerSessions: ProviderSessions
  used: UsedOnce
  /** Ends the sessions with these IDs. @returns how many there were */
  endSessions(ids: ReadonlySet<string>): Promise<number>
}

export function registerBackChannelSignOut(app: FastifyInstance, parts: BackChannelDependencies): void {
  void app.register(async (scope) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit },
      (_request, body, done) => done(null, body),
    )
    const path = peoplePaths.backChannelSignOut.replace('{providerId}', ':providerId')
    scope.post(path, { bodyLimit, config: { rateLimit } }, (request, reply) => signOut(parts, request, reply))
  })
}

async function signOut(
  parts: BackChannelDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { providerId } = params.parse(request.params)
  const provider = parts.oidc.find(providerId)
  if (!provider) return refuse(reply, 'This console does not know the provider.')
  request.actor = provider.settings.label
  const token = typeof request.body === 'string' ? new URLSearchParams(request.body).get('logout_token') : null
  if (!token) return refuse(reply, 'The body needs a logout_token.')
  try {
    const { jti, issuer, ...whose } = await provider.readSignOut(token)
    if (!(await parts.used.use('sign-out', `${issuer} ${jti}`, tokenPeriod))) {
      return await refuse(reply, 'The token was used before.')
    }
    const ended = await parts.endSessions(await parts.providerSessions.named(issuer, whose))
    request.auditAbout = { connectionId: null, subject: counted(ended, 'session') }
    return await reply.code(200).send()
  } catch (error) {
    if (error instanceof InvalidSignOut) return refuse(reply, error.message)
    // Providers try again, or tell their administrators.
    if (error instanceof ApiFailure && error.error.code === 'unreachable') return refuse(reply, error.message)
    throw error
  }
}

/** Sends the error response of the specification. */
function refuse(reply: FastifyReply, message: string): FastifyReply {
  reply.log.warn({ reason: message }, 'A sign-out token of a provider was refused.')
  return reply.code(400).send({ error: 'invalid_request', error_description: message })
}
