/** Alerts on Raw SQL tiles. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Engine } from '../../telemetry/engine/engine.ts'
import { tables } from '../../telemetry/tables.ts'
import { alertScene, shownEvents, sourceIds, type AlertScene } from '../../testing/alertScene.ts'
import { temporaryEngine } from '../../testing/temporaryEngine.ts'

let engine: Engine
let scene: AlertScene
beforeAll(async () => {
  engine = await temporaryEngine()
})
afterAll(() => engine.close())
beforeEach(async () => {
  await engine.command(`TRUNCATE TABLE ${tables.logs}`)
  scene = await alertScene(engine)
})
afterEach(() => scene.close())

const tile = (sqlTemplate: string, displayType = 'line') => ({
  configType: 'sql',
  displayType,
  connectionId: 'a'.repeat(24),
  sourceId: sourceIds.log,
  sqlTemplate,
})
const error = (ServiceName: string) => ({ ServiceName, SeverityText: 'error' })
const counts = `SELECT $__timeInterval(Timestamp) AS ts, ServiceName, count() AS total FROM default.otel_logs
  WHERE $__timeFilter(Timestamp) AND SeverityText = 'error' AND $__filters GROUP BY ts, ServiceName ORDER BY ts`

describe('a line tile', () => {
  test('is grouped by its other columns', async () => {
    await scene.alert(tile(counts), { threshold: 2 })
    await scene.logs(0, [error('api'), error('api'), error('web')])
    await scene.logs(1, [error('web'), error('web')])
    await scene.pass(1)
    await scene.pass(3)
    expect(shownEvents(scene.sent)).toEqual([
      '1 ServiceName:api ALERT 2',
      '2 ServiceName:api OK 0',
      '2 ServiceName:web ALERT 2',
      '3 ServiceName:web OK 0',
    ])
  })

  test('with an offset has whole windows', async () => {
    const { id } = await scene.alert(tile(counts), { interval: '5m', scheduleOffsetMinutes: 3, threshold: 3 })
    for (const at of [-1, 1, 2]) await scene.logs(at, [error('api')])
    await scene.pass(3)
    expect((await scene.evaluations(id))[0]).toMatchObject({ lastValues: [{ count: 3 }], state: 'ALERT' })
  })

  test('with parameters, a subquery and the table of its source', async () => {
    const template = `WITH recent AS (SELECT * FROM $__sourceTable WHERE toUnixTimestamp64Milli(toDateTime64(Timestamp, 3)) >= {startDateMilliseconds:Int64})
      SELECT toStartOfInterval(toDateTime(Timestamp), toIntervalSecond({intervalSeconds:Int64})) AS ts, countIf(Body IN ('default.x', 'b')) AS n
      FROM recent WHERE Timestamp < $__toTime_ms GROUP BY ts`
    await scene.alert(tile(template))
    await scene.logs(0, [{ Body: 'default.x' }, { Body: 'a' }])
    await scene.pass(1)
    expect(shownEvents(scene.sent)).toEqual(['1 ALERT 1'])
  })
})

test('a number tile has its first row, for each window', async () => {
  const template = "SELECT count() AS n FROM otel_logs WHERE $__timeFilter(Timestamp) AND SeverityText = 'error'"
  const { id } = await scene.alert(tile(template, 'number'), { threshold: 2 })
  await scene.logs(1, [error('api'), error('api')])
  await scene.pass(1)
  await scene.pass(3)
  expect(shownEvents(scene.sent)).toEqual(['2 ALERT 2', '3 OK 0'])
  expect(await scene.evaluations(id)).toHaveLength(3)
})

test.each([
  ['', /statement is empty/],
  ['SELECT 1 AS n', /INVALID_ALERT: The SQL has no column with a time/],
  ['SELECT $__timeInterval(Timestamp) AS ts FROM otel_logs', /no column with a number/],
  ['SELECT Timestamp AS ts, toDecimal64(1, 2) AS d FROM otel_logs', /value d of the SQL has the type Decimal\(18, 2\)/],
  ['SELECT now() AS ts, $__nothing AS n', /INVALID_ALERT: The macro \$__nothing/],
  ['SELECT now() AS ts, {nothing:Int64} AS n', /INVALID_ALERT: The parameter nothing/],
  ["SELECT now() AS ts, count() AS n FROM $__sourceTable('gauge')", /INVALID_ALERT: The SQL uses \$__sourceTable/],
  ['SELEC 1', /QUERY_ERROR: SQL/],
  ['SELECT Timestamp, Nothing FROM otel_logs', /"Nothing": the column does not exist/],
  ['SELECT now() AS ts, 1 AS n; DROP TABLE otel_logs', /";"/],
  ["SELECT now() AS ts, count() AS n FROM file('/etc/passwd')", /file is not allowed/],
  ["SELECT now() AS ts, count() AS n FROM url('http://127.0.0.1/')", /url is not allowed/],
  ['SELECT now() AS ts, count() AS n FROM numbers(10)', /numbers is not allowed/],
  ["SELECT now() AS ts, count() AS n FROM format(JSONEachRow, '{}')", /format is not allowed/],
  ['SELECT now() AS ts, count() AS n FROM system.tables', /"system" is not a database/],
  ['SELECT now() AS ts, count() AS n FROM (SELECT * FROM system.tables)', /"system" is not a database/],
  ['SELECT now() AS ts, count() AS n FROM otel_logs WHERE 1 IN system.numbers', /IN needs a list/],
  ['SELECT now() AS ts, (SELECT count() FROM system.users) AS n', /"system" is not a database/],
  ['SELECT now() AS ts, 1 AS n UNION ALL SELECT now(), 1 FROM system.tables', /"system" is not a database/],
  ['SELECT now() AS ts, count() AS n FROM otel_logs SETTINGS max_threads = 1', /SETTINGS is not allowed/],
  ["SELECT now() AS ts, count() AS n FROM otel_logs INTO OUTFILE '/tmp/x'", /QUERY_ERROR: SQL/],
  ["SELECT now() AS ts, length(getSetting('max_threads')) AS n", /getSetting is not allowed/],
  ['SELECT now() AS ts, 1 AS n) UNION ALL (SELECT now(), 2', /no opening bracket/],
  ['SELECT now() AS ts, count() AS n FROM information_schema.tables', /is not a database/],
  ['EXPLAIN SELECT 1', /EXPLAIN at 1 is not allowed/],
])('refuses %s', async (template, message) => {
  const { id } = await scene.alert(tile(template))
  await scene.pass(1)
  const [only] = (await scene.read(id)).executionErrors ?? []
  expect(`${only?.type}: ${only?.message}`).toMatch(message)
})
