import { expect, test } from 'vitest'
import { asSqlFor } from '#console/charting/search/conditionAsSql.ts'
import type { TileConfig } from '#console/charting/tiles/tileConfig.ts'
import type { TileScope } from '#console/charting/tiles/tileQuery.ts'
import { recordContent } from './recordContent.ts'

const logs = {
  id: 'logs',
  kind: 'log',
  name: 'Logs',
  from: { databaseName: 'default', tableName: 'otel_logs' },
  timestampValueExpression: 'Timestamp',
  bodyExpression: 'Body',
} as const
const scope: TileScope = {
  span: { from: 0, to: 3_600_000 },
  granularity: 'auto',
  zone: 'utc',
  conditions: [],
  sourceId: (id) => id,
  toSql: asSqlFor([logs]),
}

/** The content of a tile, as it is stored with the link. */
async function contentOf(config: TileConfig, more: Partial<TileScope>) {
  const { tiles } = await recordContent({
    connectionId: 'c1',
    sources: [logs],
    scope: { ...scope, ...more },
    tiles: [{ id: 't', name: 'T', x: 0, y: 0, w: 6, h: 4, config }],
    nameOf: () => 'T',
  })
  return tiles[0]?.content
}

const sql = (sqlTemplate: string): TileConfig => ({ configType: 'sql', displayType: 'table', sqlTemplate })
const line = (where: string, more: TileConfig = {}): TileConfig => ({
  displayType: 'line',
  sourceId: 'logs',
  select: [{ aggFn: 'count', where, whereLanguage: 'sql' }],
  ...more,
})
const hidden = { lucene: 'hidden:5', label: 'the filter Hidden' }
const broken = { sql: 'hidden) OR (1', label: 'the filter Hidden' }
const variable = { name: 'env', expression: 'hidden) OR (1', values: ["hidden'"] }
const someDoNot = 'Some conditions of the dashboard do not apply to it.'
const refused = { kind: 'none', reason: 'This tile has no query that can be answered.' }
const waits = { kind: 'none', reason: 'It waits for a value of a filter.' }

test.each<[string, TileConfig, Partial<TileScope>, unknown]>([
  ['a part that SQL cannot express', sql('SELECT 1 WHERE $__filters'), { conditions: [hidden] }, [someDoNot]],
  ['SQL without filters', sql('SELECT 1'), { conditions: [hidden] }, [someDoNot]],
  ['a part that a chart cannot express', line('x = 1'), { conditions: [hidden] }, [someDoNot]],
  ['a filter of other sources', line('x = 1'), { conditions: [{ ...hidden, sourceIds: ['other'] }] }, [someDoNot]],
  ['HAVING', line('x = 1', { having: 'hidden > 5' }), {}, ['HAVING is not applied: the API does not support it.']],
])('the notes on %s say nothing of conditions', async (_, config, more, notes) => {
  const content = await contentOf(config, more)
  expect(content).toMatchObject({ notes })
  expect(JSON.stringify(content)).not.toMatch(/hidden/i)
})

test.each<[string, TileConfig, Partial<TileScope>, unknown]>([
  ['a condition in SQL that is more', sql('SELECT 1 WHERE $__filters'), { conditions: [broken] }, refused],
  ['a condition of a chart that is more', line('x = 1'), { conditions: [broken] }, refused],
  ['a value that a chart cannot have', line("x = '${env:csv}'"), { variables: [variable] }, refused],
  ['an expression that is more', line('$__filter($env)'), { variables: [variable] }, refused],
  ['a filter without a value', line('x = 1'), { required: [{ reason: 'Choose a value of Hidden.' }] }, waits],
])('the reason against %s says nothing of conditions', async (_, config, more, reason) => {
  expect(await contentOf(config, more)).toEqual(reason)
})
