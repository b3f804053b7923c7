import { useQuery } from '@tanstack/react-query'
import { useOffer } from '#console/api/offers/offers.ts'
import { q } from '#console/api/queries.ts'
import { alerts } from '#contract/stack/alerts.ts'
import type { Connection } from '#contract/console/connections.ts'

/** Milliseconds between two reads of the list while the window is visible, whoever reads it. */
const pollInterval = 60_000

/** The read of the frame on every page of a connection. The build lists it (`console/prerender.tsx`). */
export const firingRead = alerts.list

/** Keeps the list of alerts up to date for the number that fires: in the background, where alerts are offered. */
export function FiringAlertsPoll({ connection }: { connection: Connection }) {
  const { offered } = useOffer(connection, 'alerts', firingRead.variants)
  useQuery({
    ...q(connection.id, firingRead, {}, { priority: 'background' }),
    enabled: offered,
    staleTime: pollInterval,
    refetchInterval: ({ state: { dataUpdatedAt, errorUpdatedAt } }) =>
      untilNext(Math.max(dataUpdatedAt, errorUpdatedAt)),
  })
  return null
}

/** A read by a page counts, so that the list is not read twice. */
function untilNext(readAt: number): number {
  return readAt === 0 ? pollInterval : Math.max(1000, readAt + pollInterval - Date.now())
}
