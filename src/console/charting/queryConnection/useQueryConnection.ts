import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { charts } from '#contract/stack/charts.ts'
import type { Connection } from '#contract/console/connections.ts'
import { type Source, sources as sourceEndpoints } from '#contract/stack/sources.ts'
import { connectionsQuery } from '#console/api/connections.ts'
import { useOffer } from '#console/api/offers/offers.ts'
import { q } from '#console/api/queries.ts'
import { matchSources } from '../sourceMatch.ts'
import { useQueryConnectionChoice } from './queryConnectionChoice.ts'

export interface QueryConnection {
  /** The connection that answers for charts; null if none does. */
  connectionId: string | null
  /** Its name, where it is another one than the page's. */
  queryConnectionName: string | null
  /** Why there is no data; null if there is. */
  reason: string | null
  /** ID of a source on the query connection; null if it has none. Undefined while sources are loading. */
  sourceId: ((id: string) => string | null) | undefined
  /** Sources of the page's own connection; undefined until they are known. */
  sources: readonly Source[] | undefined
  /** Sources of the connection that answers; empty until they are known. */
  answering: readonly Source[]
}

/** Where a dashboard's data comes from: the connection itself, or the one that it is paired with. */
export function useQueryConnection(connection: Connection): QueryConnection {
  const offer = useOffer(connection, 'charts', charts.query.variants)
  const { data: connections } = useSuspenseQuery(connectionsQuery)
  const choice = useQueryConnectionChoice(connection, connections)
  const partner = offer.offered ? undefined : connections.find(({ id }) => id === choice?.connectionId)
  const own = useQuery(q(connection.id, sourceEndpoints.list, {}))
  const partnerSources = useQuery({ ...q(partner?.id ?? '', sourceEndpoints.list, {}), enabled: partner !== undefined })
  const chosen = choice?.sources
  const failed = own.isError || partnerSources.isError

  return useMemo(() => {
    const shared = {
      sources: own.data,
      queryConnectionName: partner?.name ?? null,
      answering: partnerSources.data ?? [],
    }
    if (offer.offered) {
      const known = own.data && new Set(own.data.map(({ id }) => id))
      const sourceId = known || own.isError ? (id: string) => (known && !known.has(id) ? null : id) : undefined
      return { ...shared, connectionId: connection.id, reason: null, sourceId, answering: own.data ?? [] }
    }
    if (!partner) return { ...shared, connectionId: null, reason: noChartQueries, sourceId: undefined }
    if (failed) {
      return {
        ...shared,
        connectionId: null,
        reason: `The sources could not be matched with those of ${partner.name}.`,
        sourceId: undefined,
      }
    }
    if (!own.data || !partnerSources.data)
      return { ...shared, connectionId: partner.id, reason: null, sourceId: undefined }
    const matches = new Map(
      matchSources(own.data, partnerSources.data, chosen ?? {}).map(({ reference, to }) => [reference.id, to?.id]),
    )
    return { ...shared, connectionId: partner.id, reason: null, sourceId: (id: string) => matches.get(id) ?? null }
  }, [offer.offered, connection.id, partner, own.data, own.isError, partnerSources.data, failed, chosen])
}

const noChartQueries = 'This API has no chart queries.'
