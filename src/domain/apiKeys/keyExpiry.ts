/** When an API key of a managed deployment ends, and whether it is the key of a connection. */
import type { ApiKey } from '#contract/cloud/organization/apiKeys.ts'

const day = 24 * 60 * 60 * 1000
/** Keys that expire within this time are shown as a warning. */
export const warningDays = 14

export type KeyStatus = 'enabled' | 'expiring' | 'expired' | 'disabled'

export function keyStatus({ state, expireAt }: Pick<ApiKey, 'state' | 'expireAt'>, now: number): KeyStatus {
  const left = expireAt ? Date.parse(expireAt) - now : Number.POSITIVE_INFINITY
  if (left <= 0) return 'expired'
  if (state === 'disabled') return 'disabled'
  return left <= warningDays * day ? 'expiring' : 'enabled'
}

/** Whether a connection may use the key: only the end of its ID is known, which two keys may share. */
export function mayBeKeyOf({ keySuffix }: Pick<ApiKey, 'keySuffix'>, keyId: string | undefined): boolean {
  return keySuffix != null && keySuffix !== '' && (keyId?.endsWith(keySuffix) ?? false)
}
