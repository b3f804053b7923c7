/** Alerts over real rows, from the tile to what is sent. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Engine } from '../telemetry/engine/engine.ts'
import { tables } from '../telemetry/tables.ts'
import type { GaugeRow, SpanRow, SumRow } from '../telemetry/tableRows.ts'
import { alertRows } from '../documents/alertRows.ts'
import { alertScene, minute, sceneStart, shownEvents, sourceIds, type AlertScene } from '../testing/alertScene.ts'
import { temporaryEngine } from '../testing/temporaryEngine.ts'

let engine: Engine
let scene: AlertScene
beforeAll(async () => {
  engine = await temporaryEngine()
})
afterAll(() => engine.close())
beforeEach(async () => {
  for (const table of Object.values(tables)) await engine.command(`TRUNCATE TABLE ${table}`)
  scene = await alertScene(engine)
})
afterEach(() => scene.close())

const errors = 'SeverityText:error'
const line = (changes: object = {}) => ({
  displayType: 'line',
  sourceId: sourceIds.log,
  select: [{ aggFn: 'count', where: errors }],
  ...changes,
})
const error = (ServiceName = 'api') => ({ ServiceName, SeverityText: 'error' })
const info = (ServiceName = 'api') => ({ ServiceName, SeverityText: 'info' })
const values = async (id: string) => (await scene.evaluations(id)).map(({ lastValues }) => Number(lastValues[0]?.count))
const states = async (id: string) => (await scene.evaluations(id)).map(({ state }) => state)
async function passes(...minutes: number[]) {
  for (const at of minutes) await scene.pass(at)
}

describe('a line tile', () => {
  test('fires, and resolves when its rows vanish', async () => {
    const { id } = await scene.alert(line(), { threshold: 2 })
    await scene.logs(0, [error(), info()])
    await scene.logs(1.5, [error(), error()])
    await passes(1, 2, 2.5, 3)
    expect(shownEvents(scene.sent)).toEqual(['2 ALERT 2', '3 OK 0'])
    expect((await scene.evaluations(id)).map(({ state, noRows }) => [state, noRows])).toEqual([
      ['OK', false],
      ['ALERT', false],
      ['OK', true],
    ])
    expect(await scene.read(id)).toMatchObject({ state: 'OK' })
  })

  test('is not sent again while it is acknowledged, which ends when it is resolved', async () => {
    const { id } = await scene.alert(line(), { threshold: 1, renotifyIntervalMinutes: 0 })
    for (const at of [0, 1, 2, 3, 5]) await scene.logs(at, [error()])
    await passes(1, 2)
    expect(shownEvents(scene.sent)).toEqual(['1 ALERT 1', '2 ALERT 1'])
    const acknowledged = { at: new Date(sceneStart).toISOString(), by: 'Ada', note: 'On it' }
    const firing = await scene.read(id)
    await scene.store.write((transaction) => alertRows.update(transaction, { ...firing, acknowledged }))
    await passes(3, 4)
    expect(await scene.read(id)).toMatchObject({ state: 'ALERT', acknowledged })
    expect(scene.sent).toHaveLength(2)
    await passes(5, 6)
    expect(shownEvents(scene.sent).slice(2)).toEqual(['5 OK 0', '6 ALERT 1'])
    expect(await scene.read(id)).not.toHaveProperty('acknowledged')
  })

  test('with groups', async () => {
    const { id } = await scene.alert(line({ groupBy: "ServiceName, LogAttributes['host']" }), { threshold: 2 })
    await scene.logs(0, [error('api'), error('api'), error('web'), info('cart'), info('cart')])
    await scene.logs(1, [error('web'), error('web')])
    await passes(1, 2)
    expect(shownEvents(scene.sent)).toEqual([
      "1 ServiceName:api, LogAttributes['host']: ALERT 2",
      "2 ServiceName:api, LogAttributes['host']: OK 0",
      "2 ServiceName:web, LogAttributes['host']: ALERT 2",
    ])
    expect(scene.sent[0]?.group).toEqual({ ServiceName: 'api', "LogAttributes['host']": '' })
    const [first] = await scene.evaluations(id)
    expect(first).toMatchObject({ state: 'ALERT', counts: 1, groupsTotal: 2 })
  })

  test('a numeric group column is a group, not the value', async () => {
    await scene.alert(line({ groupBy: 'SeverityNumber' }), { threshold: 3 })
    await scene.logs(0, [
      { SeverityText: 'error', SeverityNumber: 17 },
      ...Array.from({ length: 3 }, () => ({ SeverityText: 'error', SeverityNumber: 2 })),
    ])
    await passes(1)
    expect(shownEvents(scene.sent)).toEqual(['1 SeverityNumber:2 ALERT 3'])
  })

  test('consecutive windows', async () => {
    const { id } = await scene.alert(line(), { numConsecutiveWindows: 2 })
    await scene.logs(0, [error()])
    await scene.logs(1, [error()])
    await passes(1)
    expect(await scene.read(id)).toMatchObject({ state: 'PENDING', pendingWindows: 1 })
    await passes(2, 3)
    expect(await scene.read(id)).not.toHaveProperty('pendingWindows')
    expect(shownEvents(scene.sent)).toEqual(['2 ALERT 1', '3 OK 0'])
    expect(await states(id)).toEqual(['PENDING', 'ALERT', 'OK'])
  })

  test('compares the last series, a ratio or the last formula', async () => {
    const two = [{ aggFn: 'count', where: errors }, { aggFn: 'count' }]
    const last = await scene.alert(line({ select: two }))
    const ratio = await scene.alert(line({ select: two, asRatio: true }))
    const formula = await scene.alert(
      line({ select: two, formulas: [{ expression: 'A' }, { expression: 'B * 10 - A' }] }),
    )
    await scene.logs(0, [error(), info(), info(), info()])
    // No errors: the ratio is 0, not missing.
    await scene.logs(1, [info()])
    await passes(1, 2, 3)
    expect(await values(last.id)).toEqual([4, 1, 0])
    expect(await values(ratio.id)).toEqual([0.25, 0, 0])
    expect(await values(formula.id)).toEqual([39, 10, 0])
    expect((await scene.evaluations(ratio.id)).map(({ noRows }) => noRows)).toEqual([false, false, true])
  })

  test('counts every row once, at the ends of windows too', async () => {
    const { id } = await scene.alert(line({ select: [{ aggFn: 'count' }] }))
    const at = (seconds: string) => ({ Timestamp: `${sceneStart / 1000 + 60}`.replace(/0$/, seconds) })
    await engine.insert(tables.logs, [
      { Timestamp: `${sceneStart / 1000 + 59}.999999999`, Body: 'first' },
      { ...at('0.000000000'), Body: 'second' },
      { ...at('0.000000001'), Body: 'second' },
    ])
    await passes(1, 2)
    expect(await values(id)).toEqual([1, 2])
  })
})

describe('windows', () => {
  test.each([
    ['5m', { scheduleOffsetMinutes: 3 }, [3, 8], 7.9],
    ['1h', { scheduleOffsetMinutes: 20 }, [20], 19.9],
    ['6h', { scheduleStartAt: new Date(sceneStart - 17.5 * minute).toISOString() }, [342.5], 342],
    ['1d', { scheduleOffsetMinutes: 61 }, [901], 900],
  ])('%s with %j are whole buckets', async (interval, changes, ends, at) => {
    const { id } = await scene.alert(line(), { interval, ...changes, threshold: 2 })
    await scene.logs(0, [error()])
    await scene.logs(at, [error(), error()])
    await passes(...ends.map((end) => end + 0.2))
    expect((await values(id)).reduce((sum, value) => sum + value, 0)).toBe(3)
    expect((await scene.evaluations(id)).map(({ createdAt }) => (Date.parse(createdAt) - sceneStart) / minute)).toEqual(
      ends,
    )
  })

  test('missed ones are evaluated, each by itself', async () => {
    const { id } = await scene.alert(line(), { numConsecutiveWindows: 3 })
    for (const at of [1, 2, 3]) await scene.logs(at, [error()])
    await passes(1, 5)
    expect(await states(id)).toEqual(['OK', 'PENDING', 'PENDING', 'ALERT', 'OK'])
    expect(shownEvents(scene.sent)).toEqual(['4 ALERT 1', '5 OK 0'])
  })

  test('are not evaluated while the alert is paused', async () => {
    const alert = await scene.alert(line())
    await scene.logs(0, [error()])
    await alertRows.update(scene.store, { ...alert, paused: { at: '' }, state: 'DISABLED' })
    await passes(1)
    expect(await scene.evaluations(alert.id)).toEqual([])
    expect(await scene.read(alert.id)).toMatchObject({ state: 'DISABLED' })
  })
})

describe('other sources', () => {
  const nanoseconds = (at: number) => `${(sceneStart + at * minute) / 1000}.000000000`

  test('traces, with a quantile', async () => {
    const select = [{ aggFn: 'quantile', level: 0.5, valueExpression: 'Duration', where: 'StatusCode:Error' }]
    const tile = { displayType: 'number', sourceId: sourceIds.trace, select }
    await scene.alert(tile, { threshold: 200 })
    const span = (Duration: number): SpanRow => ({ Timestamp: nanoseconds(0), Duration, StatusCode: 'Error' })
    await engine.insert(tables.traces, [span(100), span(200), span(300), { ...span(9000), StatusCode: 'Ok' }])
    await passes(1)
    expect(shownEvents(scene.sent)).toEqual(['1 ALERT 200'])
  })

  test('metrics: a gauge by host, and the increase of a counter', async () => {
    const series = (metricType: string, metricName: string, aggFn: string) => ({
      displayType: 'line',
      sourceId: sourceIds.metric,
      select: [{ aggFn, valueExpression: 'Value', metricType, metricName }],
    })
    await scene.alert({ ...series('gauge', 'cpu', 'max'), groupBy: "Attributes['host']" }, { threshold: 90 })
    await scene.alert(series('sum', 'requests', 'increase'), {
      interval: '5m',
      threshold: 30,
      scheduleOffsetMinutes: 1,
    })
    const gauge = (host: string, Value: number): GaugeRow => ({
      MetricName: 'cpu',
      TimeUnix: (sceneStart + minute / 2) / 1000,
      Attributes: { host },
      Value,
    })
    await engine.insert(tables.gauge, [gauge('a', 95), gauge('b', 10)])
    const sum = (at: number, Value: number): SumRow => ({
      MetricName: 'requests',
      TimeUnix: (sceneStart + at * minute) / 1000,
      Value,
      IsMonotonic: true,
      AggregationTemporality: 2,
    })
    await engine.insert(tables.sum, [sum(0.5, 100), sum(1.5, 110), sum(3, 130), sum(5.5, 150), sum(6.5, 1000)])
    await passes(1, 6)
    expect(shownEvents(scene.sent)).toEqual([
      "1 Attributes['host']:a ALERT 95",
      "2 Attributes['host']:a OK 0",
      '6 ALERT 50',
    ])
  })

  test('a saved search counts its rows, with its pinned filters', async () => {
    const search = { where: errors, filters: [{ type: 'sql', condition: "ServiceName IN ('api', 'web')" }] }
    await scene.searchAlert(search, { threshold: 2 })
    await scene.searchAlert(search, { threshold: 2, groupBy: 'ServiceName' })
    await scene.logs(0, [error('api'), error('api'), error('web'), error('cart'), info('api')])
    await passes(1)
    expect(shownEvents(scene.sent).toSorted()).toEqual(['1 ALERT 3', '1 ServiceName:api ALERT 2'])
  })
})

describe('silences', () => {
  const until = (at: number) => ({ at: '', until: new Date(sceneStart + at * minute).toISOString() })

  test('suppress what is sent, and their end tells what still fires', async () => {
    const alert = await scene.alert(line(), { interval: '5m' })
    await alertRows.update(scene.store, { ...alert, silenced: until(7) })
    await scene.logs(0, [error()])
    await passes(5, 6)
    expect(scene.sent).toEqual([])
    expect(await scene.read(alert.id)).toMatchObject({ state: 'ALERT', silenced: until(7) })
    expect(await scene.evaluations(alert.id)).toMatchObject([{ silenced: true }])
    await passes(7, 8)
    expect(shownEvents(scene.sent)).toEqual(['5 ALERT 1'])
    expect(scene.sent[0]?.cause).toBe('silence_ended')
    expect(await scene.read(alert.id)).not.toHaveProperty('silenced')
  })

  test('of one group', async () => {
    const alert = await scene.alert(line({ groupBy: 'ServiceName' }))
    await alertRows.update(scene.store, { ...alert, silencedGroups: [{ ...until(9), group: 'ServiceName:api' }] })
    await scene.logs(0, [error('api'), error('web')])
    await passes(1)
    expect(shownEvents(scene.sent)).toEqual(['1 ServiceName:web ALERT 1'])
  })

  test('that ended while nothing was evaluated suppress what was due inside', async () => {
    const alert = await scene.alert(line())
    await passes(0)
    await alertRows.update(scene.store, { ...alert, silenced: { ...until(4), at: until(0).until } })
    await scene.logs(1, [error()])
    await passes(10)
    expect(shownEvents(scene.sent)).toEqual([])
    expect((await scene.evaluations(alert.id)).map(({ silenced }) => silenced ?? false)).toContain(true)
  })

  test('are kept while windows that ended inside cannot be read', async () => {
    const alert = await scene.alert(line())
    await passes(0)
    const silenced = { ...until(4), at: until(0).until }
    await alertRows.update(scene.store, { ...alert, silenced })
    await scene.logs(1, [error()])
    await engine.command(`RENAME TABLE ${tables.logs} TO hidden_logs`)
    await passes(10)
    expect(await scene.read(alert.id)).toMatchObject({ silenced, executionErrors: [{}] })
    await engine.command(`RENAME TABLE hidden_logs TO ${tables.logs}`)
    await passes(11, 12)
    expect(shownEvents(scene.sent)).toEqual([])
    expect(await scene.read(alert.id)).not.toHaveProperty('silenced')
  })
})
