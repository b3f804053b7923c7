/** Who sends a request: by a personal token, a header of a trusted proxy, or a session. */
import type { FastifyRequest } from 'fastify'
import { agentPath } from '#contract/console/agents.ts'
import type { Person } from '#contract/console/people.ts'
import { failure, refusal } from '#node/upstream/apiFailure.ts'
import { accessOfPerson, accessOfToken, fullAccess, type Access } from '../access/access.ts'
import { agentIn } from './agentMark.ts'
import type { People } from '../people/people.ts'
import type { SignInLinks } from '../people/signInLinks.ts'
import type { Tokens } from '../people/tokens.ts'
import type { ProxyHeader } from './proxyHeader.ts'
import type { Sessions } from './sessions.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Identifies the session, token or person of a signed-in request; empty before it is known. */
    sessionKey: string
    /** The person who is signed in; null for a session that began with the link or password of the console. */
    person: Person | null
  }
}

export interface CallerDependencies {
  sessions: Sessions
  people: People
  tokens: Tokens
  links: SignInLinks
  proxy?: ProxyHeader | undefined
  /** The name contains the port, because all ports of a host share its cookies. */
  cookie: { name: string; secure: boolean; path: string }
}

interface Caller {
  access: Access
  sessionKey: string
  actor: string
  person: Person | null
  /** The headers that show it. */
  proof: Record<string, string>
}

/** The caller of a request before it is known who sends it. */
export const unknownCaller = { access: null, sessionKey: '', actor: '', person: null, proof: null, agent: null }

/** The secret of a request that has a personal token. Other credentials, such as those of a proxy, mean nothing here. */
export function bearerOf({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  return /^Bearer +(sct_[\w-]{1,200})$/i.exec(headers.authorization ?? '')?.[1]
}

/** Whether a request is for the MCP server. */
export function isForAgents(url: string): boolean {
  return url.split('?', 1)[0] === agentPath
}

/** Sets who sends the request, if that is known. @throws signedOut for a token that is not valid, forbidden where it is not */
export async function identify(request: FastifyRequest, parts: CallerDependencies): Promise<void> {
  const caller = await callerOf(request, parts)
  if (caller) Object.assign(request, caller)
}

async function callerOf(request: FastifyRequest, parts: CallerDependencies): Promise<Caller | null> {
  const secret = bearerOf(request)
  if (secret !== undefined) return byToken(secret, request, parts)
  const email = parts.proxy?.emailOf(request.raw)
  if (parts.proxy && email !== undefined) return byProxy(email, parts.proxy, parts)
  return bySession(request, parts)
}

async function byToken(
  secret: string,
  request: FastifyRequest,
  { tokens, people }: CallerDependencies,
): Promise<Caller> {
  const token = await tokens.find(secret)
  const person = token && (await people.present(token.personId))
  if (!person) throw failure('signedOut', 'This token is not valid. It may have expired or been revoked.')
  // Its agent's tools send requests to these routes too, with a mark that only the gateway itself can set.
  if (token.validFor === 'agents' && !isForAgents(request.url) && agentIn(request.headers) === null) {
    throw failure('forbidden', `This token is for agents: it is valid for ${agentPath} only.`)
  }
  return {
    access: accessOfToken(token.id, person.id, person, token),
    sessionKey: `token ${token.id}`,
    actor: `${person.name} (${token.name})`,
    person,
    proof: { authorization: `Bearer ${secret}` },
  }
}

const proxyPrefix = 'proxy '

/** Whether a proxy says who sends the request, so that there is no session. */
export function isByProxy({ sessionKey }: Pick<FastifyRequest, 'sessionKey'>): boolean {
  return sessionKey.startsWith(proxyPrefix)
}

async function byProxy(email: string, proxy: ProxyHeader, { people, links }: CallerDependencies): Promise<Caller> {
  const found = await people.byEmail(email)
  if (!found) throw refusal(403, 'Nobody with this e-mail address has an account. An administrator can add one.')
  if (found.state === 'disabled') throw refusal(403, 'This account is disabled.')
  if (found.state === 'invited') {
    await people.activate(found.id)
    // A link that was sent before must not set a password for an account in use.
    await links.revoke(found.id)
  }
  return signedIn(people, found, `${proxyPrefix}${found.id}`, { [proxy.name]: email })
}

async function bySession(
  request: FastifyRequest,
  { sessions, people, cookie }: CallerDependencies,
): Promise<Caller | null> {
  const found = await sessions.find(request.cookies[cookie.name])
  if (found === null) return null
  const { key, person: personId } = found
  const proof = { cookie: request.headers.cookie ?? '' }
  if (personId === undefined) return { access: fullAccess, sessionKey: key, actor: '', person: null, proof }
  const person = await people.present(personId)
  return person ? signedIn(people, person, key, proof) : null
}

async function signedIn(people: People, person: Person, sessionKey: string, proof: Caller['proof']): Promise<Caller> {
  await people.noteSeen(person)
  return { access: accessOfPerson(person.id, person), sessionKey, actor: person.name, person, proof }
}
