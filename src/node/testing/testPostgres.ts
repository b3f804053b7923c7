/** A PostgreSQL server for the tests of one file. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { startPostgres, type PostgresProcess } from './postgresProcess.ts'

export interface TestPostgres {
  readonly server: PostgresProcess
  /** Where its data and its socket are. */
  readonly folder: string
  /** @returns the address of a new, empty database */
  createDatabase(): string
}

/** Call this outside of the tests. The server is available once they run. */
export function testPostgres(): TestPostgres {
  let server: PostgresProcess
  let folder: string
  let databases = 0
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'stack-postgres-'))
    server = await startPostgres(folder)
  }, 60_000)
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
    createDatabase() {
      const name = `records_${++databases}`
      server.sql(`CREATE DATABASE ${name}`)
      return server.url(name)
    },
  }
}
