import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { testClock, type TestClock } from '../testing/testClock.ts'
import { stepHoldTime, stepTolerance, WallClock, type ClockStep } from './wallClock.ts'

const start = Date.UTC(2026, 2, 2, 10)
const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

describe('a step', () => {
  test.each([6 * hour, -6 * hour, 6 * second, -6 * second])('of %d ms that is taken back changes nothing', (by) => {
    const { clock, pass, step } = testClock(start)
    step(by)
    expect(clock.isCertain()).toBe(false)
    pass(80 * second)
    expect(clock.now()).toBe(start + 80 * second)
    step(-by)
    expect(clock.isCertain()).toBe(true)
    expect(clock.now()).toBe(start + 80 * second)
    expect(clock.gaps()).toEqual([{ start, end: start + 80 * second, skipped: 0 }])
  })

  test.each([6 * hour, -6 * hour])('of %d ms that holds is adopted', (by) => {
    const { clock, pass, step } = testClock(start)
    const steps: ClockStep[] = []
    clock.onStep((clockStep) => steps.push(clockStep))
    step(by)
    pass(stepHoldTime - second)
    expect(steps).toEqual([])
    expect(clock.now()).toBe(start + stepHoldTime - second)
    pass(second)
    expect(clock.isCertain()).toBe(true)
    expect(clock.now()).toBe(start + by + stepHoldTime)
    expect(steps).toEqual([{ from: start + stepHoldTime, to: start + by + stepHoldTime }])
    expect(clock.gaps()).toEqual(by > 0 ? [{ start, end: start + by, skipped: by }] : [])
  })

  test('within another one begins the wait again', () => {
    const { clock, pass, step } = testClock(start)
    step(hour)
    pass(90 * second)
    step(hour)
    pass(90 * second)
    expect(clock.now()).toBe(start + 180 * second)
    pass(30 * second)
    expect(clock.now()).toBe(start + 2 * hour + 210 * second)
    expect(clock.gaps()).toEqual([{ start, end: start + 2 * hour, skipped: 2 * hour }])
  })

  test('within the tolerance is followed at once', () => {
    const { clock, step } = testClock(start)
    step(4 * second)
    step(-3 * second)
    expect(clock.now()).toBe(start + second)
    expect(clock.gaps()).toEqual([])
  })

  test('leaves no gaps ahead of the time', () => {
    const { clock, pass, step } = testClock(start)
    step(6 * hour)
    pass(stepHoldTime)
    step(-6 * hour)
    pass(stepHoldTime)
    expect(clock.now()).toBe(start + 2 * stepHoldTime)
    expect(clock.gaps()).toEqual([{ start, end: clock.now(), skipped: 0 }])
  })
})

test('a machine that slept has the time at once, and no gap', () => {
  const { clock, pass, suspend } = testClock(start)
  suspend(8 * hour)
  expect(clock.isCertain()).toBe(true)
  expect(clock.now()).toBe(start + 8 * hour)
  expect(clock.gaps()).toEqual([])
  pass(minute)
  expect(clock.now()).toBe(start + 8 * hour + minute)
})

test('a machine that sleeps while a step is pending keeps the time that passed', () => {
  const { clock, step, suspend } = testClock(start)
  step(hour)
  suspend(90 * second)
  expect(clock.now()).toBe(start + 90 * second)
  step(-hour)
  expect(clock.now()).toBe(start + 90 * second)
})

test('what is old is deleted by the new time a day after a step forward', () => {
  const { clock, pass, step } = testClock(start)
  step(400 * day)
  pass(stepHoldTime)
  expect(clock.now()).toBe(start + 400 * day + stepHoldTime)
  expect(clock.deletionTime()).toBe(start + stepHoldTime)
  pass(day - minute)
  expect(clock.deletionTime()).toBe(start + stepHoldTime + day - minute)
  pass(minute)
  expect(clock.deletionTime()).toBe(clock.now())
})

test('a step forward that is taken back later delays no deletion', () => {
  const { clock, pass, step } = testClock(start)
  step(400 * day)
  pass(stepHoldTime)
  step(-400 * day)
  pass(stepHoldTime)
  expect(clock.deletionTime()).toBe(clock.now())
})

test('the time of another clock is taken at once, and its steps are steps', () => {
  const { clock, pass, step } = testClock(start)
  clock.follow(40 * second)
  expect(clock.now()).toBe(start + 40 * second)
  // The machine's clock is set, and that of the database is not.
  step(hour)
  expect(clock.isCertain()).toBe(false)
  clock.follow(40 * second - hour)
  expect(clock.isCertain()).toBe(true)
  expect(clock.now()).toBe(start + 40 * second)
  // Now it is the other way round.
  clock.follow(40 * second)
  expect(clock.isCertain()).toBe(false)
  pass(stepHoldTime)
  expect(clock.now()).toBe(start + hour + 40 * second + stepHoldTime)
})

test('the time since boot is read once for all that ask within a moment, and at once after a step', () => {
  const machine = { wall: start, monotonic: 1000, boot: 50_000, reads: 0 }
  const clock = new WallClock({
    wall: () => machine.wall,
    monotonic: () => machine.monotonic,
    sinceBoot: () => {
      machine.reads += 1
      return machine.boot
    },
  })
  const times = Array.from({ length: 40 }, () => {
    machine.wall += 1
    machine.monotonic += 1
    machine.boot += 1
    return clock.now() - start
  })
  expect(times).toEqual(times.map((_, at) => at + 1))
  expect(machine.reads).toBe(1)
  machine.wall += hour
  machine.boot += hour
  expect(clock.now()).toBe(start + hour + 40)
  expect(clock.isCertain()).toBe(true)
  machine.wall += hour
  expect(clock.now()).toBe(start + hour + 40)
  expect(clock.isCertain()).toBe(false)
})

const moves = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('pass' as const), by: fc.integer({ min: 1, max: 10 * minute }) }),
    fc.record({ kind: fc.constant('suspend' as const), by: fc.integer({ min: 1, max: day }) }),
    fc.record({ kind: fc.constant('step' as const), by: fc.integer({ min: -30 * day, max: 30 * day }) }),
  ),
  { maxLength: 20 },
)

test('whatever happens, the time is that of the machine once it has been steady', () => {
  fc.assert(
    fc.property(moves, (all) => {
      const machine = testClock(start)
      const { clock, pass, wall } = machine
      for (const { kind, by } of all) machine[kind](by)
      pass(stepHoldTime)
      pass(second)
      expect(clock.isCertain()).toBe(true)
      expect(Math.abs(clock.now() - wall())).toBeLessThanOrEqual(stepTolerance)
      for (const gap of clock.gaps()) {
        expect(gap.end).toBeGreaterThanOrEqual(gap.start)
        expect(gap.start).toBeLessThanOrEqual(clock.now())
      }
    }),
  )
})

test('the time never jumps by a step that is not adopted', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -30 * day, max: 30 * day }), { maxLength: 20 }), (steps) => {
      const { clock, pass, step } = testClock(start)
      let elapsed = 0
      for (const by of steps) {
        step(by)
        step(-by)
        pass(10 * second)
        elapsed += 10 * second
        expect(clock.now()).toBe(start + elapsed)
      }
    }),
  )
})

describe('the clock of the next process', () => {
  /** The machine moves between the two. */
  function next(between: (machine: TestClock) => void, { isSameBoot = true } = {}) {
    const machine = testClock(start)
    machine.pass(minute)
    const memory = machine.clock.memory()
    between(machine)
    machine.restart().resume(memory, isSameBoot)
    return machine.clock
  }

  test('knows no gap if only time has passed, awake or asleep', () => {
    expect(next(({ pass }) => pass(hour)).gaps()).toEqual([])
    expect(next(({ suspend }) => suspend(hour)).gaps()).toEqual([])
  })

  test('knows a step forward as a gap since the earlier one was certain, and does not delete by it for a day', () => {
    const clock = next(({ step, pass }) => {
      pass(10 * second)
      step(40 * day)
    })
    expect(clock.isCertain()).toBe(true)
    expect(clock.now()).toBe(start + 70 * second + 40 * day)
    expect(clock.gaps()).toEqual([{ start: start + minute, end: clock.now(), skipped: 40 * day }])
    expect(clock.deletionTime()).toBe(start + 70 * second)
  })

  test('uses the time after a step back at once, without a gap', () => {
    const clock = next(({ step }) => step(-hour))
    expect(clock.now()).toBe(start + minute - hour)
    expect(clock.gaps()).toEqual([])
  })

  test('cannot tell a step from a pause after another start of the machine', () => {
    expect(next(({ step }) => step(hour), { isSameBoot: false }).gaps()).toEqual([])
  })

  test('knows the gaps and steps of the earlier one, and how long these have held', () => {
    const machine = testClock(start)
    machine.step(40 * day)
    machine.pass(hour)
    const gaps = [...machine.clock.gaps()]
    const memory = machine.clock.memory()
    const second = machine.restart()
    second.resume(memory, true)
    expect(gaps).toHaveLength(1)
    expect(second.gaps()).toEqual(gaps)
    expect(second.deletionLag()).toBe(40 * day)
    machine.pass(day)
    expect(second.deletionLag()).toBe(0)
  })
})
