/** The rate limit of each connection's key, as last reported by the gateway. */
import { Store, useStore } from '@tanstack/react-store'
import { budgetHeaders, gatewayPaths, type BudgetState } from '#contract/wire/gatewayWire.ts'
import { send } from './send.ts'

export interface RateLimit {
  limit: number
  remaining: number
  /** Epoch milliseconds at which the limit is fully available again. */
  resetAt: number
  /** Epoch milliseconds at which the next request can be sent. */
  nextAt: number
  /** Requests that wait in the gateway. */
  waiting: number
}

const rateLimits = new Store<Record<string, RateLimit>>({})

/** Records the `x-budget-*` headers of a response. Relative seconds become absolute times. */
export function recordRateLimit(connectionId: string, headers: Headers, now = Date.now()): void {
  const limit = numberOf(headers, budgetHeaders.limit)
  const remaining = numberOf(headers, budgetHeaders.remaining)
  if (limit === null || remaining === null) return
  const reset = numberOf(headers, budgetHeaders.reset) ?? 0
  const next = numberOf(headers, budgetHeaders.next) ?? 0
  // Waiting requests are only in the gateway's own state, not in headers.
  const waiting = rateLimits.state[connectionId]?.waiting ?? 0
  keep(connectionId, { limit, remaining, reset, next, waiting }, now)
}

/** Reads the state from the gateway without a request to the deployment. Keeps the last state when that fails. */
export async function fetchRateLimit(connectionId: string): Promise<void> {
  const path = gatewayPaths.connectionBudget.replace('{connectionId}', encodeURIComponent(connectionId))
  const state = await send<BudgetState | null>(path).catch(() => null)
  if (state) keep(connectionId, state, Date.now())
}

/** Records that no request of this page is waiting. */
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

/** The rate limit of a connection; undefined until it is known. */
export function useRateLimit(connectionId: string | undefined): RateLimit | undefined {
  return useStore(rateLimits, (all) => (connectionId === undefined ? undefined : all[connectionId]))
}
