/** What the gateway sampled of the pipes of a connection, asked for while a page that shows it is in sight. */
import { useQuery } from '@tanstack/react-query'
import { ApiFailure } from '#console/api/failure.ts'
import { recordOffer, useOffer } from '#console/api/offers.ts'
import { queryClient } from '#console/api/queryClient.ts'
import { send } from '#console/api/send.ts'
import type { Connection } from '#contract/connections.ts'
import { gatewayPaths } from '#contract/gatewayWire.ts'
import { fillPath } from '#contract/kernel.ts'
import type { PipeSamples } from '#contract/pipeSamples.ts'
import { prometheus } from '#contract/prometheus.ts'
import { mergeSamples, type History, type Samples } from './sampleHistory.ts'

/** Milliseconds between two looks at the gateway's memory: the deployment is asked at the gateway's own pace. */
const pollInterval = 5_000

interface Range {
  /** Ids; all pipes where it is left out. */
  pipes?: readonly string[]
  minutes: number
}

export interface PipeSampling {
  /** By the id of the pipe, oldest first. */
  samples: Samples
  /** Undefined until the gateway has answered. */
  state: History['state'] | undefined
  /** Why the newest samples are missing. */
  error: Error | null
  /** Has the gateway sample now, also where it had given up. */
  retry(): void
}

/** Keeps the gateway sampling for as long as the page is in sight. */
export function usePipeSamples(connection: Connection, { pipes, minutes }: Range): PipeSampling {
  const { offered } = useOffer(connection, 'prometheus', prometheus.organization.variants)
  const path = fillPath(gatewayPaths.pipeSamples, { connectionId: connection.id })
  const ids = pipes?.join(',')
  const queryKey = [connection.id, 'prometheus', 'samples', ids, minutes]
  const fetchSamples = async (more: Record<string, string>, signal?: AbortSignal) => {
    const query = new URLSearchParams({
      minutes: String(minutes),
      ...(ids === undefined ? {} : { pipes: ids }),
      ...more,
    })
    const answer = await send<PipeSamples>(`${path}?${query}`, { signal })
    if (answer.error?.code === 'notOffered') recordOffer(connection.id, prometheus.organization, 'notOffered')
    return answer
  }
  const query = useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const before = queryClient.getQueryData<History>(queryKey)
      const { run, at } = before?.state ?? {}
      const known = run === undefined ? {} : { run, ...(at == null ? {} : { after: String(at) }) }
      return mergeSamples(before, await fetchSamples(known, signal), minutes)
    },
    enabled: offered && ids !== '',
    staleTime: 0,
    refetchInterval: pollInterval,
    // It is compared where it is merged.
    structuralSharing: false,
  })
  const { samples = none, state } = query.data ?? {}
  return {
    samples,
    state,
    error: query.error ?? (state?.error ? new ApiFailure(state.error) : null),
    // What comes of it is seen by the look that follows, its failure too.
    retry: () =>
      void fetchSamples({ retry: 'true' })
        .finally(() => query.refetch())
        .catch(() => {}),
  }
}

const none: Samples = new Map()
