/** Sign-in with a provider or a passkey: whose account it opens. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { GroupRole, passkeyProof, Person, providerProof } from '#contract/console/people.ts'
import type { AuditLog } from '../../audit/auditLog.ts'
import type { Oidc } from '../oidc/oidc.ts'
import { openAccount, type AccountDependencies } from '../oidc/providerSignIn.ts'
import type { Confirmed } from '../oidc/provider.ts'
import type { ProviderSessions } from '../oidc/providerSessions.ts'
import type { PasskeyCeremonies } from '../passkeys/passkeyCeremonies.ts'

export interface AccountProofDependencies extends AccountDependencies {
  oidc: Oidc
  providerSessions: ProviderSessions
  passkeyCeremonies: PasskeyCeremonies
  audit: Pick<AuditLog, 'noteEvent'>
}

/** @throws signedOut with the reason, unreachable */
export async function proveByProvider(
  parts: AccountProofDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  proof: z.output<typeof providerProof>,
): Promise<{ person: Person; confirmed: Confirmed; providerId: string }> {
  request.auditAbout = { connectionId: null, subject: parts.oidc.get(proof.provider).settings.label }
  const { provider, confirmed } = await parts.oidc.finish(request, reply, proof)
  const { settings } = provider
  request.auditAbout = { connectionId: null, subject: `${settings.label}: ${confirmed.email ?? confirmed.subject}` }
  const { person, before } = await openAccount(parts, settings, confirmed)
  await noteRoles(parts, request, person, before)
  return { person, confirmed, providerId: settings.id }
}

/** @throws signedOut with the reason */
export async function proveByPasskey(
  { passkeyCeremonies }: AccountProofDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  { passkey }: z.output<typeof passkeyProof>,
): Promise<Person> {
  request.auditAbout = { connectionId: null, subject: 'passkey' }
  return passkeyCeremonies.signIn(request, reply, passkey, ({ name }) => {
    request.auditAbout = { connectionId: null, subject: `passkey: ${name}` }
  })
}

/** Enters in the audit log how the roles from groups have changed. */
export async function noteRoles(
  { audit }: Pick<AccountProofDependencies, 'audit'>,
  request: FastifyRequest,
  { name, fromGroups = [] }: Person,
  before: readonly GroupRole[],
): Promise<void> {
  const [old, current] = [before.map(roleText), fromGroups.map(roleText)]
  const added = current.filter((role) => !old.includes(role))
  const taken = old.filter((role) => !current.includes(role))
  if (added.length + taken.length === 0) return
  const words = [...added.map((role) => `given: ${role}`), ...taken.map((role) => `taken away: ${role}`)]
  const actor = [...fromGroups, ...before][0]?.provider ?? ''
  await audit.noteEvent(request, { event: 'person.groupRoles', actor, subject: name, reason: words.join('; ') })
}

function roleText({ provider, group, role, connectionId }: GroupRole): string {
  return `${role} on ${connectionId ?? 'all connections'} (${provider} group ${group})`
}
