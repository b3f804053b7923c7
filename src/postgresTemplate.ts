/** Initializes a PostgreSQL server once for all specs that start one of their own. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeTemplate, templateVariable } from '#node/testing/postgresProcess.ts'

export default async function setUp(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'postgres-template-'))
  process.env[templateVariable] = makeTemplate(folder)
  return () => rm(folder, { recursive: true, force: true })
}
