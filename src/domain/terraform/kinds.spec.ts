/** The Terraform form of each kind of records, the fields left out, and the notes about them. */
import { LosslessNumber } from 'lossless-json'
import { describe, expect, test } from 'vitest'
import { alert, dashboard, lines, savedSearch, service, tile, webhook, written } from './testing/exportedRecords.ts'

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

  test('with channels only in a list say that the first plan is not empty', () => {
    const { notes } = written([alert({ channel: null, channels: [{ type: 'webhook', webhookId: 'w1' }] })])
    expect(notes).toEqual([expect.stringContaining('the first plan sets one')])
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

describe('services', () => {
  test('have their scaling, access and tags, and a password that is only used for a replacement', () => {
    const { hcl } = written([
      service({ endpoints: [{ protocol: 'mysql' }], tags: [{ key: 'team', value: 'a' }], encryptionKey: 'arn:s3cret' }),
    ])
    expect(lines(hcl)).toEqual(
      expect.arrayContaining([
        'to = clickhouse_service.analytics',
        'cloud_provider = "aws"',
        'num_replicas = 3',
        'idle_timeout_minutes = 15',
        'source = "10.0.0.0/8"',
        'description = ""',
        'enabled = true',
        'team = "a"',
        'password_wo = var.service_analytics_password',
        'ignore_changes = [password_wo_version]',
        'encryption_key = var.service_analytics_encryption_key',
      ]),
    )
    expect(hcl).not.toContain('s3cret')
    expect(hcl).not.toContain('warehouse_id')
  })

  test('that scale horizontally have a range of replicas; those that never idle have no timeout', () => {
    const scaling = { autoscalingMode: 'horizontal', minReplicas: 2, maxReplicas: 4, idleScaling: false }
    const { hcl } = written([service(scaling)])
    expect(lines(hcl)).toEqual(expect.arrayContaining(['min_replicas = 2', 'max_replicas = 4']))
    expect(hcl).not.toContain('num_replicas')
    expect(hcl).not.toContain('idle_timeout_minutes')
  })

  test('for development have no memory or replicas, which the provider does not read', () => {
    const { hcl } = written([service({ tier: 'development' })])
    expect(lines(hcl)).toContain('tier = "development"')
    expect(hcl).not.toContain('replica')
  })

  test('that use the warehouse of another one need no password', () => {
    const { hcl } = written([service({ isPrimary: false, dataWarehouseId: 'w1', isReadonly: true })])
    expect(lines(hcl)).toEqual(expect.arrayContaining(['warehouse_id = "w1"', 'readonly = true']))
    expect(hcl).not.toContain('password')
  })

  test.each([
    [{ tier: 'dedicated_high_mem' }, 'tier dedicated_high_mem'],
    [{ tier: 'development', releaseChannel: 'fast' }, 'release channel'],
  ])('that the provider refuses are left out: %j', (fields, reason) => {
    const { hcl, notes } = written([service(fields)])
    expect(notes).toEqual([expect.stringContaining(reason)])
    expect(hcl).not.toContain('resource')
  })
})
