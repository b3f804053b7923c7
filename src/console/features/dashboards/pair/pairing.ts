/** Which open-source connection answers for a managed one that cannot: kept in this browser. Holds ids only. */
import { Store, useStore } from '@tanstack/react-store'
import { z } from 'zod'
import type { Source } from '#contract/sources.ts'
import { matchSource, type SourceMatch } from '#console/api/sourceMatch.ts'

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

/** The source there for each source here: chosen by hand, or else the one that agrees in kind, name and table. */
export function matchPaired(
  own: readonly Source[],
  there: readonly Source[],
  chosen: Pairing['sources'],
): SourceMatch[] {
  return own.map((source) => {
    const byHand = there.find(({ id }) => id === chosen[source.id])
    return byHand ? { wanted: source, to: byHand, how: 'chosen by hand' } : matchSource(source, there)
  })
}
