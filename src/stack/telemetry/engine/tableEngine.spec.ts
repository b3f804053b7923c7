import { describe, expect, test } from 'vitest'
import { argumentName, parseTableEngine } from './tableEngine.ts'

const path = "'/clickhouse/tables/{uuid}/{shard}', '{replica}'"

describe('an engine_full', () => {
  test.each([
    ['MergeTree ORDER BY a SETTINGS index_granularity = 8192', 'MergeTree', null, []],
    ['MergeTree() ORDER BY tuple()', 'MergeTree', null, []],
    [
      'ReplacingMergeTree(_pipe_version, _pipe_deleted) ORDER BY id',
      'ReplacingMergeTree',
      null,
      ['_pipe_version', '_pipe_deleted'],
    ],
    [`ReplicatedMergeTree(${path}) PARTITION BY toDate(t) ORDER BY t`, 'MergeTree', 'Replicated', []],
    ['ReplicatedMergeTree ORDER BY t', 'MergeTree', 'Replicated', []],
    [
      `ReplicatedReplacingMergeTree(${path}, _pipe_version, _pipe_deleted) ORDER BY id SETTINGS index_granularity = 8192`,
      'ReplacingMergeTree',
      'Replicated',
      ['_pipe_version', '_pipe_deleted'],
    ],
    [
      "ReplicatedReplacingMergeTree('/clickhouse/tables/01/it\\'s (a, b)', 'r,1', version) ORDER BY id",
      'ReplacingMergeTree',
      'Replicated',
      ['version'],
    ],
    ['ReplicatedReplacingMergeTree(version) ORDER BY id', 'ReplacingMergeTree', 'Replicated', ['version']],
    [`SharedMergeTree(${path}) ORDER BY (a, b) TTL t + toIntervalDay(30)`, 'MergeTree', 'Shared', []],
    [`SharedSummingMergeTree(${path}, (a, \`b,c\`)) ORDER BY id`, 'SummingMergeTree', 'Shared', ['(a, `b,c`)']],
    [`SharedReplacingMergeTree(${path}, \`a version\`) ORDER BY id`, 'ReplacingMergeTree', 'Shared', ['`a version`']],
    [
      "Distributed('main', 'telemetry', 'otel_logs_local', cityHash64(a, toString(b)))",
      'Distributed',
      null,
      ["'main'", "'telemetry'", "'otel_logs_local'", 'cityHash64(a, toString(b))'],
    ],
    ['SharedSet', 'SharedSet', null, []],
    ['Null', 'Null', null, []],
    ['', '', null, []],
  ] as const)('%s', (engineFull, name, replication, found) => {
    expect(parseTableEngine(engineFull)).toEqual({ name, replication, arguments: [...found] })
  })

  test.each([
    ["'it\\'s'", "it's"],
    ['`a b`', 'a b'],
    ['plain', 'plain'],
  ])('has the argument %s', (argument, name) => expect(argumentName(argument)).toBe(name))
})
