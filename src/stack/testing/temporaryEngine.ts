/** A real engine for tests, with temporary tables. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openEngine, type Engine } from '../telemetry/engine/engine.ts'
import type { EngineConfig } from '../telemetry/engine/engineDriver.ts'
import { dropTable } from '../telemetry/engine/tableChanges.ts'
import { ensureTables, tables } from '../telemetry/tables.ts'

type TestConfig = Omit<EngineConfig, 'dataDir' | 'url'>

/**
 * With its tables: embedded, in a directory that `close` removes; or on the server of TEST_CLICKHOUSE_URL, and its cluster
 * TEST_CLICKHOUSE_CLUSTER if there is one, whose telemetry tables are dropped. One at a time in a process, and on a server.
 */
export function temporaryEngine(config: TestConfig = {}): Promise<Engine> {
  const url = process.env['TEST_CLICKHOUSE_URL']
  return url ? onServer(url, config) : embedded(config)
}

async function embedded(config: TestConfig): Promise<Engine> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'telemetry-'))
  const engine = await openEngine({ ...config, dataDir })
  await ensureTables(engine)
  return {
    ...engine,
    close: async () => {
      await engine.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

async function onServer(url: string, config: TestConfig): Promise<Engine> {
  const engine = await openEngine({ ...config, url, cluster: process.env['TEST_CLICKHOUSE_CLUSTER'] })
  const drop = async () => {
    for (const table of Object.values(tables)) await dropTable(engine, { database: engine.database, table })
  }
  await drop()
  await ensureTables(engine)
  return { ...engine, close: () => drop().finally(engine.close) }
}
