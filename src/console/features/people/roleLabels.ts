import { roles } from '#contract/console/consoleRoles.ts'
import type { GroupRole, Person } from '#contract/console/people.ts'

/** Roles as options of a select input. */
export const roleChoices = roles.map((value) => ({ value, label: value }))

/** "editor on Staging (Okta group payments)". @param names of connections by their IDs */
export function groupRoleText(
  { provider, group, role, connectionId }: GroupRole,
  names: ReadonlyMap<string, string>,
): string {
  const where = connectionId === undefined ? 'all connections' : (names.get(connectionId) ?? connectionId)
  return `${role} on ${where} (${provider} group ${group})`
}

/** The group that gives somebody a role beyond what was given by hand; undefined if the role is by hand. */
export function groupBehind(person: Person, connectionId?: string): GroupRole | undefined {
  const { byHand, fromGroups = [] } = person
  const own = connectionId === undefined ? byHand.role : (byHand.roles[connectionId] ?? byHand.role)
  const role = connectionId === undefined ? person.role : (person.roles[connectionId] ?? person.role)
  if (own === role) return undefined
  return fromGroups.find(
    (group) => group.role === role && (group.connectionId === undefined || group.connectionId === connectionId),
  )
}
