/** Texts about keys of connections that expire soon. */
import { useQuery } from '@tanstack/react-query'
import { connectionKeyQuery } from '#console/api/gateway/apiKeys.ts'
import { useNow } from '#console/ui/Timestamp.tsx'
import { formatTimeAgo } from '#console/ui/time/formatTime.ts'
import type { ConnectionKey } from '#contract/console/apiKeyRotations.ts'
import type { Connection } from '#contract/console/connections.ts'
import { keyStatus } from '#domain/apiKeys/keyExpiry.ts'

export interface KeyExpiry {
  /** "The key of this connection, CI, expires in 3 days." */
  text: string
  /** "in 3 days"; how many other keys end if it is about them. */
  short: string
  /** Whether the connection itself loses access. */
  own: boolean
  /** The key to rotate, if it can be told. */
  apiKeyId: string | undefined
}

/** Keys of a managed connection that expire within 14 days; undefined if there are none, or they are not known. */
export function useKeyExpiry({ id, variant }: Connection): KeyExpiry | undefined {
  const now = useNow()
  const { data } = useQuery({ ...connectionKeyQuery(id), enabled: variant === 'managed' })
  return data && keyExpiry(data, now)
}

/** @param now epoch milliseconds */
export function keyExpiry({ keys, expiring }: ConnectionKey, now: number): KeyExpiry | undefined {
  const ending = keys.filter(({ expireAt }) => {
    const status = keyStatus({ expireAt }, now)
    return status === 'expiring' || status === 'expired'
  })
  const [first] = ending.toSorted((a, b) => Date.parse(a.expireAt ?? '') - Date.parse(b.expireAt ?? ''))
  if (first) {
    const short = formatTimeAgo(Date.parse(first.expireAt ?? ''), now)
    const verb = Date.parse(first.expireAt ?? '') > now ? 'expires' : 'expired'
    const others = keys.filter((key) => key !== first).map(({ name }) => name)
    const text =
      others.length === 0
        ? `The key of this connection, ${first.name}, ${verb} ${short}.`
        : `The key of this connection may be ${first.name}, which ${verb} ${short}. The ID of ${others.join(', ')} ends like it, so it cannot be told.`
    return { text, short, own: true, apiKeyId: first.id }
  }
  if (expiring.length === 0) return undefined
  const count = expiring.length === 1 ? '1 other key' : `${expiring.length} other keys`
  const text = `${count} of the organization ${expiring.length === 1 ? 'expires' : 'expire'} within 14 days.`
  return { text, short: count, own: false, apiKeyId: undefined }
}
