import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { newObjectId } from '../ids.ts'
import { alertScene, minute, sceneStart, sourceIds, type AlertScene } from '../testing/alertScene.ts'
import { temporaryEngine } from '../testing/temporaryEngine.ts'
import type { Engine } from '../telemetry/engine/engine.ts'
import { tables } from '../telemetry/tables.ts'
import { backfill } from './backfill.ts'

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

const signal = new AbortController().signal
const errors = {
  displayType: 'line',
  sourceId: sourceIds.log,
  select: [{ aggFn: 'count', where: 'SeverityText:error' }],
}
/** How long a statement took belongs to the evaluator's own. */
const withoutDuration = <T extends object>(evaluation: T) => ({ ...evaluation, analytics: undefined })

const error = (ServiceName: string) => ({ ServiceName, SeverityText: 'error' })

test.each([{}, { groupBy: 'ServiceName' }])(
  'a history is that of an alert that existed all the time: %o',
  async (tile) => {
    const watching = await scene.alert({ ...errors, ...tile }, { threshold: 2, numConsecutiveWindows: 2 })
    await scene.logs(0.5, [error('api')])
    for (const at of [1.5, 2.5, 3.5]) await scene.logs(at, [error('api'), error('api'), error('web')])
    for (const at of [1, 2, 3, 4, 5]) await scene.pass(at)
    scene.sent.length = 0

    const later = { ...(await scene.read(watching.id)), id: newObjectId(), state: 'OK' }
    const range = { from: sceneStart, to: sceneStart + 5.5 * minute }
    const write = await backfill({ ...scene, engine, signal }, later, range)
    await scene.store.write(write)
    const expected = (await scene.evaluations(watching.id)).map(withoutDuration)
    expect(expected.map(({ state }) => state)).toEqual(['OK', 'PENDING', 'ALERT', 'ALERT', 'OK'])
    expect((await scene.evaluations(later.id)).map(withoutDuration)).toEqual(expected)
    expect(scene.sent).toEqual([])

    // The evaluator continues where the history ends.
    await scene.logs(5.5, [error('api'), error('api')])
    await scene.logs(6.5, [error('api'), error('api')])
    await scene.pass(6)
    await scene.pass(7)
    expect((await scene.evaluations(later.id)).map(({ state }) => state).slice(5)).toEqual(['PENDING', 'ALERT'])
    expect(scene.sent.filter(({ alertId }) => alertId === later.id).map(({ state }) => state)).toEqual(['ALERT'])
  },
)

test('an alert that cannot be read has no history, with the reason', async () => {
  const alert = await scene.alert({ ...errors, groupBy: 'Region' })
  const range = { from: sceneStart, to: sceneStart + minute }
  await expect(backfill({ ...scene, engine, signal }, alert, range)).rejects.toThrow('"Region" does not exist')
})
