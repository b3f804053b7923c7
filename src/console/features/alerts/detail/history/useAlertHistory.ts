/** The known windows of an alert: from its history, or computed from a chart query where there is none. */
import { useMemo } from 'react'
import { useQuery } from '@tanstack/react-query'
import { useConnection } from '#console/shell/connection.tsx'
import { useWatchedWindows, type WatchedState } from '#console/charting/watched/useWatchedWindows.ts'
import { type Alert, alerts } from '#contract/stack/alerts.ts'
import { maxTopGroups } from '#contract/stack/charts.ts'
import type { Span } from '#domain/time/span.ts'
import { useFeatureOffer } from '#console/api/offers/useFeatureOffer.ts'
import { q } from '#console/api/queries.ts'
import { computedWindows } from '../model/evaluatedWindows.ts'
import { firingsOfWindows, type Firing, firingsOfCrossings } from '../model/facts.ts'
import { useEvaluations, type Evaluations } from './useEvaluations.ts'

const computedNote = 'Computed from chart queries: this API has no evaluation history.'

export interface AlertHistory {
  evaluations: Evaluations
  /** The newest ones as a tool of the deployment tells them, where the rest is computed. */
  recorded?: Evaluations | undefined
  /** Newest first. */
  firings: readonly Firing[] | undefined
  /** Whether the first read is under way. */
  reading: { windows: boolean; firings: boolean }
  /** The values of the range, for the chart. */
  watched: WatchedState
  /** The API has no evaluations: all of it is computed, but for what is recorded. */
  computed: boolean
  /** Where what is known comes from if not from the API. */
  note?: string | undefined
}

/** Whether the windows are read or computed, or cannot be. */
export function isSettled({ evaluations: { windows, error }, computed, watched }: AlertHistory): boolean {
  return windows !== undefined || error !== null || (computed && watched.kind !== 'loading')
}

export function useAlertHistory(alert: Alert, span: Span): AlertHistory {
  const connection = useConnection()
  const stored = useEvaluations(alert)
  const keeps = stored.offered && stored.origin === undefined
  // A drawing needs no more groups than a chart has; the computation of firings needs all of them.
  const topGroups = keeps ? maxTopGroups : undefined
  const watched = useWatchedWindows({ connection, watching: alert, schedule: alert, range: span, topGroups })
  const storedFirings = useFirings(alert.id)
  const computed = !keeps
  const windows = useMemo(
    () => (computed && watched.kind === 'read' ? computedWindows(alert, watched) : undefined),
    [computed, alert, watched],
  )
  const recorded = stored.origin !== undefined && stored.windows?.length ? stored : undefined
  // Where nothing can be computed, as of an alert that is new, the newest recorded windows are all that is known.
  const isUncomputed = watched.kind === 'unavailable' || windows?.length === 0
  const { windows: known, origin: note = computedNote } = (isUncomputed && recorded) || { windows }
  const firings = useMemo(() => known && firingsOfWindows(known), [known])
  if (!computed) {
    const reading = { windows: !stored.windows && stored.error === null, firings: storedFirings.isReading }
    return { evaluations: stored, firings: storedFirings.firings, reading, watched, computed }
  }
  const failed = watched.kind === 'failed' ? watched : null
  const evaluations: Evaluations = {
    offered: false,
    windows: known,
    error: failed?.error ?? null,
    refetch: () => failed?.refresh(),
    hasMore: false,
    older: { read: () => {}, pending: false, error: null },
  }
  const isReading = watched.kind === 'loading'
  const reading = { windows: isReading, firings: isReading }
  return { evaluations, recorded, firings, reading, watched, computed, note }
}

/** Milliseconds between two reads while the page is visible. */
const pollInterval = 30_000

interface Firings {
  /** Newest first; undefined until they are read, or if the deployment keeps none. */
  firings: readonly Firing[] | undefined
  isReading: boolean
}

/** When an alert fired, according to its history of the last 31 days, which is read behind the evaluations. */
function useFirings(alertId: string): Firings {
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
