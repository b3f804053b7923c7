/** PostgreSQL for tests: databases on the server of all specs, or a server of one spec. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { runSql, startPostgres, type PostgresOptions, type PostgresProcess } from './postgresProcess.ts'

/** Has the address at which `src/testPostgresServer.ts` gives databases away. */
export const brokerVariable = 'TEST_POSTGRES'

/** Databases that `src/testPostgresServer.ts` provides: `database` is new and empty, `console` new with the tables of a console. */
export type Offer = 'database' | 'console' | 'template'

async function take(offer: Offer): Promise<string> {
  const broker = process.env[brokerVariable]
  if (broker === undefined) throw new Error('Only specs that Vitest starts get a PostgreSQL server.')
  const response = await fetch(new URL(offer, broker))
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  return text
}

/** A new, empty database on the server of all specs. @returns its URL */
export const newDatabase = () => take('database')

/** A new database of a console that nobody has used yet, on the server of all specs. @returns its URL */
export const newConsoleDatabase = () => take('console')

export interface OwnPostgres {
  readonly server: PostgresProcess
  /** Where its data and its socket are. */
  readonly folder: string
  /** @returns the URL of a new, empty database */
  createDatabase(): Promise<string>
}

/**
 * A server of its own, for a spec that stops, kills or configures it. Call this outside of the tests: the server is
 * available once they run.
 */
export function ownPostgres(options: Pick<PostgresOptions, 'settings'> = {}): OwnPostgres {
  let server: PostgresProcess
  let folder: string
  let databases = 0
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'own-postgres-'))
    server = await startPostgres(folder, { ...options, template: await take('template') })
  })
  afterAll(async () => {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  })
  return {
    get server() {
      return server
    },
    get folder() {
      return folder
    },
    async createDatabase() {
      const name = `records_${++databases}`
      await runSql(server.url('postgres'), `CREATE DATABASE ${name}`)
      return server.url(name)
    },
  }
}
