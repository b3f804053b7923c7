import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'
import { connectionsQuery } from '#console/api/connections.ts'
import { useOffer } from '#console/api/offers/offers.ts'
import { paths } from '#console/paths/paths.ts'
import type { EventsLink } from '#console/charting/search/eventsLink.ts'
import { search } from '#contract/stack/search.ts'
import type { Zone } from '#domain/time/zone.ts'

export interface ViewEvents {
  /** Why this connection has no search; undefined if it has one. */
  problem: string | undefined
  /** Opens a search on this connection. */
  open: (link: EventsLink) => void
}

/** The way to the search page of a connection. */
export function useViewEvents(connectionId: string | null, zone: Zone): ViewEvents {
  const { data } = useQuery(connectionsQuery)
  const connection = data?.find(({ id }) => id === connectionId)
  const { reason } = useOffer(connection, 'search', search.query.variants)
  const navigate = useNavigate()
  const open = useCallback(
    ({ link }: EventsLink) => {
      if (link && connectionId !== null)
        void navigate({ to: paths.search(connectionId), search: { ...link, ...(zone !== 'local' && { tz: zone }) } })
    },
    [navigate, connectionId, zone],
  )
  return { problem: connectionId === null ? 'This API has no search.' : reason, open }
}
