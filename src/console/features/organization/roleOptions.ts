/** The roles of the organization, to choose from. */
import { useQuery } from '@tanstack/react-query'
import { q } from '#console/api/queries.ts'
import { useConnection } from '#console/shell/connection.tsx'
import type { Option } from '#console/ui/form/fields/SelectField.tsx'
import { roles } from '#contract/cloud/organization/roles.ts'

export function useRoleOptions(): Option[] {
  const { data } = useQuery(q(useConnection().id, roles.list, {}))
  return (data ?? []).map(({ id, name, type }) => ({ value: id, label: name, detail: roleTypeLabel(type) }))
}

export function roleTypeLabel(type: string): string {
  return type === 'system' ? 'System role' : type === 'custom' ? 'Custom role' : type
}

/** The names of assigned roles: "Admin, Billing". */
export function roleNames(
  assigned: readonly { roleName?: string | null | undefined; roleId: string }[] | null | undefined,
) {
  return (assigned ?? []).map(({ roleName, roleId }) => roleName ?? roleId).join(', ')
}
