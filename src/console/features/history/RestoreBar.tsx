import { useQuery } from '@tanstack/react-query'
import { restorePlanQuery } from '#console/api/gateway/runs.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { PlanSummary } from '#console/records/runs/PlanSummary.tsx'
import { Button } from '#console/ui/base/Button.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { DisabledReason } from '#console/ui/hint/DisabledReason.tsx'
import { BottomBar } from '#console/ui/layout/BottomBar.tsx'
import { Spacer } from '#console/ui/layout/Spacer.tsx'
import { useSettled } from '#console/ui/useSettled.ts'
import { formatMoment } from '#console/ui/time/formatTime.ts'
import * as css from './history.module.css'

interface RestoreBarProps {
  at: string
  onReview: (at: string) => void
  onClear: () => void
}

/** Milliseconds that the mark must rest before a plan is made. */
const delay = 400

/** The plan that takes the connection back to the chosen moment. */
export function RestoreBar({ at, onReview, onClear }: RestoreBarProps) {
  const connection = useConnection()
  const settled = useSettled(at, delay)
  const { data, error } = useQuery(restorePlanQuery(connection.id, { time: settled }))
  const changes = data && data.counts.create + data.counts.update + data.counts.delete
  const reason = changes === 0 ? 'There is nothing to do: the connection is as it was.' : undefined
  return (
    <BottomBar label="Restore">
      <div className={css.historyBar}>
        <b>Restore to {formatMoment(at)}</b>
        {data && settled === at && <PlanSummary plan={data} />}
        {!data && !error && <Text color="textSecondary">Comparing with what the connection has now…</Text>}
        {error && <Text color="error">{error.message}</Text>}
        <Spacer />
        <Button onClick={onClear}>Cancel</Button>
        <DisabledReason reason={reason}>
          <Button variant="contained" color="primary" disabled={reason !== undefined} onClick={() => onReview(at)}>
            Review plan
          </Button>
        </DisabledReason>
      </div>
    </BottomBar>
  )
}
