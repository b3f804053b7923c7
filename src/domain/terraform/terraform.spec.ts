/** Records as configuration: what is written, what refers to what, and what is said about the rest. */
import {
  array,
  assert,
  constantFrom,
  dictionary,
  integer,
  jsonValue,
  property,
  record,
  string,
  tuple,
} from 'fast-check'
import { LosslessNumber } from 'lossless-json'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../json/json.ts'
import { recordKinds, type RecordKind } from '../records/kinds.ts'
import { terraformOf, type ExportedRecord } from './terraform.ts'

const source = (fields: JsonObject = {}): ExportedRecord => ({
  kind: 'sources',
  record: {
    id: 's1',
    name: 'Logs',
    kind: 'log',
    connection: 'c1',
    timestampValueExpression: 'Timestamp',
    from: { databaseName: 'default', tableName: 'otel_logs' },
    ...fields,
  },
})
const webhook = (fields: JsonObject = {}): ExportedRecord => ({
  kind: 'webhooks',
  record: { id: 'w1', name: 'On call', service: 'slack', url: 'https://hooks.example/secret', ...fields },
})
const savedSearch = (fields: JsonObject = {}): ExportedRecord => ({
  kind: 'savedSearches',
  record: {
    id: 'q1',
    name: 'Errors',
    sourceId: 's1',
    where: '',
    whereLanguage: 'lucene',
    tags: [],
    filters: [],
    ...fields,
  },
})
const dashboard = (fields: JsonObject = {}): ExportedRecord => ({
  kind: 'dashboards',
  record: { id: 'd1', name: 'Shop', tiles: [], tags: [], filters: [], ...fields },
})
const alert = (fields: JsonObject = {}): ExportedRecord => ({
  kind: 'alerts',
  record: {
    id: 'a1',
    name: null,
    source: 'saved_search',
    savedSearchId: 'q1',
    threshold: 5,
    thresholdType: 'above',
    interval: '5m',
    state: 'OK',
    teamId: 't1',
    scheduleOffsetMinutes: 0,
    channel: { type: 'webhook', webhookId: 'w1' },
    ...fields,
  },
})
const tile = (fields: JsonObject = {}) => ({ id: 't1', name: 'Orders', x: 0, y: 0, w: 6, h: 4, ...fields })

const written = (records: readonly ExportedRecord[]) => terraformOf(records, { variant: 'openSource' })
/** Without the spaces that align it. */
const lines = (hcl: string) => hcl.split('\n').map((line) => line.trim().replace(/ +=/, ' ='))

test('a source is imported and has all its fields, without those that are empty', () => {
  const { hcl, notes } = written([source({ section: '', bodyExpression: 'Body', querySettings: [], disabled: false })])
  expect(notes).toEqual([])
  expect(hcl).toBe(`# Requires version 3.25.3 of the provider.

# source "Logs"
import {
  to = clickhouse_clickstack_source.logs
  id = "s1"
}

resource "clickhouse_clickstack_source" "logs" {
  name          = "Logs"
  kind          = "log"
  connection_id = "c1"
  from = {
    database_name = "default"
    table_name    = "otel_logs"
  }
  disabled                   = false
  timestamp_value_expression = "Timestamp"
  body_expression            = "Body"
}
`)
})

test('tables of metrics, highlighted attributes and materialized views are written with the names of the provider', () => {
  const view = { databaseName: 'd', tableName: 't', dimensionColumns: 'a', minGranularity: '5m', timestampColumn: 'T' }
  const { hcl } = written([
    source({
      metricTables: { gauge: 'g', 'exponential histogram': 'e' },
      highlightedRowAttributeExpressions: [{ sqlExpression: 'a', luceneExpression: '', alias: 'A' }],
      materializedViews: [{ ...view, aggregatedColumns: [{ sourceColumn: '', aggFn: 'count', mvColumn: 'c' }] }],
    }),
  ])
  expect(lines(hcl)).toEqual(
    expect.arrayContaining([
      'exponential_histogram = "e"',
      'highlighted_row_attribute_expressions = [',
      'sql_expression = "a"',
      'dimension_columns = "a"',
      'agg_fn = "count"',
      'mv_column = "c"',
    ]),
  )
  expect(hcl).not.toContain('lucene_expression')
  expect(hcl).not.toContain('source_column')
})

test('records that are exported together refer to each other, and to others by id', () => {
  const { hcl } = written([
    alert({ dashboardId: null }),
    savedSearch(),
    source({ logSourceId: 's9' }),
    dashboard({ tiles: [tile({ config: { sourceId: 's1' } })], filters: [{ id: 'f1', name: 'F', sourceId: 's8' }] }),
  ])
  expect(lines(hcl)).toEqual(
    expect.arrayContaining([
      'source_id = clickhouse_clickstack_source.logs.id',
      'saved_search_id = clickhouse_clickstack_saved_search.errors.id',
      'webhook_id = "w1"',
      'log_source_id = "s9"',
      'sourceId = clickhouse_clickstack_source.logs.id',
      'sourceId = "s8"',
    ]),
  )
})

test('the same texts elsewhere in a dashboard are not taken for references', () => {
  const { hcl } = written([source(), dashboard({ tiles: [tile({ config: { sourceId: 's1', where: 's1' } })] })])
  expect(lines(hcl)).toContain('where = "s1"')
})

test('of records that refer to each other, one refers by id', () => {
  const { hcl } = written([
    source({ id: 's1', name: 'Logs', traceSourceId: 's2' }),
    source({ id: 's2', name: 'Traces', logSourceId: 's1' }),
  ])
  expect(lines(hcl)).toContain('trace_source_id = clickhouse_clickstack_source.traces.id')
  expect(lines(hcl)).toContain('log_source_id = "s1"')
})

test('references never form a circle, however dashboards link to each other', () => {
  const link = (id: string) => ({ config: { onClick: { type: 'dashboard', target: { mode: 'id', id } } } })
  const links = array(tuple(integer({ min: 0, max: 6 }), integer({ min: 0, max: 6 })), { maxLength: 30 })
  assert(
    property(links, (pairs) => {
      const ids = [...Array(7).keys()].map((at) => `d${at}`)
      const records = ids.map((id, at) => {
        const tiles = pairs.flatMap(([from, to], number) =>
          from === at ? [tile({ id: `t${number}`, name: `${number}`, ...link(`d${to}`) })] : [],
        )
        return dashboard({ id, name: id, tiles })
      })
      const targets = new Map<string, string[]>()
      let current = ''
      for (const line of written(records).hcl.split('\n')) {
        current = /^resource "\w+" "(\w+)"/.exec(line)?.[1] ?? current
        const target = /= clickhouse_clickstack_dashboard\.(\w+)\.id/.exec(line)?.[1]
        if (target) targets.set(current, [...(targets.get(current) ?? []), target])
      }
      const visit = (name: string, above: string[]): void => {
        expect(above).not.toContain(name)
        for (const target of targets.get(name) ?? []) visit(target, [...above, name])
      }
      for (const id of ids) visit(id, [])
    }),
  )
})

describe('dashboards', () => {
  test('have no ids of filters, and no leftovers of other aggregations', () => {
    const select = [
      { aggFn: 'count', valueExpression: '', level: 0.5, where: 'x' },
      { aggFn: 'quantile', valueExpression: 'Duration', level: 0.95 },
      { aggFn: 'avg', valueExpression: 'Duration', level: 0.9 },
    ]
    const { hcl } = written([
      dashboard({ tiles: [tile({ config: { select } })], filters: [{ id: 'filter-id', name: 'F' }] }),
    ])
    expect(hcl).not.toContain('filter-id')
    expect(hcl.match(/level\s+= /g)).toHaveLength(1)
    expect(hcl.match(/valueExpression\s+= /g)).toHaveLength(2)
    expect(lines(hcl)).toContain('id = "t1"')
  })

  test('have small and large numbers with the text that the provider gives them', () => {
    const { hcl } = written([
      dashboard({ tiles: [tile({ config: { factor: 1e-9, text: '1e-9', max: new LosslessNumber('1E21') } })] }),
    ])
    expect(lines(hcl)).toEqual(
      expect.arrayContaining([
        'dashboard_json = replace(replace(jsonencode({',
        'factor = "1e-9 "',
        'text = "1e-9"',
        'max = "1e+21"',
        String.raw`}), "\"1e-9 \"", "1e-9"), "\"1e+21\"", "1e+21")`,
      ]),
    )
  })
})

describe('alerts', () => {
  const onTile = { source: 'tile', savedSearchId: null, dashboardId: 'd1', tileId: 't1' }

  test('on a tile refer to it by its name, which needs a later version of the provider', () => {
    const { hcl, notes } = written([alert(onTile), dashboard({ tiles: [tile({ name: 'Orders "${x}"' })] })])
    expect(notes).toEqual([])
    expect(hcl).toContain('3.28.0')
    expect(lines(hcl)).toEqual(
      expect.arrayContaining([
        'source = "tile"',
        'dashboard_id = clickhouse_clickstack_dashboard.shop.id',
        'tile_id = clickhouse_clickstack_dashboard.shop.tile_ids["Orders \\"$${x}\\""]',
      ]),
    )
  })

  test.each([
    ['two tiles have its name', [tile(), tile({ id: 't2' })]],
    ['it has no name', [tile({ name: '' })]],
    ['it is not there', []],
  ])('on a tile refer to it by its id if %s', (_, tiles) => {
    expect(lines(written([alert(onTile), dashboard({ tiles })]).hcl)).toContain('tile_id = "t1"')
  })

  test('have their range, windows and texts; a limit without effect is left out', () => {
    const range = { thresholdType: 'between', thresholdMax: 9.5, numConsecutiveWindows: 2, scheduleOffsetMinutes: 3 }
    expect(lines(written([alert({ ...range, name: 'A', groupBy: 'ServiceName' })]).hcl)).toEqual(
      expect.arrayContaining([
        'threshold_max = 9.5',
        'num_consecutive_windows = 2',
        'schedule_offset_minutes = 3',
        'group_by = "ServiceName"',
        'name = "A"',
      ]),
    )
    const plain = written([alert({ thresholdMax: 9 })]).hcl
    expect(plain).not.toContain('threshold_max')
    expect(plain).not.toContain('schedule_offset_minutes')
  })

  test.each([
    [{ channel: { type: 'email', emailRecipients: ['a@b.example'] } }, 'notify a webhook'],
    [{ channel: null, channels: [] }, 'notify a webhook'],
    [{ source: 'inline', savedSearchId: null }, 'saved searches and tiles'],
    [{ interval: '2h' }, 'interval 2h'],
    [{ thresholdType: 'anomaly' }, 'threshold type anomaly'],
    [{ thresholdType: 'between', thresholdMax: 1 }, 'upper limit'],
    [{ scheduleOffsetMinutes: 5 }, 'offset'],
    [{ name: 'é'.repeat(300) }, '512 bytes'],
  ])('that the provider refuses are left out: %j', (fields, reason) => {
    const { hcl, notes } = written([alert(fields)])
    expect(notes).toEqual([expect.stringContaining(reason)])
    expect(hcl).toContain(`# Left out: `)
    expect(hcl).not.toContain('resource')
    expect(hcl).not.toContain('import {')
  })

  test('say what the provider does not have of them', () => {
    const channels = [
      { type: 'webhook', webhookId: 'w1' },
      { type: 'webhook', webhookId: 'w2' },
    ]
    const { hcl, notes } = written([alert({ name: 'A', renotifyIntervalMinutes: 30, channels })])
    expect(notes).toEqual([
      expect.stringMatching(/^alert "A": .*renotifyIntervalMinutes/),
      expect.stringContaining('removes 1 of them'),
    ])
    expect(hcl).toContain('# The provider has one channel')
    expect(hcl).toContain('resource "clickhouse_clickstack_alert" "a" {')
  })
})

test('saved searches have their filters as JSON; what is empty is left out', () => {
  const { hcl } = written([savedSearch({ tags: ['a'], filters: [{ type: 'sql', condition: 'a' }] })])
  expect(lines(hcl)).toEqual(
    expect.arrayContaining(['where_language = "lucene"', 'tags = ["a"]', 'filters = jsonencode([']),
  )
  expect(lines(hcl).some((line) => line.startsWith('where ='))).toBe(false)
})

test('the address and the body of a webhook are variables, and nothing of them is written', () => {
  const body = '{"key":"s3cret"}'
  const { hcl, notes } = written([webhook({ service: 'generic', body, headers: { Authorization: 's3cret' } })])
  expect(hcl).not.toContain('s3cret')
  expect(hcl).not.toContain('hooks.example')
  expect(lines(hcl)).toEqual(
    expect.arrayContaining([
      'variable "webhook_on_call_url" {',
      'sensitive = true',
      'url = var.webhook_on_call_url',
      'body = var.webhook_on_call_body',
    ]),
  )
  expect(notes).toEqual([expect.stringContaining('headers and query parameters')])
})

test('a whole folder names the provider and where it finds the deployment', () => {
  const { hcl } = terraformOf([source()], { variant: 'managed', provider: true })
  expect(lines(hcl)).toEqual(
    expect.arrayContaining([
      'source = "ClickHouse/clickhouse"',
      'version = ">= 3.25.3"',
      'provider "clickhouse" {}',
      expect.stringContaining('CLICKSTACK_SERVICE_ID'),
    ]),
  )
})

test('names are of letters, digits and underscores, and unique, in whatever order the records come', () => {
  const kind = constantFrom<RecordKind>(...recordKinds)
  const name = constantFrom(
    'Errors',
    'errors!',
    'Errors [2]',
    'errors 2',
    '5xx',
    'Größe',
    '日本',
    '',
    '${x}"\n}',
    'for',
  )
  const anyRecords = array(record({ kind, name }), { maxLength: 20 })
  assert(
    property(anyRecords, (named) => {
      const records = named.map(({ kind, name }, at): ExportedRecord => ({
        kind,
        record: { ...baseOf(kind), name, id: `r${at}` },
      }))
      const { hcl } = written(records)
      const addresses = [...hcl.matchAll(/^resource "(\w+)" "([a-z]\w*)" \{$/gm)].map(
        ([, type, one]) => `${type}.${one}`,
      )
      expect(addresses).toHaveLength(records.length)
      expect(new Set(addresses).size).toBe(records.length)
      expect([...hcl.matchAll(/^ {2}to = (\S+)$/gm)].map(([, to]) => to)).toEqual(addresses)
      expect([...hcl.matchAll(/^ {2}id = "(\w+)"$/gm)].map(([, id]) => id).toSorted()).toEqual(
        records.map((one) => one.record['id']).toSorted(),
      )
      expect(written(records.toReversed()).hcl).toBe(hcl)
    }),
  )
})

test('a record with any fields is written or left out with a note', () => {
  const kind = constantFrom<RecordKind>(...recordKinds)
  assert(
    property(kind, dictionary(string({ minLength: 1 }), jsonValue()), jsonValue(), (kind, fields, value) => {
      const base = baseOf(kind)
      for (const key of Object.keys(base).filter((key) => key !== 'id')) {
        const { hcl, notes } = written([{ kind, record: { ...fields, ...base, [key]: value } }])
        expect(hcl.includes('\nresource ') || notes.length > 0).toBe(true)
      }
    }),
    { numRuns: 50 },
  )
})

function baseOf(kind: RecordKind): JsonObject {
  return {
    sources: source().record,
    webhooks: webhook().record,
    savedSearches: savedSearch().record,
    dashboards: dashboard().record,
    alerts: alert().record,
  }[kind]
}
