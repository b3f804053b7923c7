/** The console computes from chart queries the same windows of an alert as the evaluator records. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { chartQueryAsSent, charts, type ChartQuery } from '#contract/stack/charts.ts'
import { replay } from '#domain/alerting/evaluate.ts'
import { matchSources } from '#console/charting/sourceMatch.ts'
import { queryChartsWith } from '#console/charting/queryCharts.ts'
import { watchedQuery } from '#console/charting/watched/watchedQuery.ts'
import { watchedRequest } from '#console/charting/watched/watchedRequest.ts'
import { watchedWindows } from '#console/charting/watched/watchedWindows.ts'
import { windowOfHistory, windowOfReplay } from '#console/features/alerts/detail/model/evaluatedWindows.ts'
import type { Source } from '#contract/stack/sources.ts'
import type { ChartBehavior } from '#stack/config.ts'
import type { AlertDocument } from '#stack/documents/alertDocument.ts'
import { dashboardRows } from '#stack/documents/dashboardRows.ts'
import { savedSearchRows } from '#stack/documents/savedSearchRows.ts'
import { chartHandlers } from '#stack/resources/charts.ts'
import type { StackContext } from '#stack/resources/context.ts'
import { sourceRows } from '#stack/resources/sources.ts'
import type { Engine } from '#stack/telemetry/engine/engine.ts'
import { tables } from '#stack/telemetry/tables.ts'
import { alertScene, minute, sceneStart, sourceIds, type AlertScene } from '#stack/testing/alertScene.ts'
import { temporaryEngine } from '#stack/testing/temporaryEngine.ts'

/** Minutes after the start in which a window ends, and in which the evaluator runs. */
const minutes = [1, 2, 3, 4, 5, 6]

let engine: Engine
let scene: AlertScene
beforeAll(async () => {
  engine = await temporaryEngine()
})
afterAll(() => engine.close())
beforeEach(async () => {
  await engine.command(`TRUNCATE TABLE ${tables.logs}`)
  scene = await alertScene(engine)
  for (const source of (await scene.readable()).sources) await sourceRows.insert(scene.store, source)
  const error = (ServiceName: string) => ({ ServiceName, SeverityText: 'error' })
  const info = (ServiceName: string) => ({ ServiceName, SeverityText: 'info' })
  // The third and sixth minute have no row that matches.
  await scene.logs(0, [error('api'), info('api'), info('web')])
  await scene.logs(1, [error('api'), error('api'), error('web')])
  await scene.logs(2.5, [info('api')])
  await scene.logs(3, [error('web'), error('web'), error('web'), error('api')])
  await scene.logs(4.75, [error('web'), error('web')])
})
afterEach(() => scene.close())

/** The stack's answer to a chart query of the console. */
async function answer(query: ChartQuery, chartBehavior: ChartBehavior) {
  const signal = new AbortController().signal
  // The handler uses only this part of its context.
  const context = { engine, store: scene.store, signal, chartBehavior } as StackContext
  return charts.query.result.parse(
    await chartHandlers.query({ body: chartQueryAsSent.parse(query), params: {}, query: {} }, context),
  )
}

/** The sources of a paired connection: those of the alert under other IDs. */
async function pairedSources() {
  const { sources } = await scene.readable()
  const paired = sources.map((source) => ({ ...source, id: `f${source.id.slice(1)}` }))
  for (const source of paired) await sourceRows.insert(scene.store, source)
  return { own: sources, paired }
}

/**
 * The windows that the console computes, as the alert page shows them.
 *
 * @param paired the sources of the connection that is queried, where it is another one than the alert's
 */
async function computed(alert: AlertDocument, behavior: ChartBehavior, paired?: readonly Source[]) {
  const { sources: own } = await scene.readable()
  const sources = paired ?? own
  const watched = watchedQuery(alert, {
    dashboards: await dashboardRows.all(scene.store),
    savedSearches: await savedSearchRows.all(scene.store),
  })
  if (watched.kind !== 'series') throw new Error(watched.sentence)
  const { alertQuery } = watched
  const matches = matchSources(own, sources, {})
  const idThere = (id: string) => matches.find(({ reference }) => reference.id === id)?.to?.id ?? ''
  const request = watchedRequest({
    alertQuery,
    schedule: alert,
    range: { from: sceneStart, to: sceneStart + minutes.length * minute },
    sourceId: idThere(alertQuery.sourceId),
  })
  if (request.kind !== 'request') throw new Error(request.sentence)
  const result = watchedWindows(
    request,
    await queryChartsWith((body) => answer(body, behavior), request.query, sources),
  )
  if (result.kind !== 'windows') throw new Error(result.sentence)
  const rule = { ...alert, alertId: alert.id, grouped: result.grouped }
  return replay(rule, result.windows).evaluations.map(windowOfReplay)
}

/** The windows that the evaluator recorded, as the alert page shows them. */
async function recorded({ id }: AlertDocument) {
  // A replay takes no time that is worth showing.
  return (await scene.evaluations(id)).map((evaluation) => ({ ...windowOfHistory(evaluation, minute), readMs: null }))
}

const line = (groupBy?: string) => ({
  displayType: 'line',
  sourceId: sourceIds.log,
  select: [{ aggFn: 'count', where: 'SeverityText:error' }],
  ...(groupBy !== undefined && { groupBy }),
})

const cases: [what: string, alert: () => Promise<AlertDocument>][] = [
  ['a tile', () => scene.alert(line(), { threshold: 2 })],
  ['a tile with groups', () => scene.alert(line('ServiceName'), { threshold: 2 })],
  [
    'groups over consecutive windows',
    () => scene.alert(line('ServiceName'), { threshold: 1, numConsecutiveWindows: 2 }),
  ],
  ['groups whose missing rows count', () => scene.alert(line('ServiceName'), { thresholdType: 'below', threshold: 1 })],
  ['a saved search', () => scene.searchAlert({ where: 'SeverityText:error' }, { threshold: 2 })],
  [
    'a saved search with groups',
    () => scene.searchAlert({ where: 'SeverityText:error' }, { threshold: 2, groupBy: 'ServiceName' }),
  ],
]

test.each(cases)('the computed windows of %s are those that the evaluator recorded', async (_, addAlert) => {
  const alert = await addAlert()
  for (const at of minutes) await scene.pass(at)
  const windows = await recorded(alert)
  expect(windows.map(({ end }) => (end - sceneStart) / minute)).toEqual(minutes)
  expect(new Set(windows.map(({ state }) => state)).size).toBeGreaterThan(1)
  expect(await computed(alert, 'own')).toEqual(windows)
  expect(await computed(alert, 'deployment')).toEqual(windows)
})

// The managed variant has no chart queries: the connection that is paired with it answers.
test.each(cases)('on a managed connection, the windows of %s come from the paired connection', async (_, addAlert) => {
  const alert = await addAlert()
  for (const at of minutes) await scene.pass(at)
  const windows = await recorded(alert)
  const { own, paired } = await pairedSources()
  expect(paired.map(({ id }) => id)).not.toEqual(own.map(({ id }) => id))
  expect(await computed(alert, 'deployment', paired)).toEqual(windows)
})
