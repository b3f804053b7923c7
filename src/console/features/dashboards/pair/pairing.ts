/** Which open-source connection answers for a managed one that cannot: kept in this browser. Holds ids only. */
import { Store, useStore } from '@tanstack/react-store'
import { z } from 'zod'

const pairing = z.object({
  /** The connection that is asked. */
  connectionId: z.string(),
  /** Sources that were matched by hand: id here to id there. */
  sources: z.record(z.string(), z.string()).catch({}),
})
export type Pairing = z.output<typeof pairing>

const pairings = z.record(z.string(), pairing)
const key = 'stack-console.pairings'

const store = new Store<Record<string, Pairing>>(load())

function load(): Record<string, Pairing> {
  try {
    return pairings.parse(JSON.parse(localStorage.getItem(key) ?? '{}'))
  } catch {
    return {}
  }
}

export function usePairing(connectionId: string): Pairing | undefined {
  return useStore(store, (all) => all[connectionId])
}

/** Pairs a connection, or ends its pairing with null. */
export function setPairing(connectionId: string, next: Pairing | null): void {
  store.setState(({ [connectionId]: _before, ...rest }) => (next ? { ...rest, [connectionId]: next } : rest))
  try {
    localStorage.setItem(key, JSON.stringify(store.state))
  } catch {
    // Kept until the page is closed, where the browser keeps nothing.
  }
}
