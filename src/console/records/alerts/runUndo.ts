/** Undoing a bulk change of alerts: a job of its own, with the same outcomes for each alert. */
import { invalidate } from '#console/api/queries.ts'
import { counted } from '#domain/text/words.ts'
import type { Connection } from '#contract/console/connections.ts'
import { startJob } from '../bulk/jobs.ts'
import { toast } from '#console/shell/messages/toasts.tsx'

interface UndoRow {
  id: string
  name: string
  /** Brings back what was before. */
  undo: () => Promise<unknown>
}

/** Says what was done, with Undo. */
export function offerUndo(connection: Connection, text: string, rows: readonly UndoRow[]): void {
  const run = () =>
    startJob({
      connection,
      title: `Undo the change of ${counted(rows.length, 'alert')}`,
      rows,
      task: async ({ undo }) => void (await undo()),
      onEnd: (done) => {
        void invalidate(connection.id, 'alerts')
        if (done.length > 0) toast({ tone: 'ok', text: `Change of ${counted(done.length, 'alert')} undone` })
      },
    })
  toast({ tone: 'ok', text, action: { label: 'Undo', run: () => void run() } })
}
