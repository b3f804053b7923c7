/** Existing tables as destinations, by what the server says of their engines. */
import { expect, test } from 'vitest'
import type { Dialect } from '../../telemetry/engine/dialect.ts'
import type { EngineIdentity } from '../../telemetry/engine/engineMemory.ts'
import type { TableChanger } from '../../telemetry/engine/tableChanges.ts'
import { intoEvents, pipeInputs } from '../../testing/managedClient.ts'
import { newPipe } from '../model/newPipe.ts'
import { prepareDestination } from './destinationTable.ts'

const server: Dialect = { kind: 'server', cluster: null }
const cloud: Dialect = { kind: 'cloud', cluster: 'default' }
const cluster: Dialect = { kind: 'cluster', cluster: 'main' }

/** An engine that says this of every table, and keeps the changes. */
function engineWith(dialect: Dialect, row: object) {
  const sent: string[] = []
  const engine: TableChanger & EngineIdentity = {
    identity: {},
    dialect,
    database: 'telemetry',
    query: async <Row>() => [row] as Row[], // what the test says
    command: async (sql) => void sent.push(sql),
  }
  return { engine, sent }
}

const into = intoEvents([{ name: 'id', type: 'UInt64' }])
const pipe = newPipe(
  'service',
  { ...pipeInputs.kafka, ...into, destination: { ...into.destination, managedTable: false } },
  '2026-01-02T03:04:05Z',
)

test.each([
  'MergeTree',
  'ReplicatedMergeTree',
  'ReplicatedReplacingMergeTree',
  'SharedMergeTree',
  'SharedReplacingMergeTree',
])('an existing %s table gets the number of loads', async (engineOf) => {
  for (const dialect of [server, cloud, cluster]) {
    const { engine, sent } = engineWith(dialect, {
      engine: engineOf,
      full: `${engineOf}('/path', '{replica}') ORDER BY id`,
    })
    await prepareDestination(pipe, engine)
    expect(sent).toEqual([expect.stringMatching(/^ALTER TABLE .* ADD COLUMN IF NOT EXISTS _pipe_load /)])
    expect(sent[0]?.includes('ON CLUSTER `main`')).toBe(dialect === cluster)
  }
})

test.each(['Memory', 'ReplicatedSummingMergeTree', 'SharedAggregatingMergeTree', 'Distributed'])(
  'an existing %s table is refused',
  async (engineOf) => {
    const { engine, sent } = engineWith(cloud, { engine: engineOf })
    await expect(prepareDestination(pipe, engine)).rejects.toThrow(`a ${engineOf} table cannot be loaded exactly once`)
    expect(sent).toEqual([])
  },
)

test('an existing Distributed table of a cluster gets it with what stores its rows', async () => {
  const full = "Distributed('main', 'shop', 'orders_local', cityHash64(id))"
  const { engine, sent } = engineWith(cluster, { engine: 'ReplicatedMergeTree', full })
  await prepareDestination(pipe, engine)
  expect(sent).toEqual([
    expect.stringContaining('ALTER TABLE `shop`.`orders_local` ON CLUSTER `main` ADD COLUMN'),
    expect.stringMatching(/^ALTER TABLE `service_\w+`\.`\w+` ON CLUSTER `main` ADD COLUMN/),
  ])
})
