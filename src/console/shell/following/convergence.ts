/**
 * Changes that deployments take their time with: nothing tells when the new values are in effect, and answers may show
 * old values or zeros until then. What was asked for is kept for the session, so that every page can follow it.
 */
import { Store, useStore } from '@tanstack/react-store'
import type { Change } from '#console/ui/ChangeTable.tsx'

type Value = number | string | boolean

export interface Asked {
  values: Readonly<Record<string, Value>>
  /** What was in force before, where it was known. */
  former: Readonly<Record<string, Value>>
  changes: readonly Change[]
  /** Epoch milliseconds. */
  at: number
  /** The answer to the write was lost: it may not have been taken at all. */
  uncertain: boolean
}

export type Progress = { state: 'reached' } | { state: 'waiting' | 'late'; open: string[] }

/** How long a deployment may take before it is said that it has not, milliseconds. */
export const patience = 5 * 60_000

/** How far a deployment is with what was asked of it, by what it reports at a time. */
export function progressOf(asked: Asked, reported: Readonly<Record<string, unknown>>, now: number): Progress {
  const open = Object.keys(asked.values).filter((field) => reported[field] !== asked.values[field])
  if (open.length === 0) return { state: 'reached' }
  return { state: now - asked.at >= patience ? 'late' : 'waiting', open }
}

/** Milliseconds until the next look: often at first, then seldom. */
export function lookAgainIn(asked: Asked, now: number): number {
  return now - asked.at < 60_000 ? 2000 : 10_000
}

const all = new Store<Record<string, Asked>>({})

/** Follows a change from now on; a newer one of the same thing takes its place. */
export function follow(thing: string, asked: Omit<Asked, 'at'>): void {
  all.setState((before) => ({ ...before, [thing]: { ...asked, at: Date.now() } }))
}

export function stopFollowing(thing: string): void {
  all.setState((before) => Object.fromEntries(Object.entries(before).filter(([key]) => key !== thing)))
}

/** What was last asked of a thing in this session. */
export function useAsked(thing: string): Asked | undefined {
  return useStore(all, (asked) => asked[thing])
}
