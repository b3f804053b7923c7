import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { Send } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatError } from '#console/api/errors.ts'
import { useApiMutation } from '#console/api/useApiMutation.ts'
import { QueryError } from '#console/shell/fallbacks/QueryError.tsx'
import { useConnection } from '#console/shell/connection.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import { toastFailure } from '#console/shell/messages/toastFailure.ts'
import { toast } from '#console/shell/messages/toasts.tsx'
import { SubmitError } from '#console/ui/form/SubmitError.tsx'
import { DisabledReason } from '#console/ui/hint/DisabledReason.tsx'
import { hint } from '#console/ui/hint/hint.ts'
import { Panel } from '#console/ui/layout/Panel.tsx'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import { useNow } from '#console/ui/Timestamp.tsx'
import type { AlertDelivery } from '#contract/alertDeliveries.ts'
import { alerts } from '#contract/alerts.ts'
import {
  attemptChips,
  deliveryProblem,
  deliveryStatus,
  formatDeliveredEvent,
  formatDeliveryEffort,
  formatService,
} from './deliveryLabels.ts'
import { formatMoment } from '../../moments.ts'
import type { Deliveries } from './useDeliveries.ts'

/** What was sent to whom, with the receiver's answer and a button that sends it again. */
export function DeliveriesPanel({ alertId, deliveries }: { alertId: string; deliveries: Deliveries }) {
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
      {!offered && <Text>This deployment’s API does not list deliveries.</Text>}
      {offered &&
        list === undefined &&
        (error ? <QueryError error={error} onRetry={refetch} /> : <Text>Reading…</Text>)}
      {list?.length === 0 && <Text>Nothing was sent in the last 30 days.</Text>}
      {list && list.length > 0 && (
        <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none', maxHeight: 520, overflow: 'auto' }}>
          {list.map((delivery) => (
            <DeliveryItem
              key={delivery.id}
              delivery={delivery}
              locked={locked}
              sending={resend.isPending && resend.variables.params.deliveryId === delivery.id}
              onResend={() => resend.mutate({ params: { alertId, deliveryId: delivery.id } })}
            />
          ))}
        </Box>
      )}
      {hasMore && (
        <Box sx={{ px: 3.5, py: 2, borderTop: 1, borderColor: 'divider' }}>
          <Button size="small" loading={older.pending} onClick={older.read}>
            Show older
          </Button>
        </Box>
      )}
      {older.error ? <SubmitError error={formatError(older.error)} /> : null}
    </Panel>
  )
}

interface DeliveryItemProps {
  delivery: AlertDelivery
  locked: string | undefined
  sending: boolean
  onResend: () => void
}

function DeliveryItem({ delivery, locked, sending, onResend }: DeliveryItemProps) {
  const now = useNow()
  const { webhookName, webhookId, service, status, title, createdAt } = delivery
  const problem = deliveryProblem(delivery)
  const reason = blockedReason(delivery) ?? locked
  const name = webhookName ?? webhookId ?? 'Unknown webhook'
  return (
    <Box component="li" sx={itemSx}>
      <Box component="time" dateTime={createdAt} title={createdAt} sx={{ color: 'text.secondary' }}>
        {formatMoment(Date.parse(createdAt), now)}
      </Box>
      <Box sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>
        <Box>
          <strong>{name}</strong>{' '}
          <Box component="span" sx={secondarySx}>
            {formatService(service)}
          </Box>
        </Box>
        <Box sx={secondarySx} {...(title && { title })}>
          {formatDeliveredEvent(delivery)}
        </Box>
      </Box>
      <Box sx={{ display: 'flex', flexDirection: 'column', alignItems: 'flex-end', gap: 1 }}>
        <Box sx={{ display: 'flex', flexWrap: 'wrap', justifyContent: 'flex-end', gap: 1 }}>
          {attemptChips(delivery).map(({ text, tone, reason: said }, at) => (
            <span key={at} {...hint(said)}>
              <StatusChip tone={tone}>{text}</StatusChip>
            </span>
          ))}
          {status !== 'delivered' && (
            <StatusChip tone={deliveryStatus(status).tone}>{deliveryStatus(status).label}</StatusChip>
          )}
        </Box>
        <Box sx={secondarySx}>{formatDeliveryEffort(delivery)}</Box>
      </Box>
      <Box sx={{ gridColumn: '2 / -1', display: 'flex', alignItems: 'center', gap: 2, minWidth: 0 }}>
        <Box
          component="code"
          sx={{ flexGrow: 1, minWidth: 0, fontSize: 11, overflowWrap: 'anywhere', color: 'text.secondary' }}
        >
          {problem && problem.length > maxProblem ? `${problem.slice(0, maxProblem)}…` : problem}
        </Box>
        <Box sx={{ flexShrink: 0 }}>
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
        </Box>
      </Box>
    </Box>
  )
}

/** Enough of an answer to recognize the problem. */
const maxProblem = 240

/** Why a delivery cannot be sent again, whatever the connection. */
function blockedReason({ status, service }: AlertDelivery): string | undefined {
  if (status === 'pending') return 'It is still being sent.'
  return service === undefined ? 'It has no webhook.' : undefined
}

const secondarySx = { color: 'text.secondary', fontSize: 12 } as const
const itemSx = {
  display: 'grid',
  gridTemplateColumns: '76px minmax(0, 1fr) fit-content(150px)',
  columnGap: 2,
  rowGap: 1,
  px: 3.5,
  py: 2,
  '&:not(:first-of-type)': { borderTop: 1, borderColor: 'divider' },
} as const

function Text({ children }: { children: ReactNode }) {
  return (
    <Typography color="textSecondary" sx={{ p: 3.5 }}>
      {children}
    </Typography>
  )
}
