/** Permissions as a person reads them. */
import type { Option } from '#console/ui/form/fields/SelectField.tsx'
import { organizationPermissions, servicePermissions, type Permission } from '#contract/cloud/organization/roles.ts'

const labels: Record<Permission, string> = {
  'control-plane:organization:view': 'View the organization, its members and roles',
  'control-plane:organization:manage': 'Change the organization',
  'control-plane:organization:view-api-keys': 'View API keys',
  'control-plane:organization:create-api-keys': 'Create API keys',
  'control-plane:organization:manage-api-keys': 'Change and delete API keys',
  'control-plane:organization:manage-members': 'Manage members and invitations',
  'control-plane:organization:manage-roles': 'Manage roles',
  'control-plane:organization:view-activities': 'View the activity log',
  'control-plane:organization:view-usage': 'View usage cost',
  'control-plane:service:view': 'View services and data pipes',
  'control-plane:service:manage': 'Change services and data pipes',
  'control-plane:service:view-backups': 'View backups',
  'control-plane:service:manage-backups': 'Configure backups',
  'stack:record:view': 'View dashboards, alerts and other records',
  'stack:record:manage': 'Change dashboards, alerts and other records',
  'stack:telemetry:read': 'Read telemetry',
  'sql-console:database:access': 'Query the database',
}

/** The permission itself where this console does not know it. */
export function permissionLabel(permission: string): string {
  return labels[permission as Permission] ?? permission // an unknown one has no label
}

const options = (list: readonly Permission[]): Option[] =>
  list.map((value) => ({ value, label: labels[value], detail: value }))

export const organizationOptions = options(organizationPermissions)
export const serviceOptions = options(servicePermissions)
