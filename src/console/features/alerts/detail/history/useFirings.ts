/** When an alert fired, according to its history of the last 31 days. */
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useFeatureOffer } from '#console/api/offers/useFeatureOffer.ts'
import { q } from '#console/api/queries.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { alerts } from '#contract/alerts.ts'
import { firingsOfCrossings, type Firing } from '../model/facts.ts'

/** Milliseconds between two reads while the page is visible. */
const pollInterval = 30_000

/** Newest first, read behind the evaluations; undefined until they are read, or if the deployment keeps none. */
export function useFirings(alertId: string): readonly Firing[] | undefined {
  const connection = useConnection()
  const isOffered = useFeatureOffer(connection, alerts.history)
  const { data } = useQuery({
    ...q(connection.id, alerts.history, { params: { alertId } }, { priority: 'background' }),
    enabled: isOffered,
    refetchInterval: pollInterval,
  })
  return useMemo(() => data && firingsOfCrossings(data), [data])
}
