/** Who this stack is, and the keys that open it: made on the first start, kept in the store. */
import { randomBytes, randomUUID } from 'node:crypto'
import { z } from 'zod'
import { newObjectId } from '../ids.ts'
import { readSetting, writeSetting } from './settings.ts'
import type { Queries } from './store.ts'

const identity = z.object({
  /** Owner of all stack resources, as answers name it. */
  teamId: z.string(),
  organizationId: z.string(),
  serviceId: z.string(),
  /** The one telemetry database that sources and SQL tiles read from. */
  connectionId: z.string(),
  /** Opens the open-source variant. */
  personalAccessKey: z.string(),
  /** Opens the collector, and no variant. */
  ingestionKey: z.string(),
  /** Open the managed variant together. */
  keyId: z.string(),
  keySecret: z.string(),
  createdAt: z.string(),
})
export type Identity = z.infer<typeof identity>

export function readIdentity(queries: Queries): Promise<Identity | undefined> {
  return readSetting(queries, 'identity', identity)
}

export async function createIdentity(queries: Queries): Promise<Identity> {
  const created: Identity = {
    teamId: newObjectId(),
    organizationId: randomUUID(),
    serviceId: randomUUID(),
    connectionId: newObjectId(),
    personalAccessKey: randomUUID(),
    ingestionKey: randomUUID(),
    keyId: randomBytes(15).toString('base64url'),
    keySecret: randomBytes(30).toString('base64url'),
    createdAt: new Date().toISOString(),
  }
  await writeSetting(queries, 'identity', created)
  return created
}

/** The keys and ids that people and tools on this machine need. */
export type Credentials = Pick<
  Identity,
  'personalAccessKey' | 'ingestionKey' | 'keyId' | 'keySecret' | 'organizationId' | 'serviceId'
>

export function credentialsOf(identity: Identity): Credentials {
  const { personalAccessKey, ingestionKey, keyId, keySecret, organizationId, serviceId } = identity
  return { personalAccessKey, ingestionKey, keyId, keySecret, organizationId, serviceId }
}
