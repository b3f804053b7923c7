/** Stores records on a PostgreSQL server, which several stacks may share. */
import { openPostgres } from '#node/database/postgres.ts'
import type { Backend } from './backend.ts'
import { postgresMigrations } from './postgresMigrations.ts'

/** @throws StoreError for an invalid URL, and for a server that is unreachable or refuses the connection */
export async function openServer(url: string): Promise<Backend> {
  const { rows, transact, note, close } = await openPostgres({
    url,
    variable: 'DATABASE_URL',
    product: 'stack',
    lock: 1,
    migrations: postgresMigrations,
  })
  // PostgreSQL reuses pages by itself, and no version ever wrote unencrypted secrets to a server.
  return { isShared: true, rows, transact, note, scrub: async () => {}, close }
}
