/** The organization and the service of a new stack. */
import type { Service } from '#contract/services.ts'
import type { Identity } from '../store/identity.ts'
import { organizationRows } from '../documents/organizationRows.ts'
import { serviceRows } from '../documents/serviceRows.ts'
import type { Queries } from '../store/store.ts'

export async function addOrganization(queries: Queries, identity: Identity): Promise<void> {
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
