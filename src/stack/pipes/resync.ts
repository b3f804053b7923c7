/** A full copy anew: what a database pipe has written is taken away, and it forgets where it was. */
import type { Store } from '../store/store.ts'
import type { LoadEngine } from './loads.ts'
import type { PipeDocument } from './pipeDocument.ts'
import { qualified } from './sql.ts'
import { loadColumn } from './target.ts'

/** Loads whose rows one statement takes away. */
const loadsAtOnce = 1000

/** May be broken off and done again. */
export async function resyncPipe(store: Store, engine: LoadEngine, pipe: PipeDocument): Promise<void> {
  for (;;) {
    const rows = await store.rows(
      "SELECT id, target_database, target_table FROM pipe_loads WHERE pipe_id = ? AND state = 'done' ORDER BY target_table LIMIT ?",
      [pipe.id, loadsAtOnce],
    )
    const [first] = rows
    if (!first) break
    const table = qualified(String(first['target_database']), String(first['target_table']))
    const ids = rows.filter((row) => row['target_table'] === first['target_table']).map((row) => Number(row['id']))
    await engine.command(
      `ALTER TABLE ${table} DELETE WHERE ${loadColumn} IN (${ids.join(', ')}) SETTINGS mutations_sync = 2`,
    )
    await store.run(`DELETE FROM pipe_loads WHERE id IN (${ids.join(', ')})`)
  }
  await store.write(async (transaction) => {
    await transaction.run('DELETE FROM pipe_cursors WHERE pipe_id = ?', [pipe.id])
  })
}
