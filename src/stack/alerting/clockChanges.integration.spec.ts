/** Alerts while the clock of the machine steps forward, back, or stands still because the machine sleeps. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { stepHoldTime } from '#node/clock/wallClock.ts'
import { testClock, type TestClock } from '#node/testing/testClock.ts'
import { alertCursors, writeCursors } from '../documents/alertCursors.ts'
import { resumeClock } from '../documents/clockMemory.ts'
import { alertRows } from '../documents/alertRows.ts'
import { alertScene, minute, sceneStart, shownEvents, sourceIds, type AlertScene } from '../testing/alertScene.ts'
import { temporaryEngine } from '../testing/temporaryEngine.ts'
import type { Engine } from '../telemetry/engine/engine.ts'
import { tables } from '../telemetry/tables.ts'
import { eventIdOf, idempotencyKeyOf } from './eventKeys.ts'
import { leaseDuration } from './lease.ts'

const hour = 60 * minute
const settle = 5000
const never = new AbortController().signal

let engine: Engine
let scene: AlertScene
let machine: TestClock
beforeAll(async () => {
  engine = await temporaryEngine()
})
afterAll(() => engine.close())
beforeEach(async () => {
  await engine.command(`TRUNCATE TABLE ${tables.logs}`)
  machine = testClock(sceneStart + settle)
  scene = await alertScene(engine, { clock: machine.clock })
})
afterEach(() => scene.close())

const tile = { displayType: 'line', sourceId: sourceIds.log, select: [{ aggFn: 'count', where: 'Body:x' }] }

/** Minutes pass, with a pass of the evaluator after each unless the time is not certain, and a row in each if there are any. */
async function minutes(count: number, { rows = true } = {}) {
  for (let at = 0; at < count; at++) {
    if (rows) await scene.logs((machine.wall() - sceneStart) / minute, [{ Body: 'x' }])
    machine.pass(minute)
    if (machine.clock.isCertain()) await scene.run(never)
  }
}
const shown = async (id: string) =>
  (await scene.evaluations(id)).map(({ createdAt, state, errors }) => {
    const end = (Date.parse(createdAt) - sceneStart) / minute
    return `${end} ${errors?.some(({ type }) => type === 'CLOCK_CHANGED') ? 'clock changed' : state}`
  })

test('a clock that is wrong for 80 seconds changes no state, and alerts are evaluated on', async () => {
  const { id } = await scene.alert(tile)
  await minutes(2)
  machine.step(6 * hour)
  // Events sent meanwhile have the wrong time, as everything on the machine has.
  await scene.logs(6 * 60 + 2, [{ Body: 'x' }])
  machine.pass(80_000)
  expect(machine.clock.isCertain()).toBe(false)
  machine.step(-6 * hour)
  machine.pass(40_000)
  await scene.run(never)
  await minutes(2)
  expect(shownEvents(scene.sent)).toEqual(['1 ALERT 1'])
  expect(await shown(id)).toEqual(['1 ALERT', '2 ALERT', '3 clock changed', '4 clock changed', '5 ALERT', '6 ALERT'])
  expect(await scene.read(id)).toMatchObject({ state: 'ALERT' })
})

test('a step forward that holds skips the windows in between, and says so', async () => {
  const { id } = await scene.alert(tile)
  await minutes(2)
  machine.step(10 * minute)
  await minutes(4)
  expect(shownEvents(scene.sent)).toEqual(['1 ALERT 1'])
  const skipped = Array.from({ length: 10 }, (_, at) => `${at + 3} clock changed`)
  expect(await shown(id)).toEqual(['1 ALERT', '2 ALERT', ...skipped, '13 ALERT', '14 ALERT', '15 ALERT', '16 ALERT'])
})

test('a step forward over the end of a silence: nothing is sent about the windows before it', async () => {
  const alert = await scene.alert(tile)
  const silenced = { at: new Date(sceneStart).toISOString(), until: new Date(sceneStart + 8 * hour).toISOString() }
  await alertRows.update(scene.store, { ...alert, silenced })
  await minutes(2)
  machine.step(13 * hour)
  await minutes(4)
  expect(shownEvents(scene.sent)).toEqual([`${13 * 60 + 4} ALERT 1`])
  expect(scene.sent[0]?.cause).toBe('silence_ended')
  expect(await scene.read(alert.id)).not.toHaveProperty('silenced')
})

describe('a restart of the stack', () => {
  /** Another process goes on with the same records. */
  async function restart(): Promise<AlertScene> {
    const { store } = scene
    const clock = machine.restart()
    await resumeClock(store, clock)
    return alertScene(engine, { store, clock })
  }
  /** The events that the first and the second process sent. */
  const sentBy = (second: AlertScene) => shownEvents([...scene.sent, ...second.sent])

  /** Passes of the second process, with rows. */
  async function minutesOf(second: AlertScene, count: number) {
    for (let at = 0; at < count; at++) {
      await second.logs((machine.wall() - sceneStart) / minute, [{ Body: 'x' }])
      machine.pass(minute)
      if (machine.clock.isCertain()) await second.run(never)
    }
  }

  test.each([
    ['after a step that was adopted, before a pass', 130_000],
    ['while a step was pending', 30_000],
    ['in which the clock was set', 0],
  ])('%s sends nothing about the time that was skipped', async (_, held) => {
    const { id } = await scene.alert(tile)
    await minutes(2)
    machine.step(hour)
    await scene.logs((machine.wall() - sceneStart) / minute, [{ Body: 'x' }])
    if (held > 0) machine.pass(held)
    const second = await restart()
    try {
      await minutesOf(second, 3)
      expect(sentBy(second)).toEqual(['1 ALERT 1'])
      const marked = (await shown(id)).filter((state) => state.endsWith('clock changed'))
      expect(marked.length).toBeGreaterThanOrEqual(59)
      expect(await scene.read(id)).toMatchObject({ state: 'ALERT' })
    } finally {
      await second.close()
    }
  })

  test('catches up with the time in which it was off, if the clock was not set', async () => {
    const { id } = await scene.alert(tile)
    await minutes(2)
    machine.pass(5 * minute)
    const second = await restart()
    try {
      await minutesOf(second, 2)
      expect(sentBy(second)).toEqual(['1 ALERT 1', '3 OK 0', '8 ALERT 1'])
      expect((await shown(id)).filter((state) => state.endsWith('clock changed'))).toEqual([])
    } finally {
      await second.close()
    }
  })
})

test('windows of many hours are marked, and the count of consecutive windows restarts', async () => {
  const { id } = await scene.alert(tile, { numConsecutiveWindows: 3 })
  await minutes(2)
  expect(await scene.read(id)).toMatchObject({ state: 'PENDING', pendingWindows: 2 })
  machine.step(5 * hour)
  await minutes(3)
  const [marked] = await scene.store.rows(
    "SELECT count(*) AS n FROM alert_evaluations WHERE alert_id = ? AND state = 'INSUFFICIENT_DATA'",
    [id],
  )
  expect(Number(marked?.['n'])).toBe(300)
  expect(shownEvents(scene.sent)).toEqual(['305 ALERT 1'])
})

test('a step back that holds evaluates the windows again, and what happens in them is sent', async () => {
  const { id } = await scene.alert(tile)
  await minutes(1)
  await minutes(1, { rows: false })
  expect(shownEvents(scene.sent)).toEqual(['1 ALERT 1', '2 OK 0'])
  machine.step(-30 * minute)
  await minutes(3)
  // The new time is adopted after two minutes, and the window of the third one fires again.
  expect(shownEvents(scene.sent)).toEqual(['1 ALERT 1', '2 OK 0', '-25 ALERT 1'])
  expect(scene.sent.at(-1)).toMatchObject({ clockSetBack: 1 })
  expect(await shown(id)).toEqual(['-25 ALERT'])
})

test('a window that comes again has another key', async () => {
  const { id } = await scene.alert(tile)
  await minutes(3)
  const keyOf = (event: (typeof scene.sent)[number] | undefined) =>
    event && idempotencyKeyOf(eventIdOf('w', event), event)
  machine.step(-5 * minute)
  await minutes(2, { rows: false })
  await engine.command(`TRUNCATE TABLE ${tables.logs}`)
  await minutes(1, { rows: false })
  await minutes(1)
  const again = scene.sent.filter(({ state, end }) => state === 'ALERT' && end === sceneStart + 2 * minute)
  expect(again).toHaveLength(1)
  expect(keyOf(again[0])).not.toBe(keyOf({ ...again[0]!, clockSetBack: 0 }))
  expect(await scene.read(id)).toMatchObject({ state: 'ALERT' })
})

test('a machine that slept catches up, as after any pause', async () => {
  const { id } = await scene.alert(tile)
  await minutes(2)
  // Other machines were awake, and sent their rows.
  for (let at = 2; at < 5; at++) await scene.logs(at, [{ Body: 'x' }])
  machine.suspend(5 * minute)
  await minutes(1)
  expect(shownEvents(scene.sent)).toEqual(['1 ALERT 1', '6 OK 0', '8 ALERT 1'])
  expect(await shown(id)).toEqual(['1 ALERT', '2 ALERT', '3 ALERT', '4 ALERT', '5 ALERT', '6 OK', '7 OK', '8 ALERT'])
})

test('a cursor that an earlier process left in the future is set back at the first pass', async () => {
  const { id } = await scene.alert(tile, { renotifyIntervalMinutes: 2 })
  await minutes(1)
  const cursor = (await alertCursors(scene.store, [id])).get(id)!
  const ahead = sceneStart + 6 * hour
  const groups = cursor.groups.map((group) => ({
    ...group,
    start: ahead - minute,
    end: ahead,
    rowsAt: ahead,
    notifiedEnd: ahead,
  }))
  await scene.store.write((transaction) => writeCursors(transaction, [{ ...cursor, done: ahead, groups }]))
  await minutes(4)
  expect((await shown(id)).slice(-3)).toEqual(['3 ALERT', '4 ALERT', '5 ALERT'])
  // It is repeated by the new time.
  expect(shownEvents(scene.sent)).toEqual(['1 ALERT 1', '4 ALERT 1'])
})

test('the lease of a stack that ended before the clock was set back does not last longer', async () => {
  await scene.alert(tile)
  await scene.store.run('INSERT INTO leases (name, holder, expires) VALUES (?, ?, ?)', [
    'alerts',
    'ended',
    sceneStart + 6 * hour,
  ])
  machine.pass(minute)
  expect(await scene.run(never)).toMatchObject({ evaluations: 1 })
  await scene.store.run('UPDATE leases SET holder = ?, expires = ?', ['other', machine.wall() + leaseDuration])
  expect(await scene.run(never)).toBeNull()
})

test('a step forward repeats no notification, and ends no group without rows', async () => {
  const { id } = await scene.alert(
    { ...tile, select: [{ aggFn: 'count', where: 'Body:y' }], groupBy: 'ServiceName' },
    { threshold: 1, thresholdType: 'below', renotifyIntervalMinutes: 60 },
  )
  await scene.logs(0, [{ Body: 'y', ServiceName: 'api' }])
  await minutes(3)
  const before = shownEvents(scene.sent)
  machine.step(30 * hour)
  await minutes(4)
  expect(shownEvents(scene.sent)).toEqual(before)
  expect(await scene.read(id)).toMatchObject({ state: 'ALERT' })
})

test('a short pause of the certainty is a small part of a long window, which is evaluated', async () => {
  const { id } = await scene.alert(tile, { interval: '30m' })
  await minutes(10)
  machine.step(hour)
  machine.pass(80_000)
  machine.step(-hour)
  machine.pass(40_000)
  await minutes(20)
  expect(await shown(id)).toEqual(['0 OK', '30 ALERT'])
  expect(stepHoldTime).toBeGreaterThan(80_000)
})
