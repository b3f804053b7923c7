/**
 * The permission that each endpoint of the managed variant needs. Kinds of records (`recordKinds.ts`) share a rule; any other
 * resource without a line is a compile error.
 */
import type { ResourceName } from '#contract/index.ts'
import { recordKinds, type RecordKind } from '#contract/stack/recordKinds.ts'
import type { Endpoint } from '#contract/wire/kernel.ts'
import type { Permission } from '#contract/cloud/organization/roles.ts'

interface Rule {
  /** For what reads. */
  read: Permission
  /** For what changes something. */
  write: Permission
  /** Endpoints that need another one. */
  others?: Readonly<Record<string, Permission>>
}

const records: Rule = { read: 'stack:record:view', write: 'stack:record:manage' }
const telemetry: Rule = { read: 'stack:telemetry:read', write: 'stack:telemetry:read' }
const onServices: Rule = { read: 'control-plane:service:view', write: 'control-plane:service:manage' }
const members: Rule = { read: 'control-plane:organization:view', write: 'control-plane:organization:manage-members' }

const rules: Record<Exclude<ResourceName, RecordKind>, Rule> = {
  activities: {
    read: 'control-plane:organization:view-activities',
    write: 'control-plane:organization:manage',
  },
  apiKeys: {
    read: 'control-plane:organization:view-api-keys',
    write: 'control-plane:organization:manage-api-keys',
    others: { create: 'control-plane:organization:create-api-keys' },
  },
  charts: telemetry,
  dataConnections: records,
  identities: { read: 'control-plane:organization:view', write: 'control-plane:organization:manage' },
  invitations: members,
  members,
  organizations: { read: 'control-plane:organization:view', write: 'control-plane:organization:manage' },
  pipes: onServices,
  prometheus: onServices,
  reversePrivateEndpoints: onServices,
  roles: { read: 'control-plane:organization:view', write: 'control-plane:organization:manage-roles' },
  sample: { read: 'stack:telemetry:read', write: 'stack:record:manage' },
  search: telemetry,
  serviceBackups: {
    read: 'control-plane:service:view-backups',
    write: 'control-plane:service:manage-backups',
  },
  serviceEndpoints: onServices,
  serviceSchedules: onServices,
  serviceSettings: onServices,
  services: onServices,
  sql: { read: 'sql-console:database:access', write: 'sql-console:database:access' },
  // Only the open-source variant has these.
  storage: { read: 'stack:telemetry:read', write: 'control-plane:organization:manage' },
  team: members,
  usageCost: {
    read: 'control-plane:organization:view-usage',
    write: 'control-plane:organization:view-usage',
  },
}

const isRecordKind = (resource: ResourceName): resource is RecordKind => recordKinds.some((kind) => kind === resource)

const ruleOf = (resource: ResourceName): Rule => (isRecordKind(resource) ? records : rules[resource])

export function permissionOf({ resource, verb, mutates }: Endpoint): Permission {
  const rule = ruleOf(resource as ResourceName) // every endpoint of the contract is of one of its resources
  return rule.others?.[verb] ?? (mutates ? rule.write : rule.read)
}
