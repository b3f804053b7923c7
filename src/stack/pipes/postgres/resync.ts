/** A full copy anew: everything that a database pipe has written is taken away, and it forgets where it was. */
import type { Store } from '../../store/store.ts'
import { deleteLoadNumbers, rowsOfPipe } from '../loads/loadNumbers.ts'
import { deleteRows, type LoadEngine } from '../loads/loads.ts'
import { targetsOf } from '../loads/loadTotals.ts'
import type { PipeDocument } from '../model/pipeDocument.ts'

/** May be broken off and done again. What the pipe has moved so far stays counted. */
export async function resyncPipe(store: Store, engine: LoadEngine, pipe: PipeDocument): Promise<void> {
  for (const condition of await rowsOfPipe(store, pipe.id)) {
    for (const target of await targetsOf(store, pipe.id)) await deleteRows(engine, target, condition)
  }
  await store.write(async (transaction) => {
    await deleteLoadNumbers(transaction, pipe.id)
    await transaction.run('DELETE FROM pipe_cursors WHERE pipe_id = ?', [pipe.id])
  })
}
