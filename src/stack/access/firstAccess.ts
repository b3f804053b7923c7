/** The first API key and the first member. Created once: what is changed or deleted later stays so. */
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Identity } from '../store/identity.ts'
import type { Queries } from '../store/store.ts'
import { readSetting, writeSetting } from '../store/storeSettings.ts'
import { anywhere } from './addresses.ts'
import { hashesOf, keyRows, newKeyId } from './keyRows.ts'
import { memberRows } from './memberRows.ts'
import { systemRoleIds } from './roleRows.ts'

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
