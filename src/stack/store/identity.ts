/** The ids and keys of this stack. Created on the first start and stored. */
import { randomBytes, randomUUID } from 'node:crypto'
import { z } from 'zod'
import { currentIsoTime } from '#node/clock/wallClock.ts'
import { newObjectId } from '../ids.ts'
import { readSetting, writeSetting } from './storeSettings.ts'
import type { Queries } from './store.ts'

const identity = z.object({
  /** The owner of all stack resources, as responses name it. */
  teamId: z.string(),
  organizationId: z.string(),
  serviceId: z.string(),
  /** The one telemetry database that sources and SQL tiles read from. */
  connectionId: z.string(),
  /** The key of the open-source variant: that of the team's owner. */
  personalAccessKey: z.string(),
  /** The key of the collector. */
  ingestionKey: z.string(),
  /** Set by the first rotation of the ingestion key. */
  ingestionRotation: z
    .object({
      /** When the current key was made. */
      createdAt: z.string(),
      /** Earlier keys that the collector still accepts. */
      previous: z.array(z.object({ key: z.string(), createdAt: z.string(), validUntil: z.string() })),
    })
    .optional(),
  /** The key of the managed variant. */
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
    createdAt: currentIsoTime(),
  }
  await writeIdentity(queries, created)
  return created
}

export function writeIdentity(queries: Queries, changed: Identity): Promise<void> {
  return writeSetting(queries, 'identity', changed)
}

/** @throws TypeError for a store without identity, which no stack that runs has */
export async function requireIdentity(queries: Queries): Promise<Identity> {
  const found = await readIdentity(queries)
  if (!found) throw new TypeError('the store has no identity')
  return found
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
