/** Says that the alerts of this deployment are evaluated late, or never. */
import { useQuery } from '@tanstack/react-query'
import { useFeatureOffer } from '#console/api/offers/useFeatureOffer.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { useNow } from '#console/ui/Timestamp.tsx'
import { alerts } from '#contract/stack/alerts.ts'
import { formatMoment } from '#console/ui/time/formatTime.ts'
import { evaluationQuery } from './list/evaluationQuery.ts'

/** Milliseconds between two reads while the page is visible. */
const pollInterval = 60_000
/** An answer older than this is not shown: passes may have caught up since. */
const maxAge = 2 * pollInterval

/** Nothing while the evaluation is on time, or its status is unknown. */
export function LateEvaluation({ className }: { className?: string }) {
  const connection = useConnection()
  const offered = useFeatureOffer(connection, alerts.evaluationStatus)
  const now = useNow()
  const { data, isError, dataUpdatedAt } = useQuery({
    ...evaluationQuery(connection.id),
    enabled: offered,
    refetchInterval: ({ state }) => state.status !== 'error' && pollInterval,
  })
  if (offered && data?.unevaluated) {
    return (
      <div className={className}>
        <Notice tone="info">Alerts are not evaluated here. {data.unevaluated}</Notice>
      </div>
    )
  }
  if (!offered || isError || !data?.late || data.lastPassAt === null || now - dataUpdatedAt > maxAge) return null
  return (
    <div className={className}>
      <Notice tone="warning" role="status">
        Alerts are evaluated late: last pass at {formatMoment(data.lastPassAt)}.
      </Notice>
    </div>
  )
}
