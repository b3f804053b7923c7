/**
 * Roles by hand and roles from groups of a provider: on each connection, the higher one counts. Roles from groups only add, so
 * that an administrator who gives a role by hand never has to know the groups.
 */
import { isAtLeast, type Role } from '#contract/console/consoleRoles.ts'
import type { GroupRole } from '#contract/console/people.ts'

/** Roles on all connections, and on single ones by their IDs. */
export interface Roles {
  role: Role
  roles: Readonly<Record<string, Role>>
}

/** Where roles from groups come from. */
export interface GroupRoleSource {
  /** By the ID of the person. @param personId only of this one */
  groupRoles(personId?: string): Promise<Map<string, GroupRole[]>>
}

export const noGroups: GroupRoleSource = { groupRoles: async () => new Map() }

/** The effective role on each connection. */
export function effectiveRoles(byHand: Roles, fromGroups: readonly GroupRole[]): Roles {
  const general = highest(fromGroups.filter(({ connectionId }) => connectionId === undefined).map(({ role }) => role))
  const connections = fromGroups.flatMap(({ connectionId }) => connectionId ?? [])
  const ids = new Set([...Object.keys(byHand.roles), ...connections])
  const roleOn = (id: string) => {
    const own = Object.hasOwn(byHand.roles, id) ? (byHand.roles[id] ?? byHand.role) : byHand.role
    const connectionRoles = fromGroups.filter(({ connectionId }) => connectionId === id).map(({ role }) => role)
    return highest([own, general, ...connectionRoles])
  }
  return {
    role: highest([byHand.role, general]),
    roles: Object.fromEntries([...ids].map((id) => [id, roleOn(id)])),
  }
}

function highest(roles: readonly Role[]): Role {
  return roles.reduce((best, role) => (isAtLeast(role, best) ? role : best), 'none')
}
