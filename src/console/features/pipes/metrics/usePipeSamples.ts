/** What the gateway sampled of the pipes of a connection, asked for while a page that shows it is in sight. */
import { useQuery } from '@tanstack/react-query'
import { ApiFailure } from '#console/api/failure.ts'
import { noteOffer, useOffer } from '#console/api/offers.ts'
import { send } from '#console/api/send.ts'
import type { Connection } from '#contract/connections.ts'
import { gatewayPaths } from '#contract/gatewayWire.ts'
import { fillPath } from '#contract/kernel.ts'
import type { PipeSample, PipeSamples } from '#contract/pipeSamples.ts'
import { prometheus } from '#contract/prometheus.ts'

/** Milliseconds between two looks at the gateway's memory: the deployment is asked at the gateway's own pace. */
const lookPace = 5_000

interface Range {
  /** One pipe, or all. */
  pipe?: string
  minutes: number
}

export interface Sampled {
  /** By the id of the pipe, oldest first. */
  samples: ReadonlyMap<string, readonly PipeSample[]>
  /** Undefined until the gateway has answered. */
  state: PipeSamples | undefined
  /** Why the newest samples are missing. */
  error: Error | null
  /** Has the gateway sample now, also where it had given up. */
  retry(): void
}

/** Keeps the gateway sampling for as long as the page is in sight. */
export function usePipeSamples(connection: Connection, { pipe, minutes }: Range): Sampled {
  const { offered } = useOffer(connection, 'prometheus', prometheus.organization.variants)
  const path = fillPath(gatewayPaths.pipeSamples, { connectionId: connection.id })
  const ask = async (more: Record<string, string>, signal?: AbortSignal) => {
    const query = new URLSearchParams({ minutes: String(minutes), ...(pipe === undefined ? {} : { pipe }), ...more })
    const state = await send<PipeSamples>(`${path}?${query}`, { signal })
    if (state.error?.code === 'notOffered') noteOffer(connection.id, prometheus.organization, 'notOffered')
    return state
  }
  const query = useQuery({
    queryKey: [connection.id, 'prometheus', 'samples', pipe, minutes],
    queryFn: ({ signal }) => ask({}, signal),
    select: withSamples,
    enabled: offered,
    staleTime: 0,
    refetchInterval: lookPace,
  })
  const { samples = none, state } = query.data ?? {}
  return {
    samples,
    state,
    error: query.error ?? (state?.error ? new ApiFailure(state.error) : null),
    // What comes of it is seen by the look that follows, its failure too.
    retry: () =>
      void ask({ retry: 'true' })
        .finally(() => query.refetch())
        .catch(() => {}),
  }
}

const none: ReadonlyMap<string, readonly PipeSample[]> = new Map()

function withSamples(state: PipeSamples) {
  return { state, samples: new Map(state.pipes.map(({ id, samples }) => [id, samples])) }
}
