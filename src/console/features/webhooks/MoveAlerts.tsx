import { useCallback, useMemo, useState } from 'react'
import { alertName, type Names } from '#console/references/alertNames.ts'
import { AlertChangeDialog } from '#console/shell/alerts/AlertChangeDialog.tsx'
import { WebhookInput } from '#console/shell/alerts/WebhookInput.tsx'
import { counted } from '#domain/text/words.ts'
import type { Alert } from '#contract/alerts.ts'
import type { AlertChange } from '#domain/alerting/alertChange.ts'

interface MoveAlertsProps {
  /** The webhook that they leave. */
  webhookId: string
  alerts: readonly Alert[]
  names: Names
  onClose: () => void
}

/** Replaces a webhook by another one in all alerts that use it. */
export function MoveAlerts({ webhookId, alerts, names, onClose }: MoveAlertsProps) {
  const [to, setTo] = useState('')
  const change = useMemo(
    (): AlertChange | undefined => (to ? { kind: 'replaceWebhook', from: webhookId, to } : undefined),
    [webhookId, to],
  )
  const nameOf = useCallback((alert: Alert) => alertName(alert, names), [names])
  return (
    <AlertChangeDialog
      title={`Move ${counted(alerts.length, 'alert')} to another webhook`}
      alerts={alerts}
      names={names}
      nameOf={nameOf}
      change={change}
      missing="Choose a webhook first."
      onClose={onClose}
    >
      <WebhookInput label="New webhook" value={to} onChange={setTo} except={webhookId} />
    </AlertChangeDialog>
  )
}
