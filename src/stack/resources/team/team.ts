/** The team, its members and its keys: docs/DEPLOYMENTS.md#data-connections-team. */
import { z } from 'zod'
import type { Handlers } from '#contract/wire/kernel.ts'
import type { team } from '#contract/stack/team.ts'
import { requireIdentity } from '../../store/identity.ts'
import { readSetting, writeSetting } from '../../store/storeSettings.ts'
import { endOverlap, ingestionKeysOf, rotateIngestionKey } from '../../team/ingestionKeys.ts'
import { invite, revoke, validInvitations, type Invitation } from '../../team/invitations.ts'
import { keyId } from '../../team/keyDigest.ts'
import { memberRows, ownRecord, removeMember, rotateAccessKey, type CallingMember } from '../../team/members.ts'
import { Refusal } from '../../refusal.ts'
import type { StackContext } from '../context.ts'

const teamSetting = z.object({ name: z.string() })

const done = { success: true }

export const teamHandlers: Handlers<typeof team, StackContext> = {
  async get(_, { store, identity }) {
    const { name } = (await readSetting(store, 'team', teamSetting)) ?? { name: 'Local team' }
    return { id: identity.teamId, name }
  },

  async rename({ body: { name } }, { store }) {
    await store.write((transaction) => writeSetting(transaction, 'team', { name }))
    return { name }
  },

  async members(_, { store, member: caller }) {
    const all = await memberRows.all(store)
    return all.map(({ id, email, name, createdAt, isOwner }) => ({
      id,
      email,
      name,
      isCurrentUser: id === caller?.id,
      createdAt,
      ...(isOwner && { isOwner }),
    }))
  },

  async removeMember({ params }, context) {
    await context.store.write((transaction) => removeMember(transaction, callerOf(context), params.memberId))
    return done
  },

  async invitations(_, { store, consoleUrl }) {
    const all = await validInvitations(store)
    return all.map((invitation) => {
      const { id, createdAt, email, name } = invitation
      return { id, createdAt, email, ...(name && { name }), url: joinUrl(consoleUrl, invitation) }
    })
  },

  async invite({ body }, { store, consoleUrl }) {
    const made = await store.write((transaction) => invite(transaction, body))
    return { email: made.email, invitationId: made.id, status: 'pending', url: joinUrl(consoleUrl, made) }
  },

  async revokeInvitation({ params }, { store }) {
    await store.write((transaction) => revoke(transaction, params.invitationId))
    return done
  },

  async keys(_, context) {
    const { store, collectorPorts = { httpPort: 0, grpcPort: 0 } } = context
    const [member, identity] = await Promise.all([ownRecord(store, callerOf(context)), requireIdentity(store)])
    const { key, createdAt, previous } = ingestionKeysOf(identity)
    return {
      access: { ...keyState(member.accessKey), createdAt: member.keyCreatedAt },
      ingestion: {
        ...keyState(key),
        createdAt,
        previous: previous.map((old) => ({
          ...keyState(old.key),
          createdAt: old.createdAt,
          validUntil: old.validUntil,
        })),
      },
      collector: collectorPorts,
    }
  },

  async showAccessKey(_, context) {
    const { accessKey } = await ownRecord(context.store, callerOf(context))
    return { accessKey }
  },

  async rotateAccessKey({ body }, context) {
    const newAccessKey = await context.store.write((transaction) =>
      rotateAccessKey(transaction, callerOf(context), body?.keyId),
    )
    await context.onKeysChanged?.()
    return { newAccessKey }
  },

  async showIngestionKey(_, { store }) {
    const { ingestionKey } = await requireIdentity(store)
    return { apiKey: ingestionKey }
  },

  async rotateIngestionKey({ body }, { store, onKeysChanged }) {
    const newApiKey = await store.write((transaction) => rotateIngestionKey(transaction, body))
    await onKeysChanged?.()
    return { newApiKey }
  },

  async endIngestionOverlap(_, { store, onKeysChanged }) {
    await store.write(endOverlap)
    await onKeysChanged?.()
    return done
  },
}

/** Only the open-source variant has a team, and there every request has a caller. */
function callerOf({ member }: StackContext): CallingMember {
  if (!member) throw new Refusal(403, 'Forbidden')
  return member
}

function keyState(key: string): { id: string; end: string } {
  return { id: keyId(key), end: key.slice(-4) }
}

function joinUrl(consoleUrl: string, { token }: Invitation): string {
  return `${consoleUrl.replace(/\/$/, '')}/join-team?token=${token}`
}
