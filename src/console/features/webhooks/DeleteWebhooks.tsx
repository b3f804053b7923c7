import { ApiFailure } from '#console/api/failure.ts'
import { invalidate } from '#console/api/queries.ts'
import { BulkDialog } from '#console/shell/bulk/BulkDialog.tsx'
import { useConnection } from '#console/shell/connection.tsx'
import { toast } from '#console/shell/messages/toasts.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import type { Webhook } from '#contract/webhooks.ts'
import { AlertLinks } from './AlertLinks.tsx'
import { comesBack, deleteWebhook, restoreWebhooks } from './deleting.ts'
import { useWebhookUses } from './useWebhooks.ts'
import { formatWebhookUses } from './webhookLabels.ts'
import { counted } from '#console/ui/format.ts'

/** Deletes many one after the other. The API keeps those that are the first channel of an alert: they are not sent. */
export function DeleteWebhooks({ chosen, onClose }: { chosen: readonly Webhook[]; onClose: () => void }) {
  const connection = useConnection()
  const connectionId = connection.id
  const usesOf = useWebhookUses()
  const uses = (id: string) => usesOf?.(id) ?? []
  const isGuarded = ({ id }: { id: string }) => uses(id).some(({ guarded }) => guarded)
  const guarded = chosen.filter(isGuarded)
  const dangling = chosen.filter((hook) => !isGuarded(hook) && uses(hook.id).length > 0)
  const lost = chosen.filter((hook) => !isGuarded(hook) && !comesBack(hook))

  const remove = async ({ hook }: { hook: Webhook }) => {
    if (isGuarded(hook))
      throw stillUsed(`Left, because it is the first channel of ${formatWebhookUses(uses(hook.id))}.`)
    await deleteWebhook(connectionId, hook)
  }
  const ended = (done: string[]) => {
    // What stood in the way may have been taken out of it meanwhile.
    void invalidate(connectionId, 'alerts')
    const gone = chosen.filter(({ id }) => done.includes(id))
    if (gone.length === 0) return
    const back = gone.filter(comesBack)
    const undo = { label: 'Undo', run: () => void restoreWebhooks(connection, back) }
    toast({ tone: 'ok', text: `${counted(gone.length, 'webhook')} deleted.`, ...(back.length > 0 && { action: undo }) })
    void invalidate(connectionId, 'webhooks')
  }
  return (
    <BulkDialog
      title={`Delete ${counted(chosen.length, 'webhook')}?`}
      rows={chosen.map((hook) => ({
        id: hook.id,
        name: hook.name,
        hook,
        blocker: uses(hook.id).length > 0 && <AlertLinks uses={uses(hook.id)} newTab />,
      }))}
      task={remove}
      action={`Delete ${counted(chosen.length - guarded.length, 'webhook')}`}
      danger
      destroys={chosen.length - guarded.length}
      irreversible={lost.length > 0}
      disabled={guarded.length === chosen.length ? 'All of them are the first channel of an alert.' : undefined}
      onEnd={ended}
      onClose={onClose}
    >
      {guarded.length > 0 && (
        <Notice tone="info">
          {guarded.length === 1 ? '1 is left' : `${guarded.length} are left`}: the API deletes no webhook that is the
          first channel of an alert. Give these another channel first:
          <AlertLinks uses={guarded.flatMap(({ id }) => uses(id))} newTab />
        </Notice>
      )}
      {dangling.length > 0 && (
        <Notice tone="warning">
          Alerts that name one as a further channel would go on naming it, and nobody is told through that channel:
          <AlertLinks uses={dangling.flatMap(({ id }) => uses(id))} newTab />
        </Notice>
      )}
      <div>
        {lost.length < chosen.length - guarded.length &&
          'Undo makes them again with new ids. Headers and query parameters cannot be read and do not come back. '}
        {lost.length > 0 &&
          `${counted(lost.length, 'webhook')} cannot be taken back, because the address or the body is not readable here.`}
      </div>
    </BulkDialog>
  )
}

const stillUsed = (message: string) => new ApiFailure({ code: 'conflict', status: 409, message })
