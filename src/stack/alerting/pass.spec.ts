import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Engine } from '../telemetry/engine.ts'
import { alertScene, shownEvents, sourceIds, type AlertScene } from '../testing/alertScene.ts'
import { temporaryEngine } from '../testing/temporaryEngine.ts'

let engine: Engine
let scene: AlertScene
beforeAll(async () => {
  engine = await temporaryEngine()
})
afterAll(() => engine.close())
beforeEach(async () => {
  await engine.command('TRUNCATE TABLE otel_logs')
  scene = await alertScene(engine)
})
afterEach(() => scene.close())

const line = (changes: object = {}) => ({
  displayType: 'line',
  sourceId: sourceIds.log,
  select: [{ aggFn: 'count', where: 'SeverityText:error' }],
  ...changes,
})
const error = (ServiceName = 'api') => ({ ServiceName, SeverityText: 'error' })

describe('a line tile', () => {
  test('fires, and resolves when its rows vanish', async () => {
    const { id } = await scene.alert(line(), { threshold: 2 })
    await scene.logs(0, [error(), { SeverityText: 'info' }])
    await scene.logs(1.5, [error(), error()])
    for (const at of [1, 2, 3]) await scene.pass(at)
    expect(shownEvents(scene.sent)).toEqual(['2 ALERT 2', '3 OK 0'])
    expect((await scene.evaluations(id)).map(({ state, noRows }) => [state, noRows])).toEqual([
      ['OK', false],
      ['ALERT', false],
      ['OK', true],
    ])
    expect(await scene.read(id)).toMatchObject({ state: 'OK' })
  })
})
