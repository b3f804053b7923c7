/** Sign-in with the token of a link, with a password or by an invitation, and sign-out. */
import { pagePaths } from '#contract/pagePaths.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { gatewayPaths, signIn, type Session } from '#contract/connections.ts'
import { pathId } from '#contract/kernel.ts'
import { invitationAcceptance, invitationProof, type Invitation } from '#contract/people.ts'
import { peoplePaths } from '#contract/peoplePaths.ts'
import { z } from 'zod'
import { failure } from '#node/upstream/apiFailure.ts'
import { parsed } from '../http/requests.ts'
import type { Database } from '../database/database.ts'
import type { SignInLinks } from '../people/signInLinks.ts'
import type { CallerParts } from './callers.ts'
import type { KnownBrowsers } from './knownBrowsers.ts'
import type { PrintedLink } from './printedLink.ts'
import type { Password, Sessions, Start } from './sessions.ts'
import { SignInAttempts } from './signInAttempts.ts'

export interface SignInParts extends CallerParts {
  database: Database
  printedLink: PrintedLink
  password?: Password | undefined
  build: string
  links: SignInLinks
  knownBrowsers: KnownBrowsers
  /** Called with the key of a session that somebody ended. */
  onSignOut?(sessionKey: string): void
}

/** The account that the password of the console opens. */
const consoleAccount = 'console'
/** Seconds for which a browser is known. */
const year = 365 * 86_400

const isInvitation = (body: unknown) => z.object({ invitation: z.unknown() }).safeParse(body).success

export function registerSession(app: FastifyInstance, parts: SignInParts): void {
  const { sessions, cookie } = parts
  const attempts = new SignInAttempts(parts.database)

  app.get(gatewayPaths.session, (request) => sessionOf(request, parts))
  app.post(gatewayPaths.session, (request, reply) => startSession(parts, attempts, request, reply))
  app.post(peoplePaths.invitation, (request) => showInvitation(parts, request.body))
  app.delete(gatewayPaths.session, async (request, reply) => {
    const id = request.cookies[cookie.name]
    const session = await sessions.find(id)
    await sessions.end(id)
    if (session !== null) parts.onSignOut?.(session.key)
    void reply.clearCookie(cookie.name, attributes(cookie))
    return described(parts, null)
  })
}

async function showInvitation({ links, people }: SignInParts, body: unknown): Promise<Invitation> {
  const personId = await links.invited(parsed(invitationProof, body, 'The invitation').token)
  const person = personId === undefined ? undefined : await people.get(personId)
  if (!person || person.state === 'disabled') throw usedInvitation()
  return { name: person.name, email: person.email }
}

/** Lists the caller's sessions and ends them, such as that of a lost browser. */
export function registerSessionList(app: FastifyInstance, { sessions, onSignOut }: SignInParts): void {
  const end = async (isOne: Parameters<Sessions['endThose']>[0]) => {
    for (const name of await sessions.endThose(isOne)) onSignOut?.(name)
    return {}
  }
  const isOwn = ({ access }: FastifyRequest, person: string | undefined) => (access?.personId ?? undefined) === person
  app.get(pagePaths.sessions, (request) => sessions.list(request.sessionKey, request.access?.personId ?? undefined))
  app.delete(pagePaths.sessions, (request) =>
    end(({ name, person }) => isOwn(request, person) && name !== request.sessionKey),
  )
  app.delete(pagePaths.oneSession.replace('{sessionId}', ':sessionId'), (request) => {
    const { sessionId } = parsed(oneSession, request.params, 'The session ID')
    return end(({ id, person }) => isOwn(request, person) && id === sessionId)
  })
}

const oneSession = z.object({ sessionId: pathId })

/** The session that a request belongs to. */
export function sessionOf({ access, person }: FastifyRequest, parts: SignInParts): Promise<Session> {
  return described(parts, access && { administers: access.administers, person })
}

async function described(
  { password, build, people }: SignInParts,
  signedIn: { administers: boolean; person: FastifyRequest['person'] } | null,
): Promise<Session> {
  const { person, administers } = signedIn ?? { person: null, administers: true }
  return {
    signedIn: signedIn !== null,
    passwordOffered: password !== undefined,
    build,
    ...((person !== null || (await people.exist())) && { accounts: true }),
    ...(person && { person: { name: person.name, email: person.email } }),
    ...(!administers && { limited: true }),
  }
}

type Proven = Pick<Start, 'way' | 'person'> & { account?: string }

async function startSession(
  parts: SignInParts,
  attempts: SignInAttempts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Session> {
  const { sessions, cookie } = parts
  const { way, person, account } = await prove(parts, attempts, request)
  // Every sign-in creates a new id, which prevents session fixation.
  const from = { browser: request.headers['user-agent'] ?? '', address: request.ip }
  const id = await sessions.start({ way, person, ...from }, request.cookies[cookie.name])
  void reply.setCookie(cookie.name, id, { ...attributes(cookie), maxAge: sessions.longest / 1000 })
  if (account !== undefined) {
    const value = parts.knownBrowsers.issue(account)
    void reply.setCookie(knownCookie(cookie), value, { ...attributes(cookie), maxAge: year })
  }
  const found = person === undefined ? null : await parts.people.known(person)
  // For the audit log.
  if (found) request.actor = found.name
  return described(parts, { administers: found === null || found.role === 'administrator', person: found })
}

/** @throws signedOut for a wrong password, or a link that cannot be used */
async function prove(parts: SignInParts, attempts: SignInAttempts, request: FastifyRequest): Promise<Proven> {
  if (isInvitation(request.body)) {
    return acceptInvitation(parts, parsed(invitationAcceptance, request.body, 'The password'))
  }
  const given = parsed(signIn, request.body, 'The sign-in')
  if ('token' in given) return { way: await openLink(parts, given.token) }
  const account = given.email ?? consoleAccount
  return attempts.check({ account, address: request.ip, known: knownCaller(parts, account, request) }, async () => {
    const isConsole = given.email === undefined
    const person = isConsole ? undefined : await parts.people.withPassword(account, given.password)
    const isRight = isConsole ? await parts.password?.matches(given.password) : person !== undefined
    if (!isRight) throw failure('signedOut', isConsole ? 'Wrong password.' : 'Wrong e-mail address or password.')
    return { way: 'password', person: person?.id, account }
  })
}

/** The token cannot be guessed, so attempts are not limited. */
async function openLink({ printedLink, links }: SignInParts, given: string): Promise<'link'> {
  if (await links.takeAdministrator(given)) {
    await printedLink.renewIfUsed()
    return 'link'
  }
  throw failure('signedOut', 'This sign-in link was already used or replaced. Open the newest link.')
}

/** Sets the password, and ends all sessions that were opened with the former one. */
async function acceptInvitation(
  { links, people, sessions, onSignOut }: SignInParts,
  { invitation, password }: z.output<typeof invitationAcceptance>,
): Promise<Proven> {
  const personId = await links.takeInvitation(invitation)
  const person = personId === undefined ? undefined : await people.get(personId)
  if (!person || person.state === 'disabled') throw usedInvitation()
  await people.setPassword(person.id, password)
  for (const key of await sessions.endThose((one) => one.person === person.id)) onSignOut?.(key)
  return { way: 'invitation', person: person.id, account: person.email }
}

function usedInvitation() {
  return failure('signedOut', 'This invitation was already used, was replaced, or has expired. Ask for a new one.')
}

/** Identifies callers who have a session of the account, or signed in to it with this browser before. */
function knownCaller({ knownBrowsers, cookie }: SignInParts, account: string, request: FastifyRequest) {
  const { access, person, sessionKey, cookies } = request
  const isOwn = access !== null && !access.isToken && (person?.email ?? consoleAccount) === account
  return isOwn ? sessionKey : knownBrowsers.known(account, cookies[knownCookie(cookie)])
}

const knownCookie = ({ name }: SignInParts['cookie']) => `${name}_known`

function attributes({ secure }: SignInParts['cookie']) {
  return { path: '/', httpOnly: true, sameSite: 'strict', secure } as const
}
