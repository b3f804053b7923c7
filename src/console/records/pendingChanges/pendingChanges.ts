/**
 * Changes that take effect some time after they were accepted. Until then a deployment may report old values or zeros,
 * and nothing announces the end. Pending changes are kept until the page is reloaded, so that every page can show their progress.
 */
import { Store, useStore } from '@tanstack/react-store'
import type { Change } from '#console/ui/ChangeTable.tsx'

type Value = number | string | boolean

export interface PendingChange {
  values: Readonly<Record<string, Value>>
  /** The values before the change, as far as they were known. */
  previous: Readonly<Record<string, Value>>
  changes: readonly Change[]
  /** Epoch milliseconds. */
  at: number
  /** The response to the write was lost: the change may not have been accepted. */
  outcomeUnknown: boolean
}

export type Progress = { state: 'reached' } | { state: 'waiting' | 'late'; open: string[] }

/** A change that is not in effect after this many milliseconds is reported as late. */
export const lateAfterMs = 5 * 60_000

/** The progress of a change, given what the deployment reports at a time. */
export function changeProgress(
  change: PendingChange,
  reported: Readonly<Record<string, unknown>>,
  now: number,
): Progress {
  const open = Object.keys(change.values).filter((field) => reported[field] !== change.values[field])
  if (open.length === 0) return { state: 'reached' }
  return { state: now - change.at >= lateAfterMs ? 'late' : 'waiting', open }
}

/** Milliseconds until the next poll: short during the first minute, longer after it. */
export function nextPollDelay(change: PendingChange, now: number): number {
  return now - change.at < 60_000 ? 2000 : 10_000
}

const pendingByResource = new Store<Record<string, PendingChange>>({})

/** Tracks a change. It replaces an earlier pending change of the same resource. */
export function trackPendingChange(resource: string, change: Omit<PendingChange, 'at'>): void {
  pendingByResource.setState((before) => ({ ...before, [resource]: { ...change, at: Date.now() } }))
}

export function clearPendingChange(resource: string): void {
  pendingByResource.setState((before) => Object.fromEntries(Object.entries(before).filter(([key]) => key !== resource)))
}

/** The latest change of a resource in this session. */
export function usePendingChange(resource: string): PendingChange | undefined {
  return useStore(pendingByResource, (changes) => changes[resource])
}
