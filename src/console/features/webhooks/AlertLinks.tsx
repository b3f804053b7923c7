import { useQuery } from '@tanstack/react-query'
import { ArrowRightLeft } from 'lucide-react'
import { useState } from 'react'
import { q } from '#console/api/queries.ts'
import { alertName, useNames, watchedTile, type Names } from '#console/usages/alertNames.ts'
import { shownState } from '#console/usages/alertStatus.ts'
import { webhookUses } from '#console/usages/usage.ts'
import { paths } from '#console/paths/paths.ts'
import { formatAlertState } from '#console/records/alerts/alertStates.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { TextLink } from '#console/shell/LinkButton.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { DisabledReason } from '#console/ui/hint/DisabledReason.tsx'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import { alerts, type Alert } from '#contract/stack/alerts.ts'
import { Button } from '#console/ui/base/Button.tsx'
import * as records from '#console/records/records.module.css'
import * as css from './webhooks.module.css'

const MoveAlerts = lazyComponent(async () => (await import('./MoveAlerts.tsx')).MoveAlerts)

interface AlertLinksProps {
  webhookId: string
  /** For links inside a question, which stays open. Alerts are not moved from there. */
  newTab: boolean
}

/** The alerts that use a webhook, with their states, and the way to move them to another one. */
export function AlertLinks({ webhookId, newTab }: AlertLinksProps) {
  const connection = useConnection()
  const names = useNames(connection)
  // The parent component has read it. It changes when alerts are moved.
  const { data } = useQuery({ ...q(connection.id, alerts.list, {}), staleTime: Infinity })
  const [moved, setMoved] = useState<readonly Alert[] | null>(null)
  const uses = webhookUses(webhookId, data ?? [])
  const locked = lockReason(connection)
  return (
    <>
      <ul className={records.usesLinksList}>
        {uses.map(({ alert, guarded }) => (
          <li key={alert.id} className={records.use}>
            <State alert={alert} names={names} />{' '}
            <TextLink
              underline="always"
              to={paths.alert(connection.id, alert.id)}
              {...(newTab && { target: '_blank' })}
            >
              {alertName(alert, names)}
            </TextLink>
            {!guarded && <span className={css.additionalChannel}> (additional channel)</span>}
          </li>
        ))}
      </ul>
      {data && uses.length === 0 && 'No alert uses it any more.'}
      {!newTab && uses.length > 0 && (
        <div>
          <DisabledReason reason={locked}>
            <Button
              startIcon={<ArrowRightLeft size={14} aria-hidden />}
              disabled={locked !== undefined}
              onClick={() => setMoved(uses.map(({ alert }) => alert))}
            >
              Move alerts to another webhook
            </Button>
          </DisabledReason>
        </div>
      )}
      {moved && <MoveAlerts webhookId={webhookId} alerts={moved} names={names} onClose={() => setMoved(null)} />}
    </>
  )
}

function State({ alert, names }: { alert: Alert; names: Names }) {
  const { label, tone } = formatAlertState(shownState(alert, watchedTile(alert, names)))
  return <StatusChip tone={tone}>{label}</StatusChip>
}
