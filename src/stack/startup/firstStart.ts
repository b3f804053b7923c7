/** The content of a new stack. Created once in one transaction: what people delete later stays deleted. */
import type { z } from 'zod'
import type { alertInputStrict } from '#contract/stack/alerts.ts'
import type { dashboardCreateStrict } from '#contract/stack/dashboards/dashboardRules.ts'
import type { Source } from '#contract/stack/sources.ts'
import { addFirstAccess } from '../access/credentialsKey.ts'
import { createIdentity, type Identity, readIdentity } from '../store/identity.ts'
import { addOwner } from '../team/members.ts'
import { newObjectId } from '../ids.ts'
import { newAlert } from '../documents/alertDocument.ts'
import { alertRows } from '../documents/alertRows.ts'
import { newDashboard } from '../documents/dashboardDocument.ts'
import { type DashboardDocument, dashboardRows } from '../documents/dashboardRows.ts'
import { sourceRows } from '../resources/sources.ts'
import { newWebhook, webhookRows } from '../documents/webhookRows.ts'
import type { Queries, Store } from '../store/store.ts'
import type { Service } from '#contract/cloud/services/services.ts'
import { organizationRows } from '../documents/organizationRows.ts'
import { serviceRows } from '../documents/serviceRows.ts'

/** The content that the caller defines. */
export interface FirstContent {
  /** Default sources, without the fields that the store sets. */
  sources: readonly NewSource[]
  /** Dashboards on these sources, with alerts on their tiles. */
  dashboards: readonly FirstDashboard[]
}

export type NewSource = Omit<Source, 'id' | 'connection'> & { name: string; kind: string }

interface FirstDashboard {
  dashboard(sources: readonly Source[]): z.output<typeof dashboardCreateStrict>
  alerts?(dashboard: DashboardDocument, webhookId: string): z.output<typeof alertInputStrict>[]
}

/** The stack's identity. The first start creates it, together with the content of a new stack. */
export function firstStart(store: Store, content: FirstContent): Promise<Identity> {
  return store.write(async (transaction) => {
    const known = await readIdentity(transaction)
    if (known) {
      // Stores of earlier versions have no members.
      await addOwner(transaction, known)
      await addFirstAccess(transaction, known)
      return known
    }
    const identity = await createIdentity(transaction)
    await addOwner(transaction, identity)
    const sources = await addSources(transaction, content.sources, identity)
    const webhookId = await addExampleWebhook(transaction, identity)
    for (const first of content.dashboards) {
      const dashboard = newDashboard(first.dashboard(sources))
      await dashboardRows.insert(transaction, dashboard)
      for (const alert of first.alerts?.(dashboard, webhookId) ?? []) {
        await alertRows.insert(transaction, newAlert(alert, identity.teamId))
      }
    }
    await addOrganization(transaction, identity)
    await addFirstAccess(transaction, identity)
    return identity
  })
}

async function addSources(queries: Queries, news: readonly NewSource[], identity: Identity): Promise<Source[]> {
  const sources = news.map((source): Source => ({ ...source, id: newObjectId(), connection: identity.connectionId }))
  for (const source of sources) await sourceRows.insert(queries, source)
  return sources
}

/** A harmless example: port 9 (discard) of this machine. */
export async function addExampleWebhook(queries: Queries, { createdAt }: Identity): Promise<string> {
  const webhook = newWebhook(
    {
      name: 'Local example',
      service: 'generic',
      url: 'http://127.0.0.1:9/alerts',
      description: 'An example. Nothing listens at this address.',
    },
    createdAt,
  )
  await webhookRows.insert(queries, webhook)
  return webhook.id
}

/** The organization and the service of a new stack. */
async function addOrganization(queries: Queries, identity: Identity): Promise<void> {
  const { organizationId, createdAt } = identity
  await organizationRows.insert(queries, { id: organizationId, name: 'Local organization', createdAt })
  await serviceRows.insert(queries, localService(identity))
}

/** The stack itself as a service of the cloud. */
function localService({ serviceId, createdAt }: Identity): Service {
  return {
    id: serviceId,
    name: 'Local stack',
    state: 'running',
    // Set by every start with an engine.
    dbVersion: '',
    provider: 'aws',
    region: 'eu-central-1',
    releaseChannel: 'default',
    autoscalingMode: 'vertical',
    endpoints: [{ protocol: 'https', host: '127.0.0.1', port: 8443, username: 'default' }],
    minReplicaMemoryGb: 8,
    maxReplicaMemoryGb: 16,
    numReplicas: 3,
    idleScaling: true,
    idleTimeoutMinutes: 15,
    ipAccessList: [{ source: '127.0.0.1/32', description: 'this machine' }],
    createdAt,
    encryptionKey: '',
    encryptionAssumedRoleIdentifier: '',
    iamRole: '',
    privateEndpointIds: [],
    availablePrivateEndpointIds: [],
    dataWarehouseId: serviceId,
    isPrimary: true,
    isReadonly: false,
    hasTransparentDataEncryption: false,
    transparentDataEncryptionKeyId: '',
    encryptionRoleId: '',
  }
}
