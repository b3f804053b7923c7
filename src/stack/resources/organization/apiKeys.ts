/** API keys: docs/DEPLOYMENTS.md#keys-members-roles. */
import type { z } from 'zod'
import type { ApiKey, apiKeyInput, apiKeys, apiKeyUpdate } from '#contract/cloud/organization/apiKeys.ts'
import type { Handlers } from '#contract/wire/kernel.ts'
import { currentIsoTime } from '#node/clock/wallClock.ts'
import { anywhere } from '../../access/addresses.ts'
import {
  deleteKey,
  hashesOf,
  keyByHash,
  keyLimit,
  keyRows,
  keyUses,
  newKeyId,
  newKeyPair,
  type KeyDocument,
} from '../../access/keyRows.ts'
import { Refusal, refuse } from '../../refusal.ts'
import { requireRoom } from '../../store/requireRoom.ts'
import type { Queries } from '../../store/store.ts'
import type { StackContext } from '../context.ts'
import {
  assignedRoles,
  deprecatedNames,
  requestedRoles,
  requireAdminKey,
  requireOwnAccess,
  requireRolesCovered,
  rolesNow,
  type Roles,
} from './assignments.ts'

export const apiKeyHandlers: Handlers<typeof apiKeys, StackContext> = {
  async list(_, context) {
    const { store } = context
    const [keys, uses, roles] = [await keyRows.all(store), await keyUses(store), await rolesNow(store, context)]
    return keys.map((key) => answerOf(key, roles, uses.get(key.id)))
  },

  async get({ params }, context) {
    const { store } = context
    const key = await keyNow(store, params.apiKeyId)
    return answerOf(key, await rolesNow(store, context), (await keyUses(store)).get(key.id))
  },

  create({ body }, context) {
    const { store, audited } = context
    return store.write(async (transaction) => {
      await requireRoom(transaction, keyLimit)
      const roles = await rolesNow(transaction, context)
      const { key, pair } = newKey(roles, body)
      requireRolesCovered(context, roles, key.assignedRoleIds)
      if (await keyByHash(transaction, key.keyIdHash)) throw refuse('A key with this keyIdHash already exists')
      await keyRows.insert(transaction, key)
      audited([{ type: 'key_create', targetKeyId: key.id, keyUpdateType: 'created' }])
      return { key: answerOf(key, roles, undefined), ...pair }
    })
  },

  update({ params, body }, context) {
    const { store, audited } = context
    return store.write(async (transaction) => {
      const stored = await keyNow(transaction, params.apiKeyId)
      const roles = await rolesNow(transaction, context)
      const key = changedKey(stored, roles, body)
      requireRolesCovered(context, roles, stored.assignedRoleIds, key.assignedRoleIds)
      await keyRows.update(transaction, key)
      await requireAdminKey(transaction)
      await requireOwnAccess(transaction, context)
      audited(
        updateTypes(body).map((keyUpdateType) => ({ type: 'openapi_key_update', targetKeyId: key.id, keyUpdateType })),
      )
      return answerOf(key, roles, (await keyUses(transaction)).get(key.id))
    })
  },

  delete({ params }, context) {
    const { store, caller, audited } = context
    return store.write(async (transaction) => {
      const key = await keyNow(transaction, params.apiKeyId)
      if (key.id === caller?.key.id) throw refuse('An API key cannot delete itself. Use another key')
      requireRolesCovered(context, await rolesNow(transaction, context), key.assignedRoleIds)
      await deleteKey(transaction, key.id)
      await requireAdminKey(transaction)
      audited([{ type: 'key_delete', targetKeyId: key.id, keyUpdateType: 'deleted' }])
    })
  },
}

/** @throws Refusal 404 */
async function keyNow(queries: Queries, id: string): Promise<KeyDocument> {
  const key = await keyRows.get(queries, id.toLowerCase())
  if (!key) throw new Refusal(404, id)
  return key
}

function answerOf(key: KeyDocument, roles: Roles, usedAt: string | undefined): ApiKey {
  const { keyIdHash: _, keySecretHash: __, assignedRoleIds, ipAccessList, ...shown } = key
  return {
    ...shown,
    roles: deprecatedNames(assignedRoleIds),
    assignedRoles: assignedRoles(roles, assignedRoleIds),
    ipAccessList: [...ipAccessList],
    ...(usedAt !== undefined && { usedAt }),
  }
}

/** ID and secret are made here, unless the client sent the hashes of its own. */
function newKey(roles: Roles, body: z.output<typeof apiKeyInput>) {
  const pair = body.hashData ? undefined : newKeyPair()
  const hashes = body.hashData
    ? {
        keyIdHash: body.hashData.keyIdHash,
        keySecretHash: body.hashData.keySecretHash,
        keySuffix: body.hashData.keyIdSuffix,
      }
    : pair && hashesOf(pair)
  if (!hashes) throw new TypeError('a new key has hashes')
  const key: KeyDocument = {
    id: newKeyId(),
    name: body.name,
    state: body.state ?? 'enabled',
    assignedRoleIds: requestedRoles(roles, body.assignedRoleIds, body.roles) ?? [],
    ipAccessList: body.ipAccessList ?? anywhere,
    createdAt: currentIsoTime(),
    expireAt: utc(body.expireAt) ?? null,
    ...hashes,
  }
  return { key, pair }
}

/** Null clears the expiry, a field that is left out stays. */
function changedKey(stored: KeyDocument, roles: Roles, body: z.output<typeof apiKeyUpdate>): KeyDocument {
  const assignedRoleIds = requestedRoles(roles, body.assignedRoleIds, body.roles)
  const expireAt = utc(body.expireAt)
  return {
    ...stored,
    ...(body.name !== undefined && { name: body.name }),
    ...(body.state !== undefined && { state: body.state }),
    ...(assignedRoleIds && { assignedRoleIds }),
    ...(body.ipAccessList && { ipAccessList: body.ipAccessList }),
    ...(expireAt !== undefined && { expireAt }),
  }
}

function utc(moment: string | null | undefined): string | null | undefined {
  return moment == null ? moment : new Date(moment).toISOString()
}

const updateTypeOf = {
  name: 'name-changed',
  state: 'state-changed',
  roles: 'role-changed',
  assignedRoleIds: 'roles-v2-changed',
  expireAt: 'date-changed',
  ipAccessList: 'ip-access-list-changed',
} as const satisfies Record<keyof z.output<typeof apiKeyUpdate>, string>

function updateTypes(body: z.output<typeof apiKeyUpdate>): string[] {
  return Object.entries(updateTypeOf).flatMap(
    ([field, type]) => (field in body && body[field as keyof typeof updateTypeOf] !== undefined ? [type] : []), // the keys of the table
  )
}
