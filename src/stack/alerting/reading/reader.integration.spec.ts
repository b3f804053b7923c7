/** Shared statements, and alerts that cannot be evaluated. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { alertRows } from '../../documents/alertRows.ts'
import { dashboardRows } from '../../documents/dashboardRows.ts'
import type { Engine } from '../../telemetry/engine/engine.ts'
import { EngineError } from '../../telemetry/engine/engineError.ts'
import { tables } from '../../telemetry/tables.ts'
import { alertScene, sceneStart, shownEvents, sourceIds, type AlertScene } from '../../testing/alertScene.ts'
import { temporaryEngine } from '../../testing/temporaryEngine.ts'

let engine: Engine
/** The statements over telemetry tables. */
let statements: string[] = []
/** Fails the next statements over logs. */
let failing: Error | null = null
/** Statements with this text exceed their time limit. */
let slow: string | null = null
let scene: AlertScene
beforeAll(async () => {
  engine = await temporaryEngine()
})
afterAll(() => engine.close())
beforeEach(async () => {
  await engine.command(`TRUNCATE TABLE ${tables.logs}`)
  statements = []
  failing = null
  slow = null
  const watched: Engine = {
    ...engine,
    query(sql, options) {
      if (!sql.includes('__bucket')) return engine.query(sql, options)
      statements.push(sql)
      if (slow !== null && sql.includes(slow))
        return Promise.reject(new EngineError(159, 'TIMEOUT_EXCEEDED', 'timeout'))
      return failing ? Promise.reject(failing) : engine.query(sql, options)
    },
  }
  scene = await alertScene(watched, { maxSeconds: 1 })
})
afterEach(() => scene.close())

const counting = (where: string, changes: object = {}) => ({
  displayType: 'line',
  sourceId: sourceIds.log,
  select: [{ aggFn: 'count', where, ...changes }],
})
const sql = { whereLanguage: 'sql' }
const errorsOf = async (id: string) =>
  ((await scene.read(id)).executionErrors ?? []).map(({ type, message }) => `${type}: ${message}`)

describe('shared statements', () => {
  test('one for each source, interval and set of group columns', async () => {
    for (let at = 0; at < 30; at++) {
      await scene.alert(counting(`Body:w${at}`), { threshold: 1 })
      await scene.alert({ ...counting(`Body:w${at}`), groupBy: 'ServiceName' }, { threshold: 1 })
      await scene.alert(counting(`Body:w${at % 2}`), { threshold: 2, interval: '5m' })
    }
    await scene.logs(0, [{ Body: 'w3', ServiceName: 'api' }])
    await scene.pass(1)
    expect(statements).toHaveLength(3)
    expect(shownEvents(scene.sent).toSorted()).toEqual(['1 ALERT 1', '1 ServiceName:api ALERT 1'])
    await scene.pass(2)
    // The windows of five minutes are done.
    expect(statements).toHaveLength(5)
  })

  test('alerts with equal queries share one column of the statement', async () => {
    for (const threshold of [1, 2, 3]) await scene.alert(counting('Body:x'), { threshold })
    await scene.logs(0, [{ Body: 'x' }, { Body: 'x' }])
    await scene.pass(1)
    expect(statements).toHaveLength(1)
    expect(statements[0]?.match(/countIf\(/g)).toHaveLength(1)
    expect(shownEvents(scene.sent)).toEqual(['1 ALERT 2', '1 ALERT 2'])
  })

  test('each condition of a saved search is read in its language, and none changes another', async () => {
    const search = (where: string, condition: string) => ({
      where,
      whereLanguage: 'lucene' as const,
      filters: [{ type: 'sql' as const, condition }],
    })
    const right = await scene.searchAlert(search('Body:x || Body:y', "ServiceName = 'api' OR SeverityText = 'error'"))
    const wrong = await Promise.all([
      scene.searchAlert(search('Body:x) OR (Body:y', "ServiceName = 'api'")),
      scene.searchAlert(search('Body:x', "ServiceName = 'api') OR (1 = 1")),
      scene.searchAlert(search('Body:x', "ServiceName = 'api' -- or any")),
      scene.searchAlert(search('Body:x', "ServiceName = 'api")),
    ])
    await scene.logs(0, [
      { Body: 'x', ServiceName: 'api' },
      { Body: 'y', ServiceName: 'web', SeverityText: 'error' },
      { Body: 'y', ServiceName: 'web' },
      { Body: 'z', ServiceName: 'api' },
    ])
    await scene.pass(1)
    expect(shownEvents(scene.sent)).toEqual(['1 ALERT 2'])
    expect(await errorsOf(right.id)).toEqual([])
    for (const { id } of wrong) expect((await errorsOf(id))[0]).toMatch(/^QUERY_ERROR: /)
  })

  test('are limited in size', async () => {
    for (let at = 0; at < 120; at++) await scene.alert(counting(`Body:w${at}`))
    await scene.pass(1)
    expect(statements).toHaveLength(2)
  })
})

describe('an alert that cannot be evaluated', () => {
  test('says why, and leaves the others', async () => {
    const good = await scene.alert(counting('Body:x'))
    const field = await scene.alert(counting('Bdy:x'))
    const group = await scene.alert({ ...counting('Body:x'), groupBy: 'Nothing' })
    const text = await scene.alert({ ...counting(''), select: [{ aggFn: 'any', valueExpression: 'Body', where: '' }] })
    await scene.logs(0, [{ Body: 'x' }])
    await scene.pass(1)
    expect(await scene.read(good.id)).toMatchObject({ state: 'ALERT' })
    expect(await errorsOf(good.id)).toEqual([])
    expect(await errorsOf(field.id)).toEqual([
      'QUERY_ERROR: Series A, condition: field "Bdy" does not exist: did you mean Body? (at 1)',
    ])
    expect((await errorsOf(group.id))[0]).toMatch(/^QUERY_ERROR: Group by: field "Nothing" does not exist/)
    expect((await errorsOf(text.id))[0]).toMatch(/^INVALID_ALERT: Series A is not a number/)
    // No window of it was ever read.
    expect(await scene.read(field.id)).toMatchObject({ state: 'INSUFFICIENT_DATA' })
    expect(await scene.evaluations(field.id)).toMatchObject([
      { state: 'INSUFFICIENT_DATA', lastValues: [], errors: [{ type: 'QUERY_ERROR' }] },
    ])
  })

  test('because of its rows leaves the others', async () => {
    const bad = await scene.alert(counting("toUInt8(Body || 'x') = 1", sql))
    const good = await Promise.all(['x', 'y', 'z'].map((word) => scene.alert(counting(`Body:${word}`))))
    await scene.logs(0, [{ Body: 'x' }, { Body: 'y' }, { Body: 'z' }])
    await scene.pass(1)
    for (const { id } of good) expect(await scene.read(id)).toMatchObject({ state: 'ALERT' })
    expect((await errorsOf(bad.id))[0]).toMatch(/^QUERY_ERROR: .*cannot be converted/)
    // From now on it has a statement of its own.
    statements = []
    await scene.pass(2)
    await scene.pass(3)
    expect(statements.length).toBeLessThanOrEqual(6)
  })

  test.each<[string, object, RegExp]>([
    ['table', { displayType: 'table', sourceId: sourceIds.log, select: [{ aggFn: 'count' }] }, /type table/],
    ['markdown', { displayType: 'markdown' }, /type markdown/],
    ['source', { ...counting(''), sourceId: 'b'.repeat(24) }, /source of this alert does not exist/],
  ])('%s', async (_, config, message) => {
    const { id } = await scene.alert(config)
    await scene.pass(1)
    const [only] = await errorsOf(id)
    expect(only).toMatch(/^INVALID_ALERT/)
    expect(only).toMatch(message)
  })

  test('because its tile was deleted, until there is one again', async () => {
    const { id, dashboardId = '' } = await scene.alert(counting('Body:x'))
    const dashboard = await dashboardRows.get(scene.store, dashboardId)
    if (!dashboard) throw new Error('no dashboard')
    await dashboardRows.update(scene.store, { ...dashboard, tiles: [] })
    await scene.pass(1)
    expect((await errorsOf(id))[0]).toMatch(/tile of this alert does not exist/)
    await dashboardRows.update(scene.store, dashboard)
    await scene.logs(0, [{ Body: 'x' }])
    await scene.pass(1)
    expect(await scene.read(id)).toMatchObject({ state: 'ALERT', executionErrors: [] })
  })

  test('keeps its state, and its windows are read later', async () => {
    const { id } = await scene.alert(counting('Body:x'))
    await scene.logs(0, [{ Body: 'x' }])
    await scene.pass(1)
    failing = new EngineError(0, 'UNREACHABLE', 'the telemetry engine does not answer (ECONNREFUSED)')
    await scene.logs(1, [{ Body: 'x' }])
    await scene.pass(2)
    await scene.pass(3)
    expect(await scene.read(id)).toMatchObject({ state: 'ALERT' })
    expect(await errorsOf(id)).toEqual(['QUERY_ERROR: The telemetry engine does not answer (ECONNREFUSED)'])
    failing = null
    await scene.pass(4)
    expect((await scene.evaluations(id)).map(({ state }) => state)).toEqual(['ALERT', 'ALERT', 'OK', 'OK'])
    expect(shownEvents(scene.sent)).toEqual(['1 ALERT 1', '3 OK 0'])
    expect(await errorsOf(id)).toEqual([])
  })

  test('keeps the errors of deliveries', async () => {
    const alert = await scene.alert(counting('Body:x'))
    const delivery = { timestamp: '', type: 'WEBHOOK_ERROR', message: 'm' }
    await alertRows.update(scene.store, { ...alert, executionErrors: [delivery] })
    await scene.pass(1)
    expect((await scene.read(alert.id)).executionErrors).toEqual([delivery])
  })

  test('because it is too slow', async () => {
    const { id } = await scene.alert(counting('arraySum(arrayMap(x -> sipHash64(x, Body), range(150))) = 1', sql))
    await engine.command(
      `INSERT INTO otel_logs (Timestamp, Body) SELECT fromUnixTimestamp64Milli({at:Int64}), 'x' FROM numbers(1000000)`,
      { params: { at: sceneStart } },
    )
    await scene.pass(1)
    expect((await errorsOf(id))[0]).toMatch(/^QUERY_TIMEOUT: The query took longer than 1 s/)
  })

  test('because it is too slow does not hold up the others for long', async () => {
    slow = 'Body LIKE'
    const bad = await scene.alert(counting("Body LIKE 'x'", sql))
    const good = await Promise.all(['x', 'y', 'z'].map((word) => scene.alert(counting(`Body:${word}`))))
    await scene.logs(0, [{ Body: 'x' }, { Body: 'y' }, { Body: 'z' }])
    // Each pass divides what was too slow before: four, two, one.
    for (const at of [1, 2, 3]) await scene.pass(at)
    for (const { id } of good) {
      expect((await scene.evaluations(id)).map(({ state }) => state)).toEqual(['ALERT', 'OK', 'OK'])
    }
    expect((await errorsOf(bad.id))[0]).toMatch(/^QUERY_TIMEOUT/)
  })

  test('because many windows at once are too much reads them in parts', async () => {
    const { id } = await scene.alert({ ...counting(''), groupBy: 'Body' }, { threshold: 2 })
    await scene.pass(0)
    await engine.command(
      `INSERT INTO otel_logs (Timestamp, Body)
       SELECT fromUnixTimestamp64Milli({at:Int64} + intDiv(number, 5000) * 60000 + 1), toString(number % 5000) FROM numbers(25000)`,
      { params: { at: sceneStart } },
    )
    await scene.pass(5)
    expect((await errorsOf(id))[0]).toMatch(/too many groups/)
    // Three of five, then the others, in the same pass.
    await scene.pass(5)
    expect(await errorsOf(id)).toEqual([])
    expect((await scene.evaluations(id)).map(({ groupsTotal }) => groupsTotal)).toEqual([
      0, 5000, 5000, 5000, 5000, 5000,
    ])
  })
})
