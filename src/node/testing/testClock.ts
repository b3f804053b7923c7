/** A clock for tests: the machine's clocks are numbers that the test moves. */
import { WallClock, type GuardedClock } from '../clock/wallClock.ts'

export interface TestClock {
  clock: WallClock
  /** The clock of another process of the machine, which takes the place of `clock`. */
  restart(): WallClock
  /** Time passes, on a machine that is awake. The clock is asked every second, at the most a thousand times. */
  pass(milliseconds: number): void
  /** Somebody sets the machine's clock. */
  step(milliseconds: number): void
  /** The machine sleeps: the monotonic clock stands still. */
  suspend(milliseconds: number): void
  /** Epoch milliseconds of the machine. */
  wall(): number
}

export function testClock(begin: number): TestClock {
  const machine = { wall: begin, monotonic: 1000, boot: 50_000 }
  const start = () =>
    new WallClock({ wall: () => machine.wall, monotonic: () => machine.monotonic, sinceBoot: () => machine.boot })
  let clock = start()
  const advance = (milliseconds: number) => {
    machine.wall += milliseconds
    machine.monotonic += milliseconds
    machine.boot += milliseconds
    clock.now()
  }
  return {
    get clock() {
      return clock
    },
    restart: () => (clock = start()),
    pass(milliseconds) {
      const part = Math.max(1000, milliseconds / 1000)
      for (let left = milliseconds; left > 0; left -= part) advance(Math.min(part, left))
    },
    step(milliseconds) {
      machine.wall += milliseconds
      clock.now()
    },
    suspend(milliseconds) {
      machine.wall += milliseconds
      machine.boot += milliseconds
      clock.now()
    },
    wall: () => machine.wall,
  }
}

/** A clock that is what a test says, and always certain. */
export function certainClock(now: () => number): GuardedClock {
  return {
    now,
    isCertain: () => true,
    gaps: () => [],
    deletionTime: now,
    memory: () => ({ certain: { wall: now(), boot: 0 }, gaps: [], steps: [] }),
  }
}
