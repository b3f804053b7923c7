/**
 * The entries of the activity log that a write makes: the types of docs/DEPLOYMENTS.md#activities-and-cost where there is one.
 * Deployments have none for pipes and for records of the stack; here each is `<record>_<operation>`.
 */
import type { Endpoint } from '#contract/wire/kernel.ts'

/** The content of an entry besides who and when. */
export interface ActivityFields {
  type: string
  targetKeyId?: string
  keyUpdateType?: string
}

const named: Readonly<Record<string, string>> = {
  'apiKeys.create': 'key_create',
  'apiKeys.update': 'openapi_key_update',
  'apiKeys.delete': 'key_delete',
  'invitations.create': 'organization_invite_create',
  'invitations.delete': 'organization_invite_delete',
  'members.update': 'organization_member_update_roles',
  'members.delete': 'organization_member_delete',
  'serviceBackups.createBucket': 'backup_bucket_create',
  'serviceBackups.deleteBucket': 'backup_bucket_delete',
  'serviceBackups.updateBucket': 'backup_bucket_update',
  'serviceEndpoints.deleteQuery': 'service_update_query_endpoints',
  'serviceEndpoints.setQuery': 'service_update_query_endpoints',
  'serviceSchedules.delete': 'service_update_autoscaling_schedule',
  'serviceSchedules.deleteUpgradeWindow': 'service_delete_upgrade_window',
  'serviceSchedules.replace': 'service_update_autoscaling_schedule',
  'serviceSchedules.setUpgradeWindow': 'service_update_upgrade_window',
  'serviceBackups.configure': 'service_update_backup_configuration',
  'services.password': 'service_update_password',
}

const commandTypes: Readonly<Record<string, string>> = {
  start: 'service_start',
  stop: 'service_stop',
  awake: 'service_awaken',
}

/** Types by the field of a body that changed. */
const byField: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'organizations.update': {
    name: 'organization_update_name',
    privateEndpoints: 'organization_update_private_endpoints',
    enableCoreDumps: 'organization_update_core_dumps',
  },
  'services.update': {
    name: 'service_update_name',
    ipAccessList: 'service_update_ip_access_list',
    privateEndpointIds: 'service_update_private_endpoints',
    releaseChannel: 'service_update_release_channel',
    endpoints: 'service_update_mysql_interface',
    transparentDataEncryptionKeyId: 'service_encryption_key_rotated',
    enableCoreDumps: 'service_update_core_dump',
  },
  'services.replicaScaling': {
    minReplicaMemoryGb: 'service_update_autoscaling_memory',
    maxReplicaMemoryGb: 'service_update_autoscaling_memory',
    autoscalingMode: 'service_update_autoscaling_replicas',
    numReplicas: 'service_update_autoscaling_replicas',
    minReplicas: 'service_update_autoscaling_replicas',
    maxReplicas: 'service_update_autoscaling_replicas',
    idleScaling: 'service_update_autoscaling_idling',
    idleTimeoutMinutes: 'service_update_autoscaling_idling',
  },
}

/** @param body what was sent, validated */
export function activitiesOf({ resource, verb }: Endpoint, body: unknown): ActivityFields[] {
  const operation = `${resource}.${verb}`
  const fields = typeof body === 'object' && body !== null ? Object.entries(body) : []
  if (operation === 'services.state') {
    const command = fields.find(([name]) => name === 'command')?.[1]
    return [{ type: commandTypes[String(command)] ?? 'service_state' }]
  }
  const types = byField[operation]
  if (types) {
    const changed = fields
      .filter(([, value]) => value !== undefined)
      .map(([name]) => types[name] ?? defaultType(resource, verb))
    return [...new Set(changed)].map((type) => ({ type }))
  }
  return [{ type: named[operation] ?? defaultType(resource, verb) }]
}

/** `alert_create`, `saved_search_delete`, `pipe_update_settings`. */
function defaultType(resource: string, verb: string): string {
  const singular = resource.replace(/(?<=ch)es$|s$/, '')
  return `${snake(singular)}_${snake(verb)}`
}

function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
