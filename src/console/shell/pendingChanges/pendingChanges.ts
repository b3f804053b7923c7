/**
 * Changes that deployments take their time with: nothing tells when the new values are in effect, and answers may show
 * old values or zeros until then. What was asked for is kept for the session, so that every page can follow it.
 */
import { Store, useStore } from '@tanstack/react-store'
import type { Change } from '#console/ui/ChangeTable.tsx'

type Value = number | string | boolean

export interface PendingChange {
  values: Readonly<Record<string, Value>>
  /** What was in force before, where it was known. */
  previous: Readonly<Record<string, Value>>
  changes: readonly Change[]
  /** Epoch milliseconds. */
  at: number
  /** The answer to the write was lost: it may not have been taken at all. */
  outcomeUnknown: boolean
}

export type Progress = { state: 'reached' } | { state: 'waiting' | 'late'; open: string[] }

/** How long a deployment may take before it is said that it has not, milliseconds. */
export const lateAfterMs = 5 * 60_000

/** How far a deployment is with what was asked of it, by what it reports at a time. */
export function changeProgress(
  change: PendingChange,
  reported: Readonly<Record<string, unknown>>,
  now: number,
): Progress {
  const open = Object.keys(change.values).filter((field) => reported[field] !== change.values[field])
  if (open.length === 0) return { state: 'reached' }
  return { state: now - change.at >= lateAfterMs ? 'late' : 'waiting', open }
}

/** Milliseconds until the next look: often at first, then seldom. */
export function nextPollDelay(change: PendingChange, now: number): number {
  return now - change.at < 60_000 ? 2000 : 10_000
}

const all = new Store<Record<string, PendingChange>>({})

/** Follows a change from now on; a newer one of the same thing takes its place. */
export function trackPendingChange(resource: string, change: Omit<PendingChange, 'at'>): void {
  all.setState((before) => ({ ...before, [resource]: { ...change, at: Date.now() } }))
}

export function clearPendingChange(resource: string): void {
  all.setState((before) => Object.fromEntries(Object.entries(before).filter(([key]) => key !== resource)))
}

/** What was last asked of a thing in this session. */
export function usePendingChange(resource: string): PendingChange | undefined {
  return useStore(all, (change) => change[resource])
}
