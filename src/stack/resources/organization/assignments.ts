/** Which roles keys and members have, and who may change that. */
import type { ApiKey } from '#contract/cloud/organization/apiKeys.ts'
import { currentTime } from '#node/clock/wallClock.ts'
import { requireCovered } from '../../access/caller.ts'
import { isExpired, keyRows } from '../../access/keyRows.ts'
import { policiesOf, rolesById, systemRoleIds, type RoleDocument } from '../../access/roleRows.ts'
import { deniedBy } from '../../access/policies.ts'
import { memberRows } from '../../access/memberRows.ts'
import { Refusal, refuse } from '../../refusal.ts'
import type { Queries } from '../../store/store.ts'
import type { StackContext } from '../context.ts'

export type Roles = ReadonlyMap<string, RoleDocument>

/** System roles by the names that they had before custom roles existed. */
const deprecatedRoleIds: Readonly<Record<string, string>> = {
  admin: systemRoleIds.admin,
  developer: systemRoleIds.developer,
  query_endpoints: systemRoleIds.queryEndpoints,
}

export const rolesNow = (queries: Queries, { identity }: StackContext): Promise<Roles> => rolesById(queries, identity)

/** The roles that a body asks for; undefined if it has none. IDs win over the deprecated names. */
export function requestedRoles(
  roles: Roles,
  assignedRoleIds: readonly string[] | undefined,
  names: readonly string[] | undefined,
): string[] | undefined {
  const ids = assignedRoleIds ?? names?.map((name) => deprecatedRoleIds[name] ?? name)
  const unknown = ids?.find((id) => !roles.has(id))
  if (unknown !== undefined) throw refuse(`Role ${unknown} does not exist in this organization`)
  return ids && [...new Set(ids)]
}

/** The roles as responses have them. Roles that were deleted are left out. */
export function assignedRoles(roles: Roles, ids: readonly string[]): NonNullable<ApiKey['assignedRoles']> {
  return ids.flatMap((id) => {
    const role = roles.get(id)
    return role ? [{ roleId: id, roleName: role.name, roleType: role.type }] : []
  })
}

/** The deprecated names of the system roles among some roles. */
export function deprecatedNames(ids: readonly string[]): string[] {
  return Object.entries(deprecatedRoleIds).flatMap(([name, id]) => (ids.includes(id) ? [name] : []))
}

/**
 * Nobody gives roles beyond their own, nor changes who has such roles.
 * @param sets the roles of a key or member before and after
 * @throws Refusal 403
 */
export function requireRolesCovered(
  { caller }: StackContext,
  roles: Roles,
  ...sets: readonly (readonly string[])[]
): void {
  if (caller) requireCovered(caller, ...sets.map((ids) => policiesOf(roles, ids)))
}

/** An organization without a usable Admin key could not be administered any more. @throws Refusal 409 */
export async function requireAdminKey(queries: Queries): Promise<void> {
  const now = currentTime()
  const usable = (await keyRows.all(queries)).some(
    (key) =>
      key.state === 'enabled' &&
      !isExpired(key, now) &&
      key.ipAccessList.length > 0 &&
      key.assignedRoleIds.includes(systemRoleIds.admin),
  )
  if (!usable) throw new Refusal(409, 'At least one usable API key must have the role Admin. Nothing was changed')
}

/**
 * A key that is denied something cannot lift the denial, so it cannot deny itself anything either.
 * @param queries of the transaction that has made the change
 * @throws Refusal 400 with the permission
 */
export async function requireOwnAccess(queries: Queries, context: StackContext): Promise<void> {
  const { caller } = context
  const key = caller && (await keyRows.get(queries, caller.key.id))
  if (!caller || !key) return
  const denied = deniedBy(caller.policies, policiesOf(await rolesNow(queries, context), key.assignedRoleIds))
  if (!denied) return
  throw refuse(
    `This would deny ${denied.permission} on ${denied.target} to the API key that makes the change, which could not take it back. Use another key`,
  )
}

/** The roles of every key and member, by `apiKey/<id>` and `user/<id>`. */
export async function actorRoles(queries: Queries): Promise<Map<string, readonly string[]>> {
  const [keys, members] = [await keyRows.all(queries), await memberRows.all(queries)]
  return new Map([
    ...members.map(({ id, assignedRoleIds }) => [`user/${id}`, assignedRoleIds] as const),
    ...keys.map(({ id, assignedRoleIds }) => [`apiKey/${id}`, assignedRoleIds] as const),
  ])
}
