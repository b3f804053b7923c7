/** Polls samples that the gateway keeps of a connection's metrics. */
import { useQuery } from '@tanstack/react-query'
import { ApiFailure } from '#console/api/failure.ts'
import { recordOffer, useOffer } from '#console/api/offers/offers.ts'
import { queryClient } from '#console/api/queryClient.ts'
import { send } from '#console/api/send.ts'
import type { Connection } from '#contract/console/connections.ts'
import { fillPath } from '#contract/wire/kernel.ts'
import type { SamplingState } from '#contract/console/sampling/pipeSamples.ts'
import { prometheus } from '#contract/cloud/prometheus.ts'
import { mergeSamples, type History, type SampleGroups, type Samples } from './sampleHistory.ts'

/** Milliseconds between two polls of the gateway. It samples the deployment at its own interval. */
const pollInterval = 5_000

export interface Sampling<S> {
  /** Samples by ID, oldest first. */
  samples: Samples<S>
  /** Undefined until the first response. */
  state: SamplingState | undefined
  /** Why the newest samples are missing. */
  error: Error | null
  /** Makes the gateway sample now, even if sampling has stopped. */
  retry(): void
}

interface SamplesOptions<S, Response> {
  /** The gateway's path, with `{connectionId}`. */
  path: string
  /** Which samples; null for none. */
  query: Record<string, string> | null
  minutes: number
  /** The samples of a response; none without new ones. */
  groupsOf: (response: Response) => SampleGroups<S>
}

/** Keeps the gateway sampling while the page is visible. */
export function useSamples<S extends { at: number }, Response extends SamplingState>(
  connection: Connection,
  { path, query: which, minutes, groupsOf }: SamplesOptions<S, Response>,
): Sampling<S> {
  const { offered } = useOffer(connection, 'prometheus', prometheus.organization.variants)
  const address = fillPath(path, { connectionId: connection.id })
  const queryKey = [connection.id, 'prometheus', 'samples', path, which, minutes]
  const fetchSamples = async (more: Record<string, string>, signal?: AbortSignal) => {
    const parameters = new URLSearchParams({ minutes: String(minutes), ...which, ...more })
    const answer = await send<Response>(`${address}?${parameters}`, { signal })
    if (answer.error?.code === 'notOffered') recordOffer(connection.id, prometheus.organization, 'notOffered')
    return answer
  }
  const query = useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const before = queryClient.getQueryData<History<S>>(queryKey)
      const { run, at } = before?.state ?? {}
      const known = run === undefined ? {} : { run, ...(at == null ? {} : { after: String(at) }) }
      const answer = await fetchSamples(known, signal)
      const { run: itsRun, at: itsTime, pace, slowed, error } = answer
      return mergeSamples(before, { run: itsRun, at: itsTime, pace, slowed, error }, groupsOf(answer), minutes)
    },
    enabled: offered && which !== null,
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

const none: Samples<never> = new Map()
