/** A step of the clock that the last console saw is known after a restart, so that nothing is deleted by a wrong time. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { stepHoldTime } from '#node/clock/wallClock.ts'
import { testClock, type TestClock } from '#node/testing/testClock.ts'
import { openTestDatabase } from '../testing/testDatabase.ts'
import { rememberClock } from './clockMemory.ts'
import type { Database } from './database.ts'

const start = Date.UTC(2026, 2, 2, 10)
const minute = 60_000
const day = 1440 * minute

let database: Database
let machine: TestClock
let end: () => Promise<void>
const failures: unknown[] = []
const remember = () => rememberClock(database, (error) => failures.push(error), machine.clock)
beforeEach(async () => {
  database = await openTestDatabase(mkdtempSync(join(tmpdir(), 'clock-memory-')))
  machine = testClock(start)
  failures.length = 0
  end = await remember()
})
afterEach(async () => {
  await end()
  await database.close()
  expect(failures).toEqual([])
})

/** The console stops, and the next one starts. @param between what happens to the machine meanwhile */
async function restart(between: () => void = () => {}) {
  await end()
  machine.restart()
  between()
  end = await remember()
}

test('what is old by the new time is not deleted for a day after a step forward, through restarts', async () => {
  machine.step(400 * day)
  machine.pass(stepHoldTime)
  await restart()
  expect(machine.clock.deletionLag()).toBe(400 * day)
  await restart(() => machine.pass(minute))
  expect(machine.clock.deletionLag()).toBe(400 * day)
  machine.pass(day)
  expect(machine.clock.deletionLag()).toBe(0)
})

test('a step that is adopted is known although the console is killed', async () => {
  machine.step(400 * day)
  machine.pass(stepHoldTime)
  // The next write waits for the one of the step.
  await database.transactConcurrently(async () => {})
  machine.restart()
  const endKilled = end
  end = await remember()
  expect(machine.clock.deletionLag()).toBe(400 * day)
  await endKilled()
})

test('a step while no console runs deletes nothing either', async () => {
  await restart(() => machine.step(400 * day))
  expect(machine.clock.deletionLag()).toBe(400 * day)
})

test.each(['', '{"certain":', '[]', 'null'])('what cannot be read is no memory: %j', async (memory) => {
  await database.write({ sql: 'UPDATE clock_memory SET memory = ?', args: [memory] })
  machine.restart()
  const another = await remember()
  expect(machine.clock.deletionLag()).toBe(0)
  await another()
})
