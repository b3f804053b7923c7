/** Which open-source connection answers for a managed one that cannot: kept in this browser. Holds ids only. */
import { Store, useStore } from '@tanstack/react-store'
import { z } from 'zod'
import type { Connection } from '#contract/connections.ts'

const pairing = z.object({
  /** The connection that is asked. */
  connectionId: z.string(),
  /** Sources that were matched by hand: id here to id there. */
  sources: z.record(z.string(), z.string()).catch({}),
})
export type Pairing = z.output<typeof pairing>

/** null: unpaired by hand. */
const pairings = z.record(z.string(), pairing.nullable())
type Pairings = z.output<typeof pairings>
const key = 'stack-console.pairings'

const store = new Store<Pairings>(load())

function load(): Pairings {
  try {
    return pairings.parse(JSON.parse(localStorage.getItem(key) ?? '{}'))
  } catch {
    return {}
  }
}

type Address = Pick<Connection, 'id' | 'variant' | 'baseUrl'>

/** What was chosen for a connection, or else the default; null where it is not paired. */
export function usePairing(connection: Address, all: readonly Address[]): Pairing | null {
  const chosen = useStore(store, (pairings) => pairings[connection.id])
  return chosen === undefined ? defaultPairing(connection, all) : chosen
}

/** A managed connection is paired with the first open-source connection at the same address: it is the same deployment. */
export function defaultPairing({ variant, baseUrl }: Address, all: readonly Address[]): Pairing | null {
  if (variant !== 'managed') return null
  const partner = all.find((one) => one.variant === 'openSource' && one.baseUrl === baseUrl)
  return partner ? { connectionId: partner.id, sources: {} } : null
}

/** Pairs a connection, or unpairs it with null. */
export function setPairing(connectionId: string, next: Pairing | null): void {
  store.setState((before) => ({ ...before, [connectionId]: next }))
  try {
    localStorage.setItem(key, JSON.stringify(store.state))
  } catch {
    // Kept until the page is closed, where the browser keeps nothing.
  }
}
