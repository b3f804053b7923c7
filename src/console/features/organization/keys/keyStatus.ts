/** Whether a key can be used now, and for how long. */
import type { ChipTone } from '#console/ui/StatusChip.tsx'
import { formatTimeAgo } from '#console/ui/Timestamp.tsx'
import type { ApiKey } from '#contract/apiKeys.ts'

const day = 24 * 60 * 60 * 1000
/** Keys that expire within this time are shown as a warning. */
export const warningDays = 14

type Status = 'enabled' | 'expiring' | 'expired' | 'disabled'

export function keyStatus({ state, expireAt }: Pick<ApiKey, 'state' | 'expireAt'>, now: number): Status {
  const left = expireAt ? Date.parse(expireAt) - now : Number.POSITIVE_INFINITY
  if (left <= 0) return 'expired'
  if (state === 'disabled') return 'disabled'
  return left <= warningDays * day ? 'expiring' : 'enabled'
}

const tones: Record<Status, ChipTone> = { enabled: 'ok', expiring: 'warn', expired: 'bad', disabled: 'neutral' }

export const statusTone = (status: Status): ChipTone => tones[status]

export const statusOptions: readonly { value: Status; label: string }[] = [
  { value: 'enabled', label: 'Enabled' },
  { value: 'expiring', label: 'Expires soon' },
  { value: 'expired', label: 'Expired' },
  { value: 'disabled', label: 'Disabled' },
]

/** "Expires in 5 days", "Enabled". */
export function statusText(key: Pick<ApiKey, 'state' | 'expireAt'>, now: number): string {
  const status = keyStatus(key, now)
  if (status === 'expiring') return `Expires ${formatTimeAgo(Date.parse(key.expireAt ?? ''), now)}`
  return statusOptions.find(({ value }) => value === status)?.label ?? status
}

/** Sources that cover every address of IPv4 or IPv6. */
const isAnywhere = (source: string) => /\/0+$/.test(source)

/** From where a key can be used: "Anywhere", "10.0.0.0/8 and 2 more". */
export function accessText({ ipAccessList }: Pick<ApiKey, 'ipAccessList'>): string {
  const sources = (ipAccessList ?? []).map(({ source }) => source)
  if (sources.length === 0) return 'Nowhere'
  if (sources.some(isAnywhere)) return 'Anywhere'
  const [first, ...more] = sources
  return more.length === 0 ? String(first) : `${first} and ${more.length} more`
}

/** Whether the console itself uses the key here: only the end of its ID is known, which two keys may share. */
export function isOwnKey({ keySuffix }: Pick<ApiKey, 'keySuffix'>, { keyId }: { keyId?: string | undefined }): boolean {
  return keySuffix != null && keySuffix !== '' && (keyId?.endsWith(keySuffix) ?? false)
}
