/** When a connection refuses writes. Production connections do, unless somebody allowed writes for some minutes. */
import type { Connection } from '#contract/console/connections.ts'
import { writesAllowedMinutes } from '#contract/console/stages.ts'
import { currentTime } from '#node/clock/wallClock.ts'

type Guarded = Pick<Connection, 'stage' | 'readOnly' | 'readOnlyLiftedUntil'>

const maxWritesAllowed = writesAllowedMinutes * 60_000

/** Whether writes are refused now. `readOnly` is the setting of connections that are not production. */
export function isLocked(connection: Guarded, now = currentTime()): boolean {
  return connection.stage === 'production' ? writesAllowedUntil(connection, now) === undefined : connection.readOnly
}

/** Until when writes on production are allowed; undefined if they are not. A time too far in the future is ignored. */
export function writesAllowedUntil({ stage, readOnlyLiftedUntil }: Guarded, now = currentTime()): string | undefined {
  if (stage !== 'production' || readOnlyLiftedUntil === undefined) return undefined
  const left = Date.parse(readOnlyLiftedUntil) - now
  return left > 0 && left <= maxWritesAllowed ? readOnlyLiftedUntil : undefined
}

/** The connection with writes refused or allowed. On production they are allowed for a limited time. */
export function withReadOnly<C extends Guarded>(connection: C, readOnly: boolean, now = currentTime()): C {
  if (connection.stage !== 'production') return { ...connection, readOnly }
  const { readOnlyLiftedUntil: _, ...locked } = connection
  // The rest is C without an optional field.
  return readOnly
    ? (locked as C)
    : { ...connection, readOnlyLiftedUntil: new Date(now + maxWritesAllowed).toISOString() }
}
