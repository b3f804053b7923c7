/** The statements of each dialect: what they say, and that the engine's own parser takes them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { temporaryEngine } from '../../testing/temporaryEngine.ts'
import { dialectSettings, killStatement, mutationWait, onceSettings, systemTable, type Dialect } from './dialect.ts'
import type { Engine } from './engine.ts'
import {
  alterColumns,
  alterStorage,
  completeExchange,
  createDatabase,
  createLike,
  createTable,
  dropTable,
  exchangeTables,
  tableIds,
  type TableChanger,
} from './tableChanges.ts'
import { countStored, mutateRows, untilReplicated } from './storedRows.ts'
import { ensureTables } from '../tables.ts'

const server: Dialect = { kind: 'server', cluster: null }
const cloud: Dialect = { kind: 'cloud', cluster: 'default' }
const cluster: Dialect = { kind: 'cluster', cluster: "the `main` one's" }

let parser: Engine
beforeAll(async () => {
  parser = await temporaryEngine()
})
afterAll(() => parser.close())

/** As the engine prints it. Rejects if its parser refuses it. */
async function parsed(sql: string): Promise<string> {
  const [row] = await parser.query<{ sql: string }>('SELECT formatQuerySingleLine({sql:String}) AS sql', {
    params: { sql },
  })
  return row?.sql ?? ''
}

const distributed = (table: string) => `Distributed('main', 'telemetry', '${table}_local', cityHash64(id))`
const stored = "ReplicatedReplacingMergeTree('/clickhouse/tables/{uuid}/{shard}', '{replica}') ORDER BY id"

/** Keeps what it is asked to do. Its tables are those that the stack makes. */
function recording(dialect: Dialect): { engine: TableChanger & Pick<Engine, 'kind'>; sent: string[] } {
  const sent: string[] = []
  const engine: TableChanger & Pick<Engine, 'kind'> = {
    kind: 'remote',
    dialect,
    database: 'telemetry',
    async query<Row>(sql: string, { params }: { params?: object } = {}) {
      const { table = '' } = (params ?? {}) as { table?: string }
      sent.push(sql)
      if (!sql.includes('AS full')) return []
      return [{ full: table.endsWith('_local') ? stored : distributed(table) }] as Row[] // of the query for it
    },
    command: async (sql) => void sent.push(sql),
  }
  return { engine, sent }
}

/** The statements that are sent, without queries about the engine of a table, as the parser prints them without parameters. */
async function statements(dialect: Dialect, work: (engine: TableChanger & Pick<Engine, 'kind'>) => Promise<unknown>) {
  const { engine, sent } = recording(dialect)
  await work(engine)
  return Promise.all(sent.filter((sql) => !sql.includes('AS full')).map(parsed))
}

const name = { database: 'd', table: 't' }
const other = { database: 'd', table: 'u' }
const table = {
  name,
  columns: 'id UInt64, version UInt64, INDEX i id TYPE minmax',
  engine: 'ReplacingMergeTree',
  arguments: 'version',
  clauses: 'ORDER BY id SETTINGS fsync_after_insert = 1',
  shardBy: 'cityHash64(id)',
}

describe('a cluster', () => {
  test('has replicated tables on its servers, and Distributed ones over them', async () => {
    const sent = await statements(cluster, async (engine) => {
      await createDatabase(engine, 'd')
      await createTable(engine, table)
    })
    expect(sent).toEqual([
      expect.stringMatching(/^CREATE DATABASE IF NOT EXISTS d ON CLUSTER /),
      expect.stringMatching(
        /^CREATE TABLE IF NOT EXISTS d\.t_local ON CLUSTER .* ENGINE = ReplicatedReplacingMergeTree\(version\) ORDER BY id SETTINGS fsync_after_insert = 1$/,
      ),
      expect.stringMatching(
        /^CREATE TABLE IF NOT EXISTS d\.t ON CLUSTER .* AS d\.t_local ENGINE = Distributed\('.*', 'd', 't_local', cityHash64\(id\)\)$/,
      ),
    ])
  })

  test('is changed as a whole', async () => {
    const sent = await statements(cluster, async (engine) => {
      await alterColumns(engine, name, 'ADD COLUMN IF NOT EXISTS a UInt8')
      await alterStorage(engine, name, 'MODIFY TTL at + toIntervalDay(7)')
      await createLike(engine, other, name)
      await exchangeTables(engine, name, other)
      await completeExchange(engine, name, other)
      await tableIds(engine, name)
      await dropTable(engine, other)
    })
    const starts = [
      'ALTER TABLE telemetry.t_local ON CLUSTER',
      'ALTER TABLE d.t ON CLUSTER',
      'ALTER TABLE telemetry.t_local ON CLUSTER',
      'CREATE TABLE d.u_local ON CLUSTER',
      'CREATE OR REPLACE TABLE d.u ON CLUSTER',
      'EXCHANGE TABLES telemetry.t_local AND telemetry.u_local ON CLUSTER',
      'CREATE OR REPLACE TABLE d.t ON CLUSTER',
      'SELECT DISTINCT toString(uuid) AS id FROM (SELECT * FROM clusterAllReplicas(',
      'DROP TABLE IF EXISTS d.u ON CLUSTER',
      'DROP TABLE IF EXISTS d.u_local ON CLUSTER',
    ]
    expect(sent).toEqual(starts.map((start) => expect.stringContaining(start)))
  })

  test('deletes rows without its servers that are away, and looks whether the others have', async () => {
    const sent = await statements(cluster, (engine) => mutateRows(engine, name, 'DELETE', 'id = 7'))
    expect(sent).toEqual([
      expect.stringMatching(
        /^ALTER TABLE telemetry\.t_local ON CLUSTER .* \(DELETE WHERE id = 7\) SETTINGS mutations_sync = 1$/,
      ),
      expect.stringMatching(
        /^SELECT 1 FROM clusterAllReplicas\(.*, telemetry\.t_local\) WHERE id = 7 LIMIT 1 SETTINGS skip_unavailable_shards = 1$/,
      ),
    ])
  })

  test('counts what is stored at all of its servers', async () => {
    const sent = await statements(cluster, async (engine) => {
      await countStored(engine, name, 'id = 7')
      await untilReplicated(engine, name, 'id = 7')
    })
    expect(sent).toHaveLength(2)
    expect(sent[0]).toContain('SETTINGS skip_unavailable_shards = 1')
    expect(sent[0]).toContain("getMacro('shard') AS shard")
  })

  test('has the telemetry tables', async () => {
    const sent = await statements(cluster, (engine) => ensureTables(engine))
    const created = sent.filter((sql) => sql.startsWith('CREATE'))
    expect(created.filter((sql) => sql.includes('ENGINE = ReplicatedMergeTree '))).toHaveLength(7)
    expect(created.filter((sql) => sql.includes('ENGINE = Distributed('))).toHaveLength(7)
    expect(sent.filter((sql) => /^(CREATE|ALTER)/.test(sql) && !sql.includes(' ON CLUSTER '))).toEqual([])
  })

  test('takes as the count what the replica with the most rows of each shard has', async () => {
    const { engine } = recording(cluster)
    const rows = [
      { shard: '01', replica: 1, rows: '0' },
      { shard: '01', replica: 1, rows: '3' },
      { shard: '01', replica: 2, rows: '5' },
      { shard: '02', replica: 3, rows: '4' },
      { shard: '02', replica: 4, rows: '0' },
    ]
    const query = async <Row>(sql: string) => (sql.includes('AS full') ? [] : rows) as Row[] // of the count
    expect(await countStored({ ...engine, query }, name, '1')).toBe(9)
  })
})

describe.each([server, cloud])('$kind', (dialect) => {
  test('has one table, without ON CLUSTER', async () => {
    const sent = await statements(dialect, async (engine) => {
      await createDatabase(engine, 'd')
      await createTable(engine, table)
      await alterColumns(engine, name, 'ADD COLUMN a UInt8')
      await mutateRows(engine, name, 'DELETE', 'id = 7')
      await createLike(engine, other, name)
      await exchangeTables(engine, name, other)
      await completeExchange(engine, name, other)
      await untilReplicated(engine, name, '1')
      await dropTable(engine, other)
    })
    expect(sent.map((sql) => sql.replace(/ \(`id.*\) ENGINE/, ' (…) ENGINE'))).toEqual([
      'CREATE DATABASE IF NOT EXISTS d',
      'CREATE TABLE IF NOT EXISTS d.t (…) ENGINE = ReplacingMergeTree(version) ORDER BY id SETTINGS fsync_after_insert = 1',
      'ALTER TABLE d.t (ADD COLUMN `a` UInt8)',
      `ALTER TABLE d.t (DELETE WHERE id = 7) SETTINGS mutations_sync = ${dialect.kind === 'cloud' ? 3 : 1}`,
      'CREATE TABLE d.u AS d.t',
      'EXCHANGE TABLES d.t AND d.u',
      'DROP TABLE IF EXISTS d.u SYNC',
    ])
  })
})

test('a statement is stopped, and statements are listed, at all replicas', async () => {
  expect(await parsed(killStatement(cloud, 'SYNC'))).toMatch(/^KILL QUERY ON CLUSTER default WHERE .* SYNC$/)
  expect(await parsed(killStatement(cluster, 'ASYNC'))).toMatch(/^KILL QUERY ON CLUSTER `the .* ASYNC$/)
  expect(killStatement(server, 'SYNC')).not.toContain('CLUSTER')
  expect(await parsed(`SELECT 1 FROM ${systemTable(cloud, 'processes')}`)).toBe(
    "SELECT 1 FROM (SELECT * FROM clusterAllReplicas('default', system.processes) SETTINGS skip_unavailable_shards = 1)",
  )
  expect(systemTable(server, 'processes')).toBe('system.processes')
})

test('the engine knows the settings of all dialects', async () => {
  for (const dialect of [server, cloud, cluster]) {
    const settings = { ...dialectSettings(dialect), ...onceSettings(dialect, 'a token') }
    const list = Object.entries(settings).map(([key, value]) => `${key} = '${String(value)}'`)
    expect(await parser.query(`SELECT 1 AS one SETTINGS ${list.join(', ')}`)).toEqual([{ one: 1 }])
  }
  expect(mutationWait(cloud)).toBe('mutations_sync = 3')
})
