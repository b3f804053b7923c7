/** Exactly one stack evaluates, and what it writes is all or nothing. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { currentTime } from '#node/clock/wallClock.ts'
import type { Engine } from '../telemetry/engine/engine.ts'
import { tables } from '../telemetry/tables.ts'
import { alertScene, minute, shownEvents, sourceIds, type AlertScene } from '../testing/alertScene.ts'
import { temporaryEngine } from '../testing/temporaryEngine.ts'
import { leaseDuration, LeaseLost, releaseLease, takeLease } from './lease.ts'

let engine: Engine
let scene: AlertScene
let other: AlertScene
/** Runs while a statement of the first stack is answered. */
let meanwhile: () => Promise<unknown>
beforeAll(async () => {
  engine = await temporaryEngine()
})
afterAll(() => engine.close())
beforeEach(async () => {
  await engine.command(`TRUNCATE TABLE ${tables.logs}`)
  meanwhile = async () => undefined
  const watched: Engine = {
    ...engine,
    async query(sql, options) {
      if (sql.includes('__bucket')) await meanwhile()
      return engine.query(sql, options)
    },
  }
  scene = await alertScene(watched, { holder: 'first' })
  other = await alertScene(engine, { store: scene.store, holder: 'second' })
})
afterEach(async () => {
  await other.close()
  await scene.close()
})

const tile = { displayType: 'line', sourceId: sourceIds.log, select: [{ aggFn: 'count', where: 'Body:x' }] }

test('the other one takes over when the lease has expired or was released', async () => {
  await scene.alert(tile)
  await scene.logs(0, [{ Body: 'x' }])
  expect(await scene.pass(1)).toMatchObject({ due: 1, evaluations: 1 })
  expect(await other.pass(1.5)).toBeNull()
  expect(await other.pass(1 + leaseDuration / minute + 0.01)).toMatchObject({ evaluations: 1 })
  expect(await scene.pass(3)).toBeNull()
  await releaseLease(scene.store, 'second')
  expect(await scene.pass(3)).not.toBeNull()
  expect(shownEvents(scene.sent)).toEqual(['1 ALERT 1'])
  expect(shownEvents(other.sent)).toEqual(['2 OK 0'])
})

test('a stack that lost the lease during its pass writes nothing', async () => {
  const { id } = await scene.alert(tile)
  await scene.logs(0, [{ Body: 'x' }])
  meanwhile = () => takeLease(scene.store, 'second', scene.clock.now + 2 * leaseDuration)
  await expect(scene.pass(1)).rejects.toBeInstanceOf(LeaseLost)
  expect(scene.sent).toEqual([])
  expect(await scene.evaluations(id)).toEqual([])
  expect(await scene.read(id)).toMatchObject({ state: 'OK' })
})

test('an alert that is changed or deleted during a pass is left to the next one', async () => {
  const changed = await scene.alert(tile)
  const deleted = await scene.alert(tile)
  const silenced = await scene.alert(tile)
  await scene.logs(0, [{ Body: 'x' }])
  meanwhile = () =>
    scene.store.write(async (transaction) => {
      const edited = { ...changed, threshold: 9, updatedAt: new Date(currentTime() + 1000).toISOString() }
      await transaction.run('UPDATE alerts SET document = ? WHERE id = ?', [JSON.stringify(edited), changed.id])
      await transaction.run('DELETE FROM alerts WHERE id = ?', [deleted.id])
      // A silence that is set during a pass is respected.
      const quiet = { ...silenced, silenced: { at: '', until: new Date(scene.clock.now + minute).toISOString() } }
      await transaction.run('UPDATE alerts SET document = ? WHERE id = ?', [JSON.stringify(quiet), silenced.id])
    })
  await scene.pass(1)
  expect(scene.sent).toEqual([])
  expect(await scene.evaluations(changed.id)).toEqual([])
  expect(await scene.evaluations(deleted.id)).toEqual([])
  expect(await scene.evaluations(silenced.id)).toMatchObject([{ state: 'ALERT', silenced: true }])
  meanwhile = async () => undefined
  await scene.pass(1)
  expect((await scene.evaluations(changed.id)).map(({ state }) => state)).toEqual(['OK'])
})

test('what is sent and what is written is one transaction, and one alert does not keep the others from it', async () => {
  const bad = await scene.alert(tile, { name: 'bad' })
  const good = await scene.alert(tile)
  const enqueued: string[] = []
  const failing = await alertScene(engine, {
    store: scene.store,
    holder: 'first',
    async enqueue(_, alert) {
      if (alert.name === 'bad') throw new Error('the outbox is full')
      enqueued.push(alert.id)
    },
  })
  await failing.logs(0, [{ Body: 'x' }])
  await failing.pass(1)
  expect(await failing.read(bad.id)).toMatchObject({ executionErrors: [{ type: 'UNKNOWN' }] })
  expect((await failing.evaluations(bad.id)).map(({ state }) => state)).toEqual(['INSUFFICIENT_DATA'])
  expect(await failing.read(good.id)).toMatchObject({ state: 'ALERT' })
  expect(enqueued.at(-1)).toBe(good.id)
  await scene.pass(1)
  expect(scene.sent.map(({ alertId }) => alertId)).toEqual([bad.id])
  expect(await scene.read(bad.id)).toMatchObject({ state: 'ALERT', executionErrors: [] })
  await failing.close()
})
