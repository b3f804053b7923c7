import { dashboards as endpoints } from '#contract/dashboards.ts'
import { call } from '#console/api/call.ts'
import { invalidate } from '#console/api/queries.ts'
import { BulkDialog } from '#console/shell/bulk/BulkDialog.tsx'
import { useConnection } from '#console/shell/connection.tsx'
import { toast } from '#console/shell/messages/toasts.tsx'
import { ScrollRegion } from '#console/ui/layout/ScrollRegion.tsx'
import { counted } from '#domain/text/words.ts'
import { copyBody } from '../model/duplicate.ts'
import { SourcesPart } from './SourcesPart.tsx'
import type { Import } from './useImport.ts'
import css from './ImportMany.module.css'

/** Imports all dashboards of a file one by one and shows the outcome of each. */
export function ImportMany({ taken, onClose }: { taken: Import; onClose: () => void }) {
  const { id: connectionId } = useConnection()
  // Dashboards of a file may lack ids or share them, so their positions identify them.
  const rows = taken.dashboards.map((dashboard, index) => ({
    id: String(index),
    name: dashboard.name || 'Untitled dashboard',
    dashboard,
  }))
  return (
    <BulkDialog
      title={`Import ${counted(rows.length, 'dashboard')}`}
      rows={rows}
      task={async ({ dashboard }) => {
        const body = copyBody(taken.withSourcesHere(dashboard), dashboard.name)
        await call(connectionId, endpoints.create, { body })
      }}
      action="Import"
      onEnd={(done) => {
        void invalidate(connectionId, 'dashboards')
        if (done.length > 0) toast({ tone: 'ok', text: `Imported ${counted(done.length, 'dashboard')}` })
      }}
      onClose={onClose}
    >
      <ScrollRegion as="ul" label="Dashboards of the file" className={css.scroller}>
        {rows.map(({ id, name }) => (
          <li key={id}>{name}</li>
        ))}
      </ScrollRegion>
      <SourcesPart taken={taken} />
    </BulkDialog>
  )
}
