/**
 * The only reads of the clock in browser tests: to plant telemetry, evaluations and dates of expiry relative to now. Tests
 * measure and await no time, see `clock.spec.ts`.
 */

/** Epoch milliseconds. */
export const now = () => Date.now()

/** ISO 8601. */
export const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
