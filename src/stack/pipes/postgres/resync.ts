/** Restarts a database pipe from the beginning: deletes its rows and its cursors. */
import type { Store } from '../../store/store.ts'
import { deleteLoadNumbers, rowsOfPipe } from '../loads/loadNumbers.ts'
import { deleteRows, type LoadEngine } from '../loads/loads.ts'
import { targetsOf } from '../loads/loadTotals.ts'
import type { PipeDocument } from '../model/pipeDocument.ts'

/** May be interrupted and repeated. The totals of the pipe stay. */
export async function resyncPipe(store: Store, engine: LoadEngine, pipe: PipeDocument): Promise<void> {
  for (const condition of await rowsOfPipe(store, pipe.id)) {
    for (const target of await targetsOf(store, pipe.id)) await deleteRows(engine, target, condition)
  }
  await store.write(async (transaction) => {
    await deleteLoadNumbers(transaction, pipe.id)
    await transaction.run('DELETE FROM pipe_cursors WHERE pipe_id = ?', [pipe.id])
  })
}
