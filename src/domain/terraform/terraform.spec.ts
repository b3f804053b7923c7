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
import { expect, test } from 'vitest'
import { exportedKinds, type ExportedKind, type ExportedRecord } from './exportedKinds.ts'
import { terraformOf } from './terraform.ts'
import { alert, baseOf, dashboard, lines, savedSearch, source, tile, written } from './testing/exportedRecords.ts'

test('a source is imported and has all its fields, without those that are empty', () => {
  const { hcl, notes } = written([source({ section: '', bodyExpression: 'Body', querySettings: [], disabled: false })])
  expect(notes).toEqual([])
  expect(hcl).toBe(`# Requires version 3.25.3 of the provider, or a later one.

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
  const kind = constantFrom<ExportedKind>(...exportedKinds)
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
        records.map((exportedRecord) => exportedRecord.record['id']).toSorted(),
      )
      expect(written(records.toReversed()).hcl).toBe(hcl)
    }),
  )
})

test('values that cannot be converted to text are left out with a note', () => {
  const odd = { toString: [], valueOf: null }
  for (const key of ['interval', 'thresholdType', 'thresholdMax', 'groupBy', 'scheduleOffsetMinutes', 'threshold']) {
    const record = { ...baseOf('alerts'), [key]: odd }
    expect(() => written([{ kind: 'alerts', record }])).not.toThrow()
  }
})

test('a record with any fields is written or left out with a note', () => {
  const kind = constantFrom<ExportedKind>(...exportedKinds)
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
