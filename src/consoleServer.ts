/** A PostgreSQL server for the specs that run on it as well: see the project `postgres` in `vite.config.ts`. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serverVariable } from '#gateway/testing/testDatabase.ts'
import { startPostgres } from '#node/testing/postgresProcess.ts'

export default async function setUp(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'console-postgres-'))
  const server = await startPostgres(folder)
  process.env[serverVariable] = server.url('postgres')
  return async () => {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
