/** How many requests a connection's key has left, as the gateway last said. */
import { Store, useStore } from '@tanstack/react-store'
import { budgetHeaders } from '#contract/gatewayWire.ts'

export interface Budget {
  limit: number
  remaining: number
  /** Epoch milliseconds at which the count starts anew. */
  resetAt: number
}

const budgets = new Store<Record<string, Budget>>({})

/** Reads the `x-budget-*` headers of an answer. Seconds until the reset become a moment. */
export function noteBudget(connectionId: string, headers: Headers, now = Date.now()): void {
  const limit = numberOf(headers, budgetHeaders.limit)
  const remaining = numberOf(headers, budgetHeaders.remaining)
  if (limit === null || remaining === null) return
  const resetAt = now + (numberOf(headers, budgetHeaders.reset) ?? 0) * 1000
  budgets.setState((all) => ({ ...all, [connectionId]: { limit, remaining, resetAt } }))
}

function numberOf(headers: Headers, name: string): number | null {
  const value = Number(headers.get(name) ?? Number.NaN)
  return Number.isFinite(value) ? value : null
}

/** The budget of a connection; undefined until an answer told. */
export function useBudget(connectionId: string | undefined): Budget | undefined {
  return useStore(budgets, (all) => (connectionId === undefined ? undefined : all[connectionId]))
}
