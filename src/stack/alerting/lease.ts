/**
 * Lets one stack evaluate alerts, of several on one PostgreSQL server. The holder renews its lease; another stack takes over
 * after it has expired. Each write of a pass checks the lease in its own transaction, so a holder that was too slow writes
 * nothing.
 */
import { stepTolerance } from '#node/clock/wallClock.ts'
import type { Queries, Store } from '../store/store.ts'

const name = 'alerts'
/** Milliseconds. Another stack takes over within this time and its next attempt: within two minutes. */
export const leaseDuration = 75_000

/** Another stack evaluates alerts now. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
}

/** @returns whether this holder has the lease */
export function takeLease(store: Store, holder: string, now: number): Promise<boolean> {
  return store.write(async (transaction) => {
    const [row] = await transaction.rows('SELECT holder, expires FROM leases WHERE name = ?', [name])
    const left = row ? Number(row['expires']) - now : 0
    // An expiry further ahead than a lease lasts was written before the clock was set back: ignore it. A live holder renews
    // it anyway.
    if (row && row['holder'] !== holder && left > 0 && left <= leaseDuration + stepTolerance) return false
    await transaction.run(
      `INSERT INTO leases (name, holder, expires) VALUES (?, ?, ?)
       ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, expires = excluded.expires`,
      [name, holder, now + leaseDuration],
    )
    return true
  })
}

/** Renews the lease as part of a transaction. @throws LeaseLost, so that the transaction writes nothing */
export async function keepLease(transaction: Queries, holder: string, now: number): Promise<void> {
  const changed = await transaction.run('UPDATE leases SET expires = ? WHERE name = ? AND holder = ?', [
    now + leaseDuration,
    name,
    holder,
  ])
  if (changed === 0) throw new LeaseLost('another stack evaluates the alerts')
}

/** Lets another stack take over at once. */
export async function releaseLease(store: Store, holder: string): Promise<void> {
  await store.run('UPDATE leases SET expires = 0 WHERE name = ? AND holder = ?', [name, holder])
}
