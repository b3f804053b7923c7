import { Send } from 'lucide-react'
import { formatError } from '#console/api/errors.ts'
import { useApiMutation } from '#console/api/useApiMutation.ts'
import { QueryError } from '#console/shell/fallbacks/QueryError.tsx'
import { useConnection } from '#console/shell/connection.tsx'
import type { Names } from '#console/usages/alertNames.ts'
import { lockReason } from '#console/shell/lockReason.ts'
import { toastFailure } from '#console/shell/messages/toastFailure.ts'
import { toast } from '#console/shell/messages/toasts.tsx'
import { SubmitError } from '#console/ui/form/SubmitError.tsx'
import { DisabledReason } from '#console/ui/hint/DisabledReason.tsx'
import { hint } from '#console/ui/hint/hint.ts'
import { Panel, PanelText } from '#console/ui/layout/Panel.tsx'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import { useNow } from '#console/ui/Timestamp.tsx'
import type { AlertDelivery } from '#contract/stack/alertDeliveries.ts'
import { alerts } from '#contract/stack/alerts.ts'
import { formatRecent } from '#console/ui/time/formatRecent.ts'
import {
  attemptChips,
  deliveryProblem,
  deliveryStatus,
  formatDeliveredEvent,
  formatDeliveryEffort,
  formatReceiver,
} from './deliveryLabels.ts'
import { Button } from '#console/ui/base/Button.tsx'
import type { Deliveries } from './useDeliveries.ts'
import * as css from '../alertDetail.module.css'

interface DeliveriesPanelProps {
  alertId: string
  deliveries: Deliveries
  names: Names
}

/** Deliveries, with the receiver's answer and a button that sends it again. */
export function DeliveriesPanel({ alertId, deliveries, names }: DeliveriesPanelProps) {
  const connection = useConnection()
  const resend = useApiMutation(connection.id, alerts.resend, {
    onSuccess: ({ webhookName, webhookId }) =>
      toast({ tone: 'ok', text: `The message to ${webhookName ?? webhookId ?? 'the webhook'} is being sent again.` }),
    onError: toastFailure,
  })
  const { offered, list, error, refetch, hasMore, older } = deliveries
  const locked = lockReason(connection)
  return (
    <Panel title="Deliveries" flush>
      {!offered && <PanelText>This deployment’s API does not list deliveries.</PanelText>}
      {offered &&
        list === undefined &&
        (error ? <QueryError error={error} onRetry={refetch} /> : <PanelText>Loading…</PanelText>)}
      {list?.length === 0 && <PanelText>Nothing was sent in the last 30 days.</PanelText>}
      {list && list.length > 0 && (
        <ul className={css.deliveries}>
          {list.map((delivery) => (
            <DeliveryItem
              key={delivery.id}
              delivery={delivery}
              receiver={formatReceiver(delivery, names.webhooks?.get(delivery.webhookId ?? ''))}
              locked={locked}
              sending={resend.isPending && resend.variables.params.deliveryId === delivery.id}
              onResend={() => resend.mutate({ params: { alertId, deliveryId: delivery.id } })}
            />
          ))}
        </ul>
      )}
      {hasMore && (
        <div className={css.older}>
          <Button size="small" loading={older.pending} onClick={older.read}>
            Show older
          </Button>
        </div>
      )}
      {older.error ? <SubmitError error={formatError(older.error)} /> : null}
    </Panel>
  )
}

interface DeliveryItemProps {
  delivery: AlertDelivery
  receiver: string
  locked: string | undefined
  sending: boolean
  onResend: () => void
}

function DeliveryItem({ delivery, receiver, locked, sending, onResend }: DeliveryItemProps) {
  const now = useNow()
  const { webhookName, webhookId, status, title, createdAt } = delivery
  const problem = deliveryProblem(delivery)
  const reason = blockedReason(delivery) ?? locked
  const name = webhookName ?? webhookId ?? 'Unknown webhook'
  return (
    <li className={css.delivery}>
      <time dateTime={createdAt} title={createdAt} className={css.deliveriesTime}>
        {formatRecent(Date.parse(createdAt), now)}
      </time>
      <div className={css.deliveriesMessage}>
        <div>
          <strong>{name}</strong> <span className={css.secondary}>{receiver}</span>
        </div>
        <div className={css.secondary} {...(title && { title })}>
          {formatDeliveredEvent(delivery)}
        </div>
      </div>
      <div className={css.deliveriesOutcome}>
        <div className={css.attempts}>
          {attemptChips(delivery).map(({ text, tone, reason: said }, at) => (
            <span key={at} {...hint(said)}>
              <StatusChip tone={tone}>{text}</StatusChip>
            </span>
          ))}
          {status !== 'delivered' && (
            <StatusChip tone={deliveryStatus(status).tone}>{deliveryStatus(status).label}</StatusChip>
          )}
        </div>
        <div className={css.secondary}>{formatDeliveryEffort(delivery)}</div>
      </div>
      <div className={css.deliveriesAnswer}>
        <code className={css.deliveriesProblem}>
          {problem && problem.length > maxProblem ? `${problem.slice(0, maxProblem)}…` : problem}
        </code>
        <div className={css.sendAgain}>
          <DisabledReason reason={reason}>
            <Button
              size="small"
              aria-label={`Send again to ${name}`}
              startIcon={<Send size={12} aria-hidden />}
              disabled={reason !== undefined}
              loading={sending}
              onClick={onResend}
            >
              Send again
            </Button>
          </DisabledReason>
        </div>
      </div>
    </li>
  )
}

/** Enough of an answer to recognize the problem. */
const maxProblem = 240

/** Why a delivery cannot be sent again, whatever the connection. */
function blockedReason({ status, service }: AlertDelivery): string | undefined {
  if (status === 'pending') return 'It is still being sent.'
  return service === undefined ? 'It has no webhook.' : undefined
}
