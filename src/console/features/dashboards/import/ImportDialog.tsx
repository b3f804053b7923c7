import { dashboards as endpoints } from '#contract/stack/dashboards/dashboards.ts'
import { call } from '#console/api/call.ts'
import { invalidate } from '#console/api/queries.ts'
import { BulkDialog } from '#console/records/bulk/BulkDialog.tsx'
import { useConnection } from '#console/shell/connection.tsx'
import { toast } from '#console/shell/messages/toasts.tsx'
import { ScrollRegion } from '#console/ui/layout/ScrollRegion.tsx'
import { counted } from '#domain/text/words.ts'
import { copyBody } from '../model/duplicate.ts'
import { ImportSingleDialog } from './ImportSingleDialog.tsx'
import { type Import, useImport } from './useImport.ts'
import { SourcesPart } from './SourcesPart.tsx'
import * as css from '../dashboards.module.css'

/** Imports dashboards from a file. Their sources are matched by kind, name and table, and can be changed. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const taken = useImport()
  if (taken.dashboards.length > 1) return <ImportMany taken={taken} onClose={onClose} />
  return <ImportSingleDialog taken={taken} onFile={(file) => void taken.read(file)} onClose={onClose} />
}

/** Imports all dashboards of a file one by one and shows the outcome of each. */
function ImportMany({ taken, onClose }: { taken: Import; onClose: () => void }) {
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
        if (done.length > 0) toast({ tone: 'ok', text: `${counted(done.length, 'dashboard')} imported` })
      }}
      onClose={onClose}
    >
      <ScrollRegion as="ul" label="Dashboards of the file" className={css.importScroller}>
        {rows.map(({ id, name }) => (
          <li key={id}>{name}</li>
        ))}
      </ScrollRegion>
      <SourcesPart taken={taken} />
    </BulkDialog>
  )
}
