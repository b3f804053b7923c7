/** A PostgreSQL server that several consoles may share. */
import { DamagedRows } from '#node/database/damagedRows.ts'
import { openPostgres, readPostgres, type Postgres } from '#node/database/postgres.ts'
import type { Statements } from '#node/database/statements.ts'
import { StoreError } from '#node/database/storeError.ts'
import { UnusableState } from '#node/stateFile.ts'
import { failure } from '#node/upstream/apiFailure.ts'
import { isWrite, type Database } from './databaseInterface.ts'
import { migrations } from './migrations.ts'
import { forPostgres } from './postgresDialect.ts'

/** Beside the tables of a stack in the same database. It must not be a name that users have, because theirs come first. */
const schema = 'console_records'

/**
 * @param versions the migrations; those of another version in specs
 * @throws UnusableState for a server that cannot be used, or records of a newer version
 */
export async function openServer(url: string, versions = migrations): Promise<Database> {
  const postgres = await open(url, versions)
  const transact: Database['transact'] = (work) => orExplain(postgres.transact(work))
  return {
    isShared: true,
    damaged: new DamagedRows(),
    rows: (sql, args) =>
      // What a statement checks must still be so when it writes, whatever other consoles do meanwhile.
      isWrite(sql) ? transact(({ rows }) => rows(sql, args)) : orExplain(postgres.rows(sql, args)),
    write: (...statements) =>
      transact(async ({ run }) => {
        for (const { sql, args } of statements) await run(sql, args)
      }),
    transact,
    note: (work) => orExplain(postgres.note(work)),
    size: async () => {
      const [row] = await postgres.rows(
        `SELECT coalesce(sum(pg_total_relation_size(pg_class.oid)), 0) AS bytes
          FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace WHERE nspname = ? AND relkind = 'r'`,
        [schema],
      )
      return Number(row?.['bytes'])
    },
    close: () => postgres.close(),
  }
}

/** Reads one state of the records, and changes nothing. @throws StoreError like `readPostgres` */
export function readServer<T>(url: string, work: (snapshot: Pick<Statements, 'rows'>) => Promise<T>): Promise<T> {
  return readPostgres(optionsOf(url, migrations), work)
}

const optionsOf = (url: string, versions: typeof migrations) =>
  ({
    url,
    variable: 'CONSOLE_DATABASE_URL',
    product: 'console',
    schema,
    migrations: versions.map((statements) => statements.map(forPostgres).join(';\n')),
  }) as const

async function open(url: string, versions: typeof migrations): Promise<Postgres> {
  const options = {
    ...optionsOf(url, versions),
    lock: 2,
    // Consoles of earlier versions do not know what is new. They end like one that was replaced: see `consoles/presence.ts`.
    afterUpgrade: 'DELETE FROM consoles',
  } as const
  try {
    return await openPostgres(options)
  } catch (error) {
    if (error instanceof StoreError) throw new UnusableState(error.message, { cause: error })
    throw error
  }
}

async function orExplain<T>(outcome: Promise<T>): Promise<T> {
  try {
    return await outcome
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    if (error.outcome === 'unknown') throw failure('outcomeUnknown', error.message)
    throw failure('unavailable', `${error.message} Nothing was changed.`)
  }
}
