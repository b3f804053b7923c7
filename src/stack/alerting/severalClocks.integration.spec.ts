/** Two stacks on one PostgreSQL server, on machines whose clocks are set: each window is evaluated once, and each event sent once. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { newDatabase } from '#node/testing/testPostgres.ts'
import { testClock, type TestClock } from '#node/testing/testClock.ts'
import { openStore, type Store } from '../store/store.ts'
import { alertScene, minute, sceneStart, shownEvents, sourceIds, type AlertScene } from '../testing/alertScene.ts'
import { temporaryEngine } from '../testing/temporaryEngine.ts'
import type { Engine } from '../telemetry/engine/engine.ts'
import { tables } from '../telemetry/tables.ts'

const settle = 5000
const hour = 60 * minute
/** Milliseconds between two readings of the clock of the server. */
const reading = 2000
const never = new AbortController().signal
const tile = { displayType: 'line', sourceId: sourceIds.log, select: [{ aggFn: 'count', where: 'Body:x' }] }

interface Stack {
  machine: TestClock
  scene: AlertScene
  /** How often it evaluated windows. */
  evaluations: number
}

let engine: Engine
let store: Store
let server: number
let stacks: Stack[]
beforeAll(async () => {
  engine = await temporaryEngine()
})
afterAll(() => engine.close())
beforeEach(async () => {
  await engine.command(`TRUNCATE TABLE ${tables.logs}`)
  await open()
})
afterEach(close)

async function open(): Promise<void> {
  store = await openStore({ url: await newDatabase(), dataDir: mkdtempSync(join(tmpdir(), 'several-clocks-')) })
  server = sceneStart + settle
  stacks = []
  for (const holder of ['first', 'second']) {
    const machine = testClock(sceneStart + settle)
    machine.clock.follow(0)
    stacks.push({ machine, scene: await alertScene(engine, { store, holder, clock: machine.clock }), evaluations: 0 })
  }
}

async function close(): Promise<void> {
  for (const { scene } of stacks) await scene.close()
  await store.close()
}

/** Minutes pass on both machines and on the server. After each, both try to evaluate, if they know what time it is. */
async function minutes(count: number): Promise<void> {
  for (let at = 0; at < count; at++) {
    for (let left = minute; left > 0; left -= reading) {
      server += reading
      for (const { machine } of stacks) {
        machine.pass(reading)
        machine.clock.follow(server - machine.wall())
      }
    }
    for (const stack of stacks) {
      if (!stack.machine.clock.isCertain()) continue
      const result = await stack.scene.run(never)
      stack.evaluations += result?.evaluations ?? 0
    }
  }
}

const sent = () => shownEvents(stacks.flatMap(({ scene }) => scene.sent).toSorted((a, b) => a.end - b.end))

/** An alert that fires in every other minute, with its rows. */
async function alternating(length: number): Promise<string> {
  const { scene } = stacks[0]!
  for (let at = 0; at < length; at += 2) await scene.logs(at, [{ Body: 'x' }])
  return (await scene.alert(tile)).id
}
const alternation = (length: number) =>
  Array.from({ length }, (_, at) => `${at + 1} ${at % 2 === 0 ? 'ALERT 1' : 'OK 0'}`)

const move = fc.record({
  stack: fc.nat(1),
  by: fc.oneof(fc.constantFrom(6 * hour, -2 * hour, 80_000), fc.integer({ min: -30 * hour, max: 30 * hour })),
  minutes: fc.integer({ min: 1, max: 4 }),
})

test('whichever clock is set, each window is evaluated once and each event is sent once', async () => {
  await fc.assert(
    fc
      .asyncProperty(fc.array(move, { minLength: 1, maxLength: 3 }), async (moves) => {
        const length = 1 + moves.reduce((sum, { minutes }) => sum + minutes, 0)
        const id = await alternating(length)
        await minutes(1)
        for (const one of moves) {
          stacks[one.stack]!.machine.step(one.by) // 0 or 1
          await minutes(one.minutes)
        }
        expect(sent()).toEqual(alternation(length))
        const ends = (await stacks[0]!.scene.evaluations(id)).map(({ createdAt }) => Date.parse(createdAt))
        expect(ends).toEqual(Array.from({ length }, (_, at) => sceneStart + (at + 1) * minute))
        expect(stacks.reduce((sum, { evaluations }) => sum + evaluations, 0)).toBe(length)
      })
      .afterEach(async () => {
        await close()
        await engine.command(`TRUNCATE TABLE ${tables.logs}`)
        await open()
      }),
    { numRuns: 2 },
  )
})

test('a stack that is suspended is replaced, and neither evaluates what the other one did', async () => {
  await alternating(12)
  await minutes(2)
  const [first, second] = stacks
  // The other machine and the server go on.
  stacks = [second!]
  await minutes(4)
  first!.machine.suspend(4 * minute)
  stacks = [first!, second!]
  await minutes(2)
  expect(sent()).toEqual(alternation(8))
  expect(first!.evaluations + second!.evaluations).toBe(8)
})

test('a step of the clock of the server is one for both: windows in between are marked once', async () => {
  const id = (await stacks[0]!.scene.alert(tile)).id
  await stacks[0]!.scene.logs(0, [{ Body: 'x' }])
  await stacks[0]!.scene.logs(1, [{ Body: 'x' }])
  for (let at = 12; at < 20; at++) await stacks[0]!.scene.logs(at, [{ Body: 'x' }])
  await minutes(2)
  server += 10 * minute
  await minutes(5)
  expect(sent()).toEqual(['1 ALERT 1'])
  const marks = (await stacks[0]!.scene.evaluations(id)).map(({ errors }) =>
    errors?.some(({ type }) => type === 'CLOCK_CHANGED'),
  )
  // Two windows before, and four after. The step was noticed in the eighth second of the last one that is marked.
  expect(marks).toEqual(Array.from({ length: 17 }, (_, at) => (at < 2 || at > 12 ? undefined : true)))
})
