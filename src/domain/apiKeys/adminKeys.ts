/** Whether the API keys with the role Admin of an organization outlast the next days. */
import type { ApiKey } from '#contract/cloud/organization/apiKeys.ts'
import { keyStatus } from './keyExpiry.ts'

/** The key after a change; null deletes it. */
export type KeyChange = Partial<Pick<ApiKey, 'state' | 'expireAt' | 'assignedRoles' | 'roles' | 'ipAccessList'>> | null

/**
 * Whether a change removes the last Admin key that does not expire soon. Without one, nobody can create keys once the
 * rest expire.
 * @param now epoch milliseconds
 */
export function leavesNoLastingAdminKey(
  keys: readonly ApiKey[],
  apiKeyId: string,
  change: KeyChange,
  now: number,
): boolean {
  const after = keys.flatMap((key) => {
    if (key.id !== apiKeyId) return [key]
    return change === null ? [] : [{ ...key, ...change }]
  })
  return keys.some((key) => isLastingAdmin(key, now)) && !after.some((key) => isLastingAdmin(key, now))
}

function isLastingAdmin(key: ApiKey, now: number): boolean {
  return keyStatus(key, now) === 'enabled' && key.ipAccessList?.length !== 0 && isAdmin(key)
}

/** The role Admin of the system, or its name of before there were custom roles. */
function isAdmin({ assignedRoles, roles }: Pick<ApiKey, 'assignedRoles' | 'roles'>): boolean {
  if (!assignedRoles || assignedRoles.length === 0) return roles?.includes('admin') ?? false
  return assignedRoles.some(({ roleName, roleType }) => roleType === 'system' && roleName === 'Admin')
}
