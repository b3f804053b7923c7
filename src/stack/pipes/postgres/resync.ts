/** Restarts a database pipe from the beginning: its tables are loaded again, each beside the one that it replaces. */
import { dropSlot, forgetMode } from './replicationMode.ts'
import type { PostgresRun } from './postgresRun.ts'
import { mappedNames } from './source/postgresTables.ts'
import { requestReload } from './reload.ts'

/** Whether the resync that is asked for has begun: it goes on after a restart. */
const resyncCursor = 'resync'

/** The rows and the totals of the pipe stay until its tables are replaced. */
export async function beginResync(run: PostgresRun): Promise<void> {
  const { parts, cursors, pipe, server, signal } = run
  if (!pipe.internal.resync || (await cursors.get(parts.store, resyncCursor)) !== null) return
  await dropSlot(pipe, server, signal)
  await parts.store.write(async (transaction) => {
    await forgetMode(run, transaction)
    for (const name of mappedNames(pipe)) await requestReload(run, name, 'copy', transaction)
    await cursors.set(transaction, resyncCursor, 'begun')
  })
}

/** Call this when all tables are replaced, and before the pipe says so. */
export async function endResync({ parts, cursors }: PostgresRun): Promise<void> {
  if ((await cursors.get(parts.store, resyncCursor)) === null) return
  await parts.store.write((transaction) => cursors.remove(transaction, resyncCursor))
}
