import { useConnection } from '#console/shell/connection.tsx'
import { useWatchedUnit } from '#console/charting/watched/useWatchedUnit.ts'
import type { Alert } from '#contract/stack/alerts.ts'
import { formatCondition } from './alertLabels.ts'

/** The condition of an alert on a tile, with the threshold in the unit of the tile's values. */
export function ConditionInUnit({ alert }: { alert: Alert }) {
  return formatCondition(alert, useWatchedUnit(useConnection(), alert))
}
