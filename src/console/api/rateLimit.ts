/** How many requests a connection's key has left, as the gateway last said. */
import { Store, useStore } from '@tanstack/react-store'
import { budgetHeaders, gatewayPaths, type BudgetState } from '#contract/gatewayWire.ts'
import { send } from './send.ts'

export interface RateLimit {
  limit: number
  remaining: number
  /** Epoch milliseconds at which all are there again. */
  resetAt: number
  /** Epoch milliseconds at which the next request may go. */
  nextAt: number
  /** Requests that wait for one. */
  waiting: number
}

const rateLimits = new Store<Record<string, RateLimit>>({})

/** Reads the `x-budget-*` headers of an answer. Seconds until something become a moment. */
export function recordRateLimit(connectionId: string, headers: Headers, now = Date.now()): void {
  const limit = numberOf(headers, budgetHeaders.limit)
  const remaining = numberOf(headers, budgetHeaders.remaining)
  if (limit === null || remaining === null) return
  const reset = numberOf(headers, budgetHeaders.reset) ?? 0
  const next = numberOf(headers, budgetHeaders.next) ?? 0
  // Whether others wait is told by the gateway alone, when it is asked.
  const waiting = rateLimits.state[connectionId]?.waiting ?? 0
  keep(connectionId, { limit, remaining, reset, next, waiting }, now)
}

/** Asks the gateway; the deployment is not asked. Keeps what is known when that fails. */
export async function fetchRateLimit(connectionId: string): Promise<void> {
  const path = gatewayPaths.connectionBudget.replace('{connectionId}', encodeURIComponent(connectionId))
  const state = await send<BudgetState | null>(path).catch(() => null)
  if (state) keep(connectionId, state, Date.now())
}

/** Nothing of this page waits any more. */
export function clearWaiting(connectionId: string): void {
  const known = rateLimits.state[connectionId]
  if (known && known.waiting > 0) rateLimits.setState((all) => ({ ...all, [connectionId]: { ...known, waiting: 0 } }))
}

function keep(connectionId: string, { limit, remaining, reset, next, waiting }: BudgetState, now: number): void {
  const rateLimit = { limit, remaining, resetAt: now + reset * 1000, nextAt: now + next * 1000, waiting }
  rateLimits.setState((all) => ({ ...all, [connectionId]: rateLimit }))
}

function numberOf(headers: Headers, name: string): number | null {
  const value = Number(headers.get(name) ?? Number.NaN)
  return Number.isFinite(value) ? value : null
}

/** The budget of a connection; undefined until it was told. */
export function useRateLimit(connectionId: string | undefined): RateLimit | undefined {
  return useStore(rateLimits, (all) => (connectionId === undefined ? undefined : all[connectionId]))
}
