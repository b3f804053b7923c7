import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { type Alert, alerts as alertEndpoints } from '#contract/stack/alerts.ts'
import type { Dashboard, DashboardSummary } from '#contract/stack/dashboards/dashboards.ts'
import { q } from '#console/api/queries.ts'
import { alertNamesOn } from '#console/usages/alertNames.ts'
import { BulkDialog } from '#console/records/bulk/BulkDialog.tsx'
import { useConnection } from '#console/shell/connection.tsx'
import { toast } from '#console/shell/messages/toasts.tsx'
import { Notice } from '#console/ui/Notice.tsx'
import { capitalized, counted } from '#domain/text/words.ts'
import { formatDashboards, withDisplayNames } from './dashboardNames.ts'
import { deleteDashboard, evictDashboards } from './deleting.ts'
import { readDashboards } from './readDashboards.ts'
import { useRestore } from './useRestore.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import * as css from '../dashboards.module.css'

type Listed = Pick<DashboardSummary, 'id' | 'name' | 'tileCount'>

interface DeleteDialogProps {
  dashboards: readonly Listed[]
  onClose: () => void
  /** Leaves a page about one of them, before it would request a deleted dashboard. */
  leave?: () => Promise<void>
}

/** Confirms what is deleted, deletes it, and offers Undo. */
export function DeleteDialog({ dashboards, onClose, leave }: DeleteDialogProps) {
  const { id: connectionId } = useConnection()
  const restore = useRestore()
  const list = useQuery({ ...q(connectionId, alertEndpoints.list, {}), staleTime: 0 })
  const ids = new Set(dashboards.map(({ id }) => id))
  const alerts = list.data?.filter(({ source, dashboardId }) => source === 'tile' && ids.has(dashboardId ?? ''))
  const names = useAlertNames(dashboards, alerts)
  const deleted = useRef(new Map<string, Dashboard>())

  const ended = async (done: string[], watched: boolean) => {
    if (done.length === 0) return
    const gone = [...deleted.current.values()]
    const lost = (alerts ?? []).filter(({ dashboardId }) => done.includes(dashboardId ?? ''))
    deleted.current = new Map()
    // The dialog may have been closed, and another page may be open by now.
    if (watched) await leave?.()
    // Before the message, so that a deleted dashboard is not in the list any more when the message appears.
    const evicted = evictDashboards(connectionId, done)
    toast({
      tone: 'ok',
      text: `${capitalized(formatDashboards(dashboards.filter(({ id }) => done.includes(id))))}${lost.length > 0 ? ` and ${counted(lost.length, 'alert')}` : ''} deleted`,
      ...(gone.length > 0 && { action: { label: 'Undo', run: () => void restore(gone, lost) } }),
    })
    await evicted
  }
  return (
    <BulkDialog
      title={`Delete ${formatDashboards(dashboards)}?`}
      rows={withDisplayNames(dashboards)}
      task={async ({ id }) => {
        const last = await deleteDashboard(connectionId, id)
        if (last) deleted.current.set(id, last)
      }}
      action={dashboards.length === 1 ? 'Delete dashboard' : `Delete ${dashboards.length} dashboards`}
      danger
      destroys={dashboards.length + (alerts?.length ?? 0)}
      irreversible={list.isError}
      disabled={list.isPending || names.isLoading ? 'Loading alerts…' : undefined}
      onEnd={(done, watched) => void ended(done, watched)}
      onClose={onClose}
    >
      <DeleteText dashboards={dashboards} alertNames={names.data} failed={list.isError} />
    </BulkDialog>
  )
}

/** The names of alerts, in their order. Those without a name of their own are called after their tiles, which are read for it. */
function useAlertNames(dashboards: readonly Listed[], alerts: readonly Alert[] | undefined) {
  const { id: connectionId } = useConnection()
  const unnamed = new Set(alerts?.flatMap(({ name, dashboardId }) => (name ? [] : dashboardId)))
  const ids = dashboards.flatMap(({ id }) => (unnamed.has(id) ? id : []))
  const { data, isLoading } = useQuery({
    // Not a key of dashboards, or they would be read again once they are deleted.
    queryKey: [connectionId, 'alertNames', ids],
    queryFn: () => readDashboards(connectionId, ids),
    enabled: ids.length > 0,
    retryOnMount: true,
    gcTime: 0,
  })
  return { data: isLoading ? undefined : alerts && alertNamesOn(data ?? [], alerts), isLoading }
}

/** Names shown before "and more". */
const shownNames = 5

interface DeleteTextProps {
  dashboards: readonly Listed[]
  /** Undefined while the alerts are not known. */
  alertNames: readonly string[] | undefined
  failed: boolean
}

function DeleteText({ dashboards, alertNames, failed }: DeleteTextProps) {
  const tiles = dashboards.reduce((sum, { tileCount }) => sum + tileCount, 0)
  const many = dashboards.length > 1
  return (
    <>
      {many && <Names of={withDisplayNames(dashboards).map(({ name }) => name)} />}
      <Text>
        {tiles === 0
          ? `${many ? 'They have' : 'It has'} no tiles.`
          : `${many ? 'Their' : 'Its'} ${counted(tiles, 'tile')} ${tiles === 1 ? 'is' : 'are'} deleted too.`}{' '}
        {many ? 'Undo recreates them with new IDs.' : 'Undo recreates it with a new ID.'}
      </Text>
      {failed && (
        <Notice tone="warning">
          Could not load alerts. Alerts on {many ? 'their' : 'its'} tiles are deleted too, and Undo cannot restore them.
        </Notice>
      )}
      {alertNames !== undefined && alertNames.length > 0 && (
        <Notice tone="warning">
          {counted(alertNames.length, 'alert')} on {many ? 'their' : 'its'} tiles will also be deleted:
          <Names of={alertNames} />
        </Notice>
      )}
    </>
  )
}

function Names({ of: names }: { of: readonly string[] }) {
  return (
    <ul className={css.names}>
      {names.slice(0, shownNames).map((name, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- names need not differ
        <li key={index}>{name}</li>
      ))}
      {names.length > shownNames && <li>and {names.length - shownNames} more</li>}
    </ul>
  )
}
