import { expect, test } from 'vitest'
import type { Engine } from '../../../telemetry/engine/engine.ts'
import { takesVersions, type SourceTable } from './postgresTables.ts'

const id = { name: 'id', type: 'integer', notNull: true }
const target = { database: 'd', table: 'orders' }
const source = { primaryKey: [id] } as SourceTable // nothing else is looked at
const path = "'/clickhouse/tables/{uuid}/{shard}', '{replica}'"

test.each([
  ['ReplacingMergeTree(_pipe_version, _pipe_deleted) ORDER BY id', true],
  [`ReplicatedReplacingMergeTree(${path}, _pipe_version, _pipe_deleted) ORDER BY id`, true],
  ['ReplicatedReplacingMergeTree(_pipe_version, _pipe_deleted) ORDER BY id', true],
  [`SharedReplacingMergeTree(${path}, _pipe_version, _pipe_deleted) ORDER BY id`, true],
  [`SharedReplacingMergeTree(${path}, _pipe_version) ORDER BY id`, false],
  [`SharedReplacingMergeTree(${path}, version, deleted) ORDER BY id`, false],
  [`SharedMergeTree(${path}) ORDER BY id`, false],
])('%s follows a replication slot: %s', async (engine, expected) => {
  const described = (key: string): Pick<Engine, 'dialect' | 'query'> => ({
    dialect: { kind: 'cloud', cluster: 'default' },
    query: async <Row>() => [{ engine, key: [key] }] as Row[], // of the one query
  })
  expect(await takesVersions(source, target, described('id'))).toBe(expected)
  expect(await takesVersions(source, target, described('other'))).toBe(false)
})
