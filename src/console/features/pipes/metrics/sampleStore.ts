/** Samples of this session: the API tells only what is now. */
import { Store, useStore } from '@tanstack/react-store'
import { useQuery } from '@tanstack/react-query'
import { call } from '#console/api/call.ts'
import { useOffer } from '#console/api/offers.ts'
import type { Connection } from '#contract/connections.ts'
import { prometheus } from '#contract/prometheus.ts'
import { readSamples, type PipeSample } from './samples.ts'

type Samples = ReadonlyMap<string, readonly PipeSample[]>

const store = new Store<Record<string, Samples>>({})

/** Kept of each pipe: two hours at the usual pace. */
const most = 480

/** Milliseconds between two scrapes; closer at first, so that a rate can be told soon. */
const pace = 15_000
const firstPace = 5000
const firstScrapes = 3

/** The samples with those of a scrape behind them. */
export function withScrape(before: Samples, scrape: ReadonlyMap<string, PipeSample>): Samples {
  const after = new Map(before)
  for (const [id, sample] of scrape) after.set(id, [...(before.get(id) ?? []), sample].slice(-most))
  return after
}

/**
 * Samples the metrics of all pipes of a connection while a page that shows them is in sight: one request for the whole
 * organization, behind everything that a person waits for.
 */
export function useSampling(connection: Connection) {
  const { offered } = useOffer(connection, 'prometheus', prometheus.organization.variants)
  return useQuery({
    queryKey: [connection.id, 'prometheus', 'samples'],
    queryFn: async ({ signal }) => {
      const input = { query: { filtered_metrics: 'true' as const } }
      const text = await call(connection.id, prometheus.organization, input, { signal, priority: 'background' })
      const at = Date.now()
      const scrape = readSamples(text, at)
      store.setState((all) => ({ ...all, [connection.id]: withScrape(all[connection.id] ?? new Map(), scrape) }))
      return at
    },
    enabled: offered,
    staleTime: firstPace,
    refetchInterval: ({ state }) => (state.dataUpdateCount < firstScrapes ? firstPace : pace),
  })
}

const none: readonly PipeSample[] = []
const noPipes: Samples = new Map()

/** What is known of one pipe, oldest first. */
export function useSamples(connectionId: string, pipeId: string): readonly PipeSample[] {
  return useStore(store, (all) => all[connectionId]?.get(pipeId) ?? none)
}

/** What is known of every pipe of a connection. */
export function useAllSamples(connectionId: string): Samples {
  return useStore(store, (all) => all[connectionId] ?? noPipes)
}
