/** Deleting a webhook: refused while alerts depend on it, and taken back where all of it was readable. */
import { useCallback, useState, type ReactNode } from 'react'
import { asFailure } from '#console/api/failure.ts'
import { invalidate, q } from '#console/api/queries.ts'
import { queryClient } from '#console/api/queryClient.ts'
import { webhookUses, type WebhookUse } from '#console/references/usage.ts'
import { confirm } from '#console/shell/messages/confirm.ts'
import { useConnection, WithConnection } from '#console/shell/connection.tsx'
import { toastFailure } from '#console/shell/messages/toastFailure.ts'
import { toast } from '#console/shell/messages/toasts.tsx'
import { alerts } from '#contract/alerts.ts'
import type { Webhook } from '#contract/webhooks.ts'
import { DeleteQuestion } from './DeleteQuestion.tsx'
import { comesBack, deleteWebhook, restoreWebhooks } from './deleting.ts'
import { InUseDialog } from './InUseDialog.tsx'

type Remove = (webhook: Webhook, leave?: () => Promise<void>) => Promise<void>

export function useDeleteWebhook(): { remove: Remove; dialog: ReactNode } {
  const connection = useConnection()
  const [inUse, setInUse] = useState<{ webhook: Webhook; uses: WebhookUse[] } | null>(null)

  const remove = useCallback<Remove>(
    async (webhook, leave) => {
      const connectionId = connection.id
      // Who uses it is asked anew: an alert may have been made a minute ago.
      const all = await queryClient.fetchQuery(q(connectionId, alerts.list, {})).catch(() => undefined)
      const uses = webhookUses(webhook.id, all ?? [])
      if (uses.some((use) => use.guarded)) return setInUse({ webhook, uses })
      const sure = await confirm({
        title: `Delete ${webhook.name}?`,
        body: (
          <WithConnection connection={connection}>
            <DeleteQuestion uses={uses} unknown={all === undefined} comesBack={comesBack(webhook)} />
          </WithConnection>
        ),
        action: 'Delete webhook',
        danger: true,
        irreversible: !comesBack(webhook),
      })
      if (!sure) return
      try {
        await deleteWebhook(connectionId, webhook)
      } catch (error) {
        await invalidate(connectionId, 'webhooks')
        const { code, current } = asFailure(error)
        if (code !== 'conflict' || current) return toastFailure(error)
        const now = await queryClient.fetchQuery({ ...q(connectionId, alerts.list, {}), staleTime: 0 }).catch(() => [])
        return setInUse({ webhook, uses: webhookUses(webhook.id, now) })
      }
      const undo = { label: 'Undo', run: () => void restoreWebhooks(connection, [webhook]) }
      toast({ tone: 'ok', text: `Webhook ${webhook.name} deleted.`, ...(comesBack(webhook) ? { action: undo } : {}) })
      await leave?.()
      await invalidate(connectionId, 'webhooks')
    },
    [connection],
  )

  const dialog = inUse && <InUseDialog {...inUse} onClose={() => setInUse(null)} />
  return { remove, dialog }
}
