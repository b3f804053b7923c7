/** Stores records on a PostgreSQL server, which several stacks may share. */
import { openPostgres, readPostgres } from '#node/database/postgres.ts'
import type { Backend, Statements } from './backend.ts'
import { postgresMigrations } from './postgresMigrations.ts'

/** @throws StoreError for an invalid URL, and for a server that is unreachable or refuses the connection */
export async function openServer(url: string): Promise<Backend> {
  const { rows, transact, note, close } = await openPostgres({ ...optionsOf(url), lock: 1 })
  // PostgreSQL reuses pages by itself, and no version ever wrote unencrypted secrets to a server.
  return { isShared: true, rows, transact, note, scrub: async () => {}, close }
}

/** Reads one state of the records, and changes nothing. @throws StoreError like `readPostgres` */
export function readServer<T>(url: string, work: (snapshot: Pick<Statements, 'rows'>) => Promise<T>): Promise<T> {
  return readPostgres(optionsOf(url), work)
}

const optionsOf = (url: string) =>
  ({ url, variable: 'DATABASE_URL', product: 'stack', migrations: postgresMigrations }) as const
