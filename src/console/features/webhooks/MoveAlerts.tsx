import { useCallback, useMemo } from 'react'
import { useWatch } from 'react-hook-form'
import { z } from 'zod'
import { alertName, type Names } from '#console/usages/alertNames.ts'
import { AlertChangeDialog } from '#console/records/alerts/AlertChangeDialog.tsx'
import { WebhookField } from '#console/records/alerts/WebhookField.tsx'
import { useSchemaForm } from '#console/ui/form/useSchemaForm.ts'
import { counted } from '#domain/text/words.ts'
import type { Alert } from '#contract/stack/alerts.ts'
import type { AlertChange } from '#domain/alerting/alertChange.ts'

interface MoveAlertsProps {
  /** The webhook that they leave. */
  webhookId: string
  alerts: readonly Alert[]
  names: Names
  onClose: () => void
}

const schema = z.object({ to: z.string().trim() })

/** Replaces a webhook by another one in all alerts that use it. */
export function MoveAlerts({ webhookId, alerts, names, onClose }: MoveAlertsProps) {
  const { control } = useSchemaForm(schema, { to: '' })
  const to = useWatch({ control, name: 'to' }).trim()
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
      <WebhookField control={control} name="to" label="New webhook" except={webhookId} />
    </AlertChangeDialog>
  )
}
