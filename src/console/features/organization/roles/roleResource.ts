/** Roles as a resource. */
import { LockKeyhole } from 'lucide-react'
import { paths } from '#console/paths/paths.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { defineResource } from '#console/records/record/resource.ts'
import { sameValue } from '#console/ui/form/values.ts'
import { roles, type Role } from '#contract/cloud/organization/roles.ts'
import { readForm } from './roleForm.ts'

export const roleResource = defineResource({
  api: roles,
  noun: 'role',
  icon: LockKeyhole,
  idParams: ['roleId'],
  paths: { list: paths.roles, new: paths.newRole, detail: paths.role, edit: paths.editRole },
  nameOf: ({ name }) => name,
  unchanged: (now, before) => sameValue(readForm(now), readForm(before)),
  deletion: { effect: 'API keys and members lose the role at once. System roles cannot be deleted.' },
})

/** Why a role cannot be changed. */
export function useRoleLock({ type }: Role): string | undefined {
  const locked = lockReason(useConnection())
  return locked ?? (type === 'system' ? 'System roles cannot be changed.' : undefined)
}
