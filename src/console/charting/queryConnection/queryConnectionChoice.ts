/** Which open-source connection queries data for a managed one. Stored in this browser; holds ids only. */
import { Store, useStore } from '@tanstack/react-store'
import { z } from 'zod'
import type { Connection } from '#contract/console/connections.ts'

const choice = z.object({
  /** The connection that receives the queries. */
  connectionId: z.string(),
  /** Sources that were matched by the user: ID here to ID there. */
  sources: z.record(z.string(), z.string()).catch({}),
})
type QueryConnectionChoice = z.output<typeof choice>

/** null: the user selected no connection. */
const choices = z.record(z.string(), choice.nullable())
type QueryConnectionChoices = z.output<typeof choices>
const key = 'stack-console.pairings'

const store = new Store<QueryConnectionChoices>(load())

function load(): QueryConnectionChoices {
  try {
    return choices.parse(JSON.parse(localStorage.getItem(key) ?? '{}'))
  } catch {
    return {}
  }
}

type Address = Pick<Connection, 'id' | 'variant' | 'baseUrl'>

/** The connection that was chosen for a connection, or else the default; null if it is not paired. */
export function useQueryConnectionChoice(connection: Address, all: readonly Address[]): QueryConnectionChoice | null {
  const chosen = useStore(store, (choices) => choices[connection.id])
  return chosen === undefined ? defaultQueryConnectionChoice(connection, all) : chosen
}

/** A managed connection is paired with the first open-source connection at the same address: it is the same deployment. */
export function defaultQueryConnectionChoice(
  { variant, baseUrl }: Address,
  all: readonly Address[],
): QueryConnectionChoice | null {
  if (variant !== 'managed') return null
  const partner = all.find((candidate) => candidate.variant === 'openSource' && candidate.baseUrl === baseUrl)
  return partner ? { connectionId: partner.id, sources: {} } : null
}

/** Pairs a connection, or unpairs it with null. */
export function setQueryConnectionChoice(connectionId: string, next: QueryConnectionChoice | null): void {
  store.setState((before) => ({ ...before, [connectionId]: next }))
  try {
    localStorage.setItem(key, JSON.stringify(store.state))
  } catch {
    // Kept until the page is closed, where the browser keeps nothing.
  }
}
