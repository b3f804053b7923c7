/** Sign-in with the token of a link, a password, an invitation, a provider or a passkey, and sign-out. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { gatewayPaths, type Session } from '#contract/console/connections.ts'
import { signIn } from '#contract/console/signIn.ts'
import {
  invitationAcceptance,
  invitationProof,
  passkeyProof,
  passkeyRequest,
  providerProof,
  type Invitation,
} from '#contract/console/people.ts'
import type { DamageSummary } from '#contract/wire/damage.ts'
import { peoplePaths } from '#contract/console/peoplePaths.ts'
import { z } from 'zod'
import { failure } from '#node/upstream/apiFailure.ts'
import { parsed } from '../../http/requests.ts'
import type { Database } from '../../database/database.ts'
import { forgetDeletedRows } from '../../database/storedRows.ts'
import { proveByPasskey, proveByProvider, type AccountProofDependencies } from './accountProofs.ts'
import { isByProxy, type CallerDependencies } from './callers.ts'
import type { KnownBrowsers } from './knownBrowsers.ts'
import type { PrintedLink } from './printedLink.ts'
import { sessionIdOf, type Password, type Start } from './sessions.ts'
import { SignInAttempts } from './signInAttempts.ts'

export interface SignInDependencies extends CallerDependencies, AccountProofDependencies {
  database: Database
  printedLink: PrintedLink
  password?: Password | undefined
  build: string
  /** The path before that of every page; empty without one. */
  basePath: string
  knownBrowsers: KnownBrowsers
  /** Called with the key of a session that somebody ended. */
  onSignOut?(sessionKey: string): void
}

/** Endpoints that tell how a person is signed in, or may sign in. */
type SessionDependencies = Pick<
  SignInDependencies,
  'database' | 'password' | 'build' | 'people' | 'oidc' | 'passkeyCeremonies'
>

/** The account that the password of the console opens. */
const consoleAccount = 'console'
/** Seconds for which a browser is known. */
const year = 365 * 86_400

/** The mark of a browser in which anybody signed in. */
const anyAccount = 'any account'

const has = (body: unknown, key: string) => typeof body === 'object' && body !== null && Object.hasOwn(body, key)
const providerParams = z.object({ providerId: z.string().max(60) })

export function registerSession(app: FastifyInstance, parts: SignInDependencies): void {
  const attempts = new SignInAttempts(parts.database)

  app.get(gatewayPaths.session, (request) => sessionOf(request, parts))
  app.post(gatewayPaths.session, (request, reply) => startSession(parts, attempts, request, reply))
  app.post(peoplePaths.providerSignIn.replace('{providerId}', ':providerId'), (request, reply) => {
    const { providerId } = parsed(providerParams, request.params, 'The provider')
    return parts.oidc.begin(request, reply, providerId)
  })
  app.post(peoplePaths.passkeySignIn, (request, reply) => {
    const { email } = parsed(passkeyRequest, request.body ?? {}, 'The e-mail address')
    return parts.passkeyCeremonies.beginSignIn(request, reply, email)
  })
  app.post(peoplePaths.invitation, (request) => showInvitation(parts, request.body))
  app.delete(gatewayPaths.session, (request, reply) => endSession(parts, request, reply))
}

async function endSession(parts: SignInDependencies, request: FastifyRequest, reply: FastifyReply): Promise<Session> {
  const { sessions, cookie, providerSessions, oidc } = parts
  const id = request.cookies[cookie.name]
  const session = await sessions.find(id)
  const started = session === null ? undefined : await providerSessions.take(sessionIdOf(session.key))
  await sessions.end(id)
  if (session !== null) parts.onSignOut?.(session.key)
  void reply.clearCookie(cookie.name, attributes(cookie))
  const provider = started && oidc.find(started.provider)
  // Back to the page that sent the request: the request guard has compared its origin with the hosts of the console.
  const { origin } = request.headers
  const signOutUrl =
    origin && provider && (await provider.signOutUrl(started.idToken, `${origin}${parts.basePath}/sign-in`))
  return { ...(await described(parts, null, request)), ...(signOutUrl && { signOutUrl }) }
}

async function showInvitation({ links, people }: SignInDependencies, body: unknown): Promise<Invitation> {
  const personId = await links.invited(parsed(invitationProof, body, 'The invitation').token)
  const person = personId === undefined ? undefined : await people.get(personId)
  if (!person || person.state === 'disabled') throw usedInvitation()
  return { name: person.name, email: person.email }
}

/** The session that a request belongs to. */
export function sessionOf(request: FastifyRequest, parts: SessionDependencies): Promise<Session> {
  const { access, person } = request
  return described(parts, access && { administers: access.administers, person }, request)
}

async function described(
  { database, password, build, people, oidc, passkeyCeremonies }: SessionDependencies,
  signedIn: { administers: boolean; person: FastifyRequest['person'] } | null,
  request: FastifyRequest,
): Promise<Session> {
  const { person, administers } = signedIn ?? { person: null, administers: true }
  const accounts = person !== null || (await people.exist())
  const { offered: providers } = oidc
  const damaged = signedIn && administers ? await damageIn(database) : undefined
  return {
    signedIn: signedIn !== null,
    passwordOffered: password !== undefined,
    build,
    ...(accounts && { accounts: true }),
    ...(!signedIn && providers.length > 0 && { providers }),
    ...(!signedIn && accounts && { passkeysRefused: passkeyCeremonies.refusal(request) }),
    ...(person && { person: { name: person.name, email: person.email } }),
    ...(signedIn && isByProxy(request) && { byProxy: true }),
    ...(!administers && { limited: true }),
    ...(damaged && { damaged }),
  }
}

async function damageIn(database: Database): Promise<DamageSummary | undefined> {
  await forgetDeletedRows(database)
  return database.damaged.summary()
}

type Proven = Pick<Start, 'way' | 'person'> & {
  account?: string
  /** The provider whose sign-out ends the session. */
  provider?: Omit<Parameters<AccountProofDependencies['providerSessions']['add']>[0], 'sessionId'>
}

async function startSession(
  parts: SignInDependencies,
  attempts: SignInAttempts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Session> {
  const { sessions, cookie } = parts
  const { way, person, account, provider } = await prove(parts, attempts, request, reply)
  // Every sign-in creates a new id, which prevents session fixation.
  const from = { browser: request.headers['user-agent'] ?? '', address: request.ip }
  const id = await sessions.start({ way, person, ...from }, request.cookies[cookie.name])
  if (provider) {
    const key = (await sessions.find(id))?.key ?? ''
    await parts.providerSessions.add({ ...provider, sessionId: sessionIdOf(key) }).catch(async (error: unknown) => {
      // A session that its provider could not end must not stay.
      await sessions.end(id)
      throw error
    })
  }
  void reply.setCookie(cookie.name, id, { ...attributes(cookie), maxAge: sessions.longest / 1000 })
  if (account !== undefined) {
    const value = parts.knownBrowsers.issue(account)
    void reply.setCookie(knownCookie(cookie), value, { ...attributes(cookie), maxAge: year })
  }
  if (person !== undefined) {
    const value = parts.knownBrowsers.issue(anyAccount)
    void reply.setCookie(anyKnownCookie(cookie), value, { ...attributes(cookie), maxAge: year })
  }
  const found = person === undefined ? null : await parts.people.known(person)
  // For the audit log.
  if (found) Object.assign(request, { actor: found.name, person: found })
  return described(parts, { administers: found === null || found.role === 'administrator', person: found }, request)
}

/** @throws signedOut with the reason */
async function prove(
  parts: SignInDependencies,
  attempts: SignInAttempts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Proven> {
  const { body } = request
  const wrongLink = (error: unknown) => attempts.fail({ way: 'link', address: request.ip }, error)
  if (has(body, 'invitation')) {
    const accepted = parsed(invitationAcceptance, body, 'The password')
    request.auditAbout = { connectionId: null, subject: 'invitation' }
    return acceptInvitation(parts, accepted).catch(wrongLink)
  }
  if (has(body, 'provider')) return byProvider(parts, attempts, request, reply)
  if (has(body, 'passkey')) return byPasskey(parts, attempts, request, reply)
  const credentials = parsed(signIn, body, 'The sign-in')
  if ('token' in credentials) {
    request.auditAbout = { connectionId: null, subject: 'sign-in link' }
    return { way: await openLink(parts, credentials.token).catch(wrongLink) }
  }
  const account = credentials.email ?? consoleAccount
  request.auditAbout = {
    connectionId: null,
    subject: credentials.email === undefined ? 'password of the console' : `password: ${account}`,
  }
  const attempt = {
    way: 'password',
    account,
    address: request.ip,
    known: knownCaller(parts, account, request),
  } as const
  return attempts.check(attempt, async () => {
    const isConsole = credentials.email === undefined
    const person = isConsole ? undefined : await parts.people.withPassword(account, credentials.password)
    const isRight = isConsole ? await parts.password?.matches(credentials.password) : person !== undefined
    if (!isRight) throw failure('signedOut', isConsole ? 'Wrong password.' : 'Wrong e-mail address or password.')
    return { way: 'password', person: person?.id, account }
  })
}

async function byProvider(
  parts: SignInDependencies,
  attempts: SignInAttempts,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const proof = parsed(providerProof, request.body, 'The sign-in')
  const { address, known } = fromBrowser(parts, request)
  // Other sites can send a browser here with an answer: that must not use up its own attempts.
  const attempt = { way: 'provider', address, known: parts.oidc.hasBegun(request) ? known : undefined } as const
  return attempts.check(attempt, async (): Promise<Proven> => {
    const { person, confirmed, providerId } = await proveByProvider(parts, request, reply, proof)
    const { issuer, subject, sid, idToken } = confirmed
    return {
      way: 'provider',
      person: person.id,
      account: person.email,
      provider: { provider: providerId, issuer, subject, sid, idToken },
    }
  })
}

async function byPasskey(
  parts: SignInDependencies,
  attempts: SignInAttempts,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const proof = parsed(passkeyProof, request.body, 'The passkey')
  return attempts.check({ way: 'passkey', ...fromBrowser(parts, request) }, async (): Promise<Proven> => {
    const person = await proveByPasskey(parts, request, reply, proof)
    return { way: 'passkey', person: person.id, account: person.email }
  })
}

function fromBrowser({ knownBrowsers, cookie }: SignInDependencies, { ip, cookies }: FastifyRequest) {
  return { address: ip, known: knownBrowsers.known(anyAccount, cookies[anyKnownCookie(cookie)]) }
}

/** The token cannot be guessed: it is checked first, and only failures are limited. */
async function openLink({ printedLink, links }: SignInDependencies, token: string): Promise<'link'> {
  if (await links.takeAdministrator(token)) {
    await printedLink.renewIfUsed()
    return 'link'
  }
  throw failure(
    'signedOut',
    'This sign-in link was already used or replaced. The newest one is signInUrl in credentials.json in the data directory of the console.',
  )
}

/** Sets the password, and ends all sessions that were opened with the former one. */
async function acceptInvitation(
  { links, people, sessions, onSignOut }: SignInDependencies,
  { invitation, password }: z.output<typeof invitationAcceptance>,
): Promise<Proven> {
  const personId = await links.takeInvitation(invitation)
  const person = personId === undefined ? undefined : await people.get(personId)
  if (!person || person.state === 'disabled') throw usedInvitation()
  await people.setPassword(person.id, password)
  for (const key of await sessions.endThose((session) => session.person === person.id)) onSignOut?.(key)
  return { way: 'invitation', person: person.id, account: person.email }
}

function usedInvitation() {
  return failure('signedOut', 'This invitation was already used, was replaced, or has expired. Ask for a new one.')
}

/** Identifies callers who have a session of the account, or signed in to it with this browser before. */
function knownCaller({ knownBrowsers, cookie }: SignInDependencies, account: string, request: FastifyRequest) {
  const { access, person, sessionKey, cookies } = request
  const isOwn = access !== null && !access.isToken && (person?.email ?? consoleAccount) === account
  return isOwn ? sessionKey : knownBrowsers.known(account, cookies[knownCookie(cookie)])
}

const knownCookie = ({ name }: SignInDependencies['cookie']) => `${name}_known`

const anyKnownCookie = ({ name }: SignInDependencies['cookie']) => `${name}_known_browser`

function attributes({ secure, path }: SignInDependencies['cookie']) {
  return { path, httpOnly: true, sameSite: 'strict', secure } as const
}
