/** The API of the caller's own account for the ways to sign in to it: passkeys and providers. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { pathId } from '#contract/wire/kernel.ts'
import { newPasskey, passkeyName, providerProof, type Account, type AccountProvider } from '#contract/console/people.ts'
import { peoplePaths } from '#contract/console/peoplePaths.ts'
import { currentTime } from '#node/clock/wallClock.ts'
import { failure } from '#node/upstream/apiFailure.ts'
import { parsed, routePath } from '../../http/requests.ts'
import { connectAccount } from '../oidc/providerSignIn.ts'
import { callerOf } from '../people/accountRoutes.ts'
import type { Tokens } from '../people/tokens.ts'
import { lastSignInMethod, type Passkeys } from '../passkeys/passkeys.ts'
import { noteRoles, type AccountProofDependencies } from './accountProofs.ts'
import type { Sessions } from './sessions.ts'

export interface AccountSignInMethodsDependencies extends AccountProofDependencies {
  passkeys: Passkeys
  tokens: Tokens
  sessions: Sessions
  now?: (() => number) | undefined
}

/** Milliseconds after a sign-in in which ways to sign in can be added. */
const recent = 30 * 60_000

const providerParams = z.object({ providerId: z.string().max(60) })
const passkeyParams = z.object({ passkeyId: pathId })
const providerOf = ({ params }: FastifyRequest) => parsed(providerParams, params, 'The provider').providerId
const passkeyOf = ({ params }: FastifyRequest) => parsed(passkeyParams, params, 'The ID of the passkey').passkeyId

export function registerAccountSignInMethods(app: FastifyInstance, parts: AccountSignInMethodsDependencies): void {
  const { passkeyCeremonies } = parts

  app.get(peoplePaths.account, (request) => showAccount(parts, request))
  app.post(routePath(peoplePaths.accountProvider), (request, reply) => startConnecting(parts, request, reply))
  app.post(peoplePaths.accountProviders, (request, reply) => connect(parts, request, reply))
  app.delete(routePath(peoplePaths.accountProvider), (request) => disconnect(parts, request))
  app.post(peoplePaths.passkeyOptions, (request, reply) => startPasskey(parts, request, reply))
  app.post(peoplePaths.passkeys, (request, reply) =>
    passkeyCeremonies.register(request, reply, callerOf(request), parsed(newPasskey, request.body, 'The passkey')),
  )
  app.put(routePath(peoplePaths.passkey), (request) => rename(parts, request))
  app.delete(routePath(peoplePaths.passkey), (request) => removePasskey(parts, request))
}

async function startConnecting(parts: AccountSignInMethodsDependencies, request: FastifyRequest, reply: FastifyReply) {
  await refuseOldSession(parts, request)
  return parts.oidc.begin(request, reply, providerOf(request), callerOf(request).id)
}

async function startPasskey(parts: AccountSignInMethodsDependencies, request: FastifyRequest, reply: FastifyReply) {
  await refuseOldSession(parts, request)
  return parts.passkeyCeremonies.beginRegistration(request, reply, callerOf(request))
}

/**
 * Somebody who finds an open browser must not add a permanent way to sign in.
 * @throws blocked for a session that was started too long ago. A proxy that authenticates people has no sessions here
 */
async function refuseOldSession(
  { sessions, now = currentTime }: AccountSignInMethodsDependencies,
  request: FastifyRequest,
) {
  const entries = await sessions.list(request.sessionKey, callerOf(request).id)
  const current = entries.find((entry) => entry.current)
  if (!current || now() - Date.parse(current.createdAt) < recent) return
  throw failure('blocked', 'You signed in more than 30 minutes ago. Sign out and in again to add a way to sign in.')
}

async function connect(parts: AccountSignInMethodsDependencies, request: FastifyRequest, reply: FastifyReply) {
  const { id } = callerOf(request)
  const proof = parsed(providerProof, request.body, 'The answer of the provider')
  const { provider, confirmed } = await parts.oidc.finish(request, reply, proof, id)
  request.auditAbout = {
    connectionId: null,
    subject: `${provider.settings.label}: ${confirmed.email ?? confirmed.subject}`,
  }
  const { person, before } = await connectAccount(parts, provider.settings, confirmed, id)
  await noteRoles(parts, request, person, before)
  return {}
}

async function rename({ passkeys }: AccountSignInMethodsDependencies, request: FastifyRequest) {
  const { name } = parsed(passkeyName, request.body, 'The name')
  await passkeys.rename(callerOf(request).id, passkeyOf(request), name)
  return {}
}

async function removePasskey(parts: AccountSignInMethodsDependencies, request: FastifyRequest) {
  const { id } = callerOf(request)
  const passkeyId = passkeyOf(request)
  request.auditAbout = {
    connectionId: null,
    subject: (await parts.passkeys.of(id)).find(({ id }) => id === passkeyId)?.name ?? passkeyId,
  }
  await parts.passkeys.remove(id, passkeyId)
  return {}
}

async function showAccount(parts: AccountSignInMethodsDependencies, request: FastifyRequest): Promise<Account> {
  const person = callerOf(request)
  const { tokens, passkeys, passkeyCeremonies, people } = parts
  const refused = passkeyCeremonies.refusal(request)
  return {
    person,
    tokens: await tokens.of(person.id),
    hasPassword: await people.hasAnyPassword(person.id),
    passkeys: await passkeys.of(person.id),
    ...(refused !== null && { passkeysRefused: refused }),
    providers: await providersOf(parts, person.id),
  }
}

async function providersOf(
  { oidc, identities }: AccountSignInMethodsDependencies,
  personId: string,
): Promise<AccountProvider[]> {
  const connected = new Map((await identities.of(personId)).map((identity) => [identity.provider, identity]))
  return oidc.offered.map(({ id, label }) => {
    const identity = connected.get(id)
    return { id, label, ...(identity && { connected: { since: identity.createdAt, groups: identity.groups } }) }
  })
}

/** The roles from its groups end with it. */
async function disconnect(parts: AccountSignInMethodsDependencies, request: FastifyRequest) {
  const { identities, people } = parts
  const { id, fromGroups = [] } = callerOf(request)
  const provider = providerOf(request)
  request.auditAbout = { connectionId: null, subject: parts.oidc.find(provider)?.settings.label ?? provider }
  if (!(await identities.disconnect(id, provider))) throw failure('conflict', lastSignInMethod)
  await noteRoles(parts, request, await people.known(id), fromGroups)
  return {}
}
