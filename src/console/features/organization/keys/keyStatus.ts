/** Whether a key can be used now, and for how long. */
import type { ChipTone } from '#console/ui/StatusChip.tsx'
import { formatTimeAgo } from '#console/ui/time/formatTime.ts'
import type { ApiKey } from '#contract/cloud/organization/apiKeys.ts'
import { keyStatus, mayBeKeyOf, type KeyStatus } from '#domain/apiKeys/keyExpiry.ts'

const tones: Record<KeyStatus, ChipTone> = { enabled: 'ok', expiring: 'warn', expired: 'bad', disabled: 'neutral' }

export const statusTone = (status: KeyStatus): ChipTone => tones[status]

export const statusOptions: readonly { value: KeyStatus; label: string }[] = [
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

/** Whether the console itself may use the key here. */
export function isOwnKey(key: Pick<ApiKey, 'keySuffix'>, { keyId }: { keyId?: string | undefined }): boolean {
  return mayBeKeyOf(key, keyId)
}
