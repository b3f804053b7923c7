/** The changes in a time range, as the console's own server knows it. */
import { queryOptions } from '@tanstack/react-query'
import { fillPath } from '#contract/wire/kernel.ts'
import type { MarkerList } from '#contract/console/markers.ts'
import { pagePaths } from '#contract/console/pagePaths.ts'
import { send } from '../send.ts'

export interface MarkersInput {
  connectionId: string
  /** Epoch milliseconds. */
  span: { from: number; to: number }
  kinds: readonly string[]
  /** The service of the data pipes that are shown. */
  serviceId?: string | undefined
  /** The connection whose data is shown, if it is another one: its deployments are marked, too. */
  deploymentsOf?: string | undefined
}

/** Ranges are asked for in whole minutes: charts that move on by seconds ask once. */
const step = 60_000

/** Changes in the span and up to a minute around it, the oldest first. */
export const markersQuery = ({ connectionId, span, kinds, serviceId, ...input }: MarkersInput) => {
  const deploymentsOf = input.deploymentsOf === connectionId ? undefined : input.deploymentsOf
  const from = new Date(Math.floor(span.from / step) * step).toISOString()
  const to = new Date(Math.ceil((span.to + 1) / step) * step).toISOString()
  const asked = kinds.join(',')
  return queryOptions({
    queryKey: ['history', connectionId, 'markers', serviceId, deploymentsOf, asked, from, to],
    queryFn: ({ signal }) => {
      const query = new URLSearchParams({
        from,
        to,
        kinds: asked,
        ...(serviceId !== undefined && { serviceId }),
        ...(deploymentsOf !== undefined && { deploymentsOf }),
      })
      return send<MarkerList>(`${fillPath(pagePaths.markers, { connectionId })}?${query.toString()}`, { signal })
    },
    staleTime: 10_000,
    // While a chart moves on, its marks stay.
    placeholderData: (before, former) =>
      former?.queryKey[1] === connectionId && former.queryKey[3] === serviceId ? before : undefined,
    retry: false,
    // Versions that are new are looked for while the rest is shown.
    refetchInterval: ({ state }) => (state.data?.isLooking ? 3_000 : false),
  })
}
