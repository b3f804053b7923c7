import type { Alert } from '#contract/alerts.ts'
import { Text } from '#console/ui/base/Text.tsx'

interface SkippedAlertsProps {
  rows: readonly { alert: Alert; reason: string }[]
  nameOf: (alert: Alert) => string
}

/** The alerts that a bulk change skips, each with the reason. */
export function SkippedAlerts({ rows, nameOf }: SkippedAlertsProps) {
  if (rows.length === 0) return null
  return (
    <Text component="div" color="textSecondary">
      Skipped:
      <ul style={{ margin: 0, paddingLeft: 16, maxHeight: 160, overflow: 'auto' }}>
        {rows.map(({ alert, reason }) => (
          <li key={alert.id}>
            {nameOf(alert)}: {reason}
          </li>
        ))}
      </ul>
    </Text>
  )
}
