/** Polls the samples that the gateway keeps for the pipes of a connection. */
import { pagePaths } from '#contract/pagePaths.ts'
import { useQuery } from '@tanstack/react-query'
import { ApiFailure } from '#console/api/failure.ts'
import { recordOffer, useOffer } from '#console/api/offers.ts'
import { queryClient } from '#console/api/queryClient.ts'
import { send } from '#console/api/send.ts'
import type { Connection } from '#contract/connections.ts'
import { fillPath } from '#contract/kernel.ts'
import type { PipeSamples } from '#contract/pipeSamples.ts'
import { prometheus } from '#contract/prometheus.ts'
import { mergeSamples, type History, type Samples } from './sampleHistory.ts'

/** Milliseconds between two polls of the gateway. It samples the deployment at its own interval. */
const pollInterval = 5_000

interface Range {
  /** Pipe IDs. All pipes if omitted. */
  pipes?: readonly string[]
  minutes: number
}

export interface PipeSampling {
  /** Samples by pipe ID, oldest first. */
  samples: Samples
  /** Undefined until the first response. */
  state: History['state'] | undefined
  /** Why the newest samples are missing. */
  error: Error | null
  /** Makes the gateway sample now, even if sampling has stopped. */
  retry(): void
}

/** Keeps the gateway sampling while the page is visible. */
export function usePipeSamples(connection: Connection, { pipes, minutes }: Range): PipeSampling {
  const { offered } = useOffer(connection, 'prometheus', prometheus.organization.variants)
  const path = fillPath(pagePaths.pipeSamples, { connectionId: connection.id })
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
    // mergeSamples keeps unchanged parts identical.
    structuralSharing: false,
  })
  const { samples = none, state } = query.data ?? {}
  return {
    samples,
    state,
    error: query.error ?? (state?.error ? new ApiFailure(state.error) : null),
    // The refetch shows the result, including a failure.
    retry: () =>
      void fetchSamples({ retry: 'true' })
        .finally(() => query.refetch())
        .catch(() => {}),
  }
}

const none: Samples = new Map()
