import { Copy, Download, Star, Tags, Trash2 } from 'lucide-react'
import { useCallback } from 'react'
import { useConnection } from '#console/shell/connection.tsx'
import { toggleFavorite, useFavorites } from '#console/charting/thumbnail/dashboardShelf.ts'
import { useEnvironmentActions } from '#console/records/record/useEnvironmentActions.ts'
import type { Action } from '#console/ui/actions/actions.ts'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import type { DashboardRow } from './rows.ts'

const DuplicateDialog = lazyComponent(async () => (await import('./DuplicateDialog.tsx')).DuplicateDialog)

/** Actions for several dashboards. */
export type BulkKind = 'delete' | 'tag' | 'export'

export interface RowDialog {
  what: 'duplicate'
  row: DashboardRow
}

/** The actions of a row. They share their implementation with bulk actions. */
export function useRowActions(
  open: (dialog: RowDialog) => void,
  onBulk: (kind: BulkKind, rows: DashboardRow[]) => void,
  locked: string | undefined,
): (row: DashboardRow) => Action[] {
  const environments = useEnvironmentActions('dashboards')
  const { id: connectionId } = useConnection()
  const favorites = useFavorites(connectionId)
  return useCallback(
    (row) => [
      {
        label: favorites.has(row.id) ? 'Remove from favorites' : 'Add to favorites',
        icon: Star,
        run: () => toggleFavorite(connectionId, row.id),
      },
      { label: 'Duplicate', icon: Copy, run: () => open({ what: 'duplicate', row }), disabled: locked },
      { label: 'Tag', icon: Tags, run: () => onBulk('tag', [row]), disabled: locked },
      { label: 'Export as JSON', icon: Download, run: () => onBulk('export', [row]) },
      ...environments.ofRecord(row.id),
      { label: 'Delete', icon: Trash2, run: () => onBulk('delete', [row]), danger: true, disabled: locked },
    ],
    [open, onBulk, environments, locked, favorites, connectionId],
  )
}

export function RowDialogs({ dialog, onClose }: { dialog: RowDialog | null; onClose: () => void }) {
  if (!dialog) return null
  return <DuplicateDialog dashboard={dialog.row} alerts={dialog.row.alerts} onClose={onClose} />
}
