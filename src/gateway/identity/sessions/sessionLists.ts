/** Lists sessions and ends them: the caller's own, such as that of a lost browser, and for administrators those of everybody. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { SessionEntry } from '#contract/console/connections.ts'
import { pathId } from '#contract/wire/kernel.ts'
import { pagePaths } from '#contract/console/pagePaths.ts'
import { peoplePaths } from '#contract/console/peoplePaths.ts'
import { addressScope } from '#node/net/addresses.ts'
import { failure } from '#node/upstream/apiFailure.ts'
import { parsed } from '../../http/requests.ts'
import type { Oidc } from '../oidc/oidc.ts'
import type { ProviderSessions } from '../oidc/providerSessions.ts'
import type { People } from '../people/people.ts'
import type { Sessions } from './sessions.ts'

export interface SessionListDependencies {
  sessions: Sessions
  people: People
  oidc: Oidc
  providerSessions: ProviderSessions
  /** Called with the key of a session that somebody ended. */
  onSignOut?(sessionKey: string): void
}

const oneSession = z.object({ sessionId: pathId })
const sessionOf = ({ params }: FastifyRequest) => parsed(oneSession, params, 'The session ID').sessionId
const own = ({ access }: FastifyRequest) => access?.personId ?? undefined

export function registerSessionLists(app: FastifyInstance, parts: SessionListDependencies): void {
  const toRoute = (path: string) => path.replace('{sessionId}', ':sessionId')
  app.get(pagePaths.sessions, (request) => listOwn(parts, request))
  app.delete(pagePaths.sessions, (request) =>
    end(parts, ({ name, person }) => own(request) === person && name !== request.sessionKey),
  )
  app.delete(toRoute(pagePaths.oneSession), (request) => {
    const sessionId = sessionOf(request)
    return end(parts, ({ id, person }) => own(request) === person && id === sessionId)
  })
  app.get(peoplePaths.allSessions, (request) => listAll(parts, request))
  app.delete(toRoute(peoplePaths.anySession), (request) => endAny(parts, request))
}

async function end({ sessions, onSignOut }: SessionListDependencies, isOne: Parameters<Sessions['endThose']>[0]) {
  for (const name of await sessions.endThose(isOne)) onSignOut?.(name)
  return {}
}

async function endAny(parts: SessionListDependencies, request: FastifyRequest) {
  const sessionId = sessionOf(request)
  const whose = (await listAll(parts, request)).find(({ id }) => id === sessionId)
  if (!whose) throw failure('notFound', 'This session has ended already.')
  // For the audit log.
  request.auditAbout = { connectionId: null, subject: whose.person?.name ?? 'the console without an account' }
  return end(parts, ({ id }) => id === sessionId)
}

async function listOwn(parts: SessionListDependencies, request: FastifyRequest): Promise<SessionEntry[]> {
  return withPlacesAndProviders(parts, await parts.sessions.list(request.sessionKey, own(request)))
}

async function listAll(parts: SessionListDependencies, request: FastifyRequest): Promise<SessionEntry[]> {
  const entries = await parts.sessions.listAll(request.sessionKey)
  const names = new Map((await parts.people.list()).map(({ id, name }) => [id, name]))
  const named = entries.map(({ personId, ...entry }) => ({
    ...entry,
    ...(personId !== undefined && { person: { id: personId, name: names.get(personId) ?? 'deleted' } }),
  }))
  return withPlacesAndProviders(parts, named)
}

/** The sessions, each with the location of its address and its provider. */
async function withPlacesAndProviders(
  { providerSessions, oidc }: SessionListDependencies,
  entries: SessionEntry[],
): Promise<SessionEntry[]> {
  const providers = await providerSessions.providers()
  return entries.map((entry) => {
    const id = providers.get(entry.id)
    const place = entry.address === undefined ? undefined : placeOf(entry.address)
    return {
      ...entry,
      ...(place && { place }),
      ...(id !== undefined && { provider: oidc.find(id)?.settings.label ?? id }),
    }
  })
}

function placeOf(address: string): SessionEntry['place'] {
  if (/^(?:127\.|::1$|::ffff:127\.)/.test(address)) return 'machine'
  return addressScope(address) === 'public' ? 'internet' : 'private'
}
