/** Which API key `credentials.json` has: the key of the local connection, and of tools on this machine. */
import { currentIsoTime } from '#node/clock/wallClock.ts'
import { systemRoleIds } from './roleRows.ts'
import { requireIdentity, writeIdentity } from '../store/identity.ts'
import type { Queries, Store } from '../store/store.ts'
import { addActivity } from './activityRows.ts'
import { anywhere } from './addresses.ts'
import { hashesOf, hashOf, keyByHash, keyRows, newKeyId, newKeyPair, type KeyPair } from './keyRows.ts'

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
