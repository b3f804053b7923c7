/**
 * The API key of `credentials.json`, which the local connection and tools on this machine use: the first one, with the
 * first member, and the ones that replace it.
 */
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { currentIsoTime } from '#node/clock/wallClock.ts'
import { systemRoleIds } from './roleRows.ts'
import { requireIdentity, writeIdentity, type Identity } from '../store/identity.ts'
import type { Queries, Store } from '../store/store.ts'
import { addActivity } from './activityLog.ts'
import { anywhere } from './addresses.ts'
import { hashesOf, hashOf, keyByHash, keyRows, newKeyId, newKeyPair, type KeyPair } from './keyRows.ts'
import { readSetting, writeSetting } from '../store/storeSettings.ts'
import { memberRows } from './memberRows.ts'

/**
 * From now on, `credentials.json` has another key of the organization.
 * @returns false if the organization has no such key, and then nothing is changed
 */
export function followKey(store: Store, pair: KeyPair): Promise<boolean> {
  return store.write(async (transaction) => {
    const key = await keyByHash(transaction, hashOf(pair.keyId))
    if (key?.keySecretHash !== hashOf(pair.keySecret)) return false
    await setPair(transaction, pair)
    return true
  })
}

/**
 * Makes a key with the role Admin, for an organization that has none that works, and gives it to `credentials.json`. Whoever
 * can open the store may do that: no key is asked for.
 * @returns the name and ID of the new key
 */
export function addAdminKey(store: Store): Promise<{ name: string; id: string }> {
  return store.write(async (transaction) => {
    const { organizationId } = await requireIdentity(transaction)
    const pair = newKeyPair()
    const id = newKeyId()
    const createdAt = currentIsoTime()
    const name = `Recovery ${createdAt.slice(0, 10)}`
    await keyRows.insert(transaction, {
      id,
      name,
      state: 'enabled',
      assignedRoleIds: [systemRoleIds.admin],
      ipAccessList: anywhere,
      createdAt,
      expireAt: null,
      ...hashesOf(pair),
    })
    await addActivity(transaction, {
      type: 'key_create',
      actorType: 'system',
      actorDetails: 'make-admin-key',
      organizationId,
      targetKeyId: id,
      keyUpdateType: 'created',
    })
    await setPair(transaction, pair)
    return { name, id }
  })
}

async function setPair(queries: Queries, { keyId, keySecret }: KeyPair): Promise<void> {
  await writeIdentity(queries, { ...(await requireIdentity(queries)), keyId, keySecret })
}

/** Set once the first key and the first member exist: what is changed or deleted later stays so. */
const settingName = 'organizationAccess'

/** The key of `credentials.json` becomes a key like any other, with the role Admin; also in data folders of earlier versions. */
export async function addFirstAccess(queries: Queries, identity: Identity): Promise<void> {
  if (await readSetting(queries, settingName, z.boolean())) return
  const { createdAt } = identity
  const assignedRoleIds = [systemRoleIds.admin]
  await keyRows.insert(queries, {
    id: newKeyId(),
    name: 'credentials.json',
    state: 'enabled',
    assignedRoleIds,
    ipAccessList: anywhere,
    createdAt,
    expireAt: null,
    ...hashesOf(identity),
  })
  await memberRows.insert(queries, {
    id: randomUUID(),
    name: 'Local administrator',
    email: 'admin@localhost.localdomain',
    joinedAt: createdAt,
    assignedRoleIds,
  })
  await writeSetting(queries, settingName, true)
}
