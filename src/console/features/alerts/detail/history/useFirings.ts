/** When an alert fired, according to its history of the last 31 days. */
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useFeatureOffer } from '#console/api/offers/useFeatureOffer.ts'
import { q } from '#console/api/queries.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { alerts } from '#contract/stack/alerts.ts'
import { firingsOfCrossings, type Firing } from '../model/facts.ts'

/** Milliseconds between two reads while the page is visible. */
const pollInterval = 30_000

interface Firings {
  /** Newest first; undefined until they are read, or if the deployment keeps none. */
  firings: readonly Firing[] | undefined
  isReading: boolean
}

/** They are read behind the evaluations. */
export function useFirings(alertId: string): Firings {
  const connection = useConnection()
  const isOffered = useFeatureOffer(connection, alerts.history)
  const { data, isLoading } = useQuery({
    ...q(connection.id, alerts.history, { params: { alertId } }, { priority: 'background' }),
    enabled: isOffered,
    refetchInterval: pollInterval,
  })
  const firings = useMemo(() => data && firingsOfCrossings(data), [data])
  return { firings, isReading: isLoading }
}
