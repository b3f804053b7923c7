/**
 * The time of day, guarded against steps of the machine's clock. A step is a change of the wall clock against the monotonic
 * clock. Until a step has held for a while, the time goes on as if it had not happened, so that a clock that is wrong for a
 * minute ends no session, sends nothing and deletes nothing. Then the new time is adopted.
 *
 * Use `currentTime` wherever a time is stored or compared with a stored one, and `performance.now()` for durations.
 */
import { uptime } from 'node:os'
import type { Logger } from 'pino'

export interface ClockSources {
  /** Epoch milliseconds of the machine. They may be set. */
  wall: () => number
  /** Milliseconds that only grow. On Linux they stand still while the machine sleeps. */
  monotonic: () => number
  /** Milliseconds since the machine was started, including the time that it slept. */
  sinceBoot: () => number
}

/** An adopted step. Epoch milliseconds. */
export interface ClockStep {
  /** The time before the step, and after it. */
  from: number
  to: number
}

/**
 * A part of the timeline that is not known to have had its true length: it was skipped by a step forward, or a step was
 * pending in it. Epoch milliseconds.
 */
export interface ClockGap {
  start: number
  end: number
  /** How much of it did not happen: the length of a step forward, 0 while a step was only pending. */
  skipped: number
}

/** A clock that says when it is not certain. */
export type GuardedClock = Pick<WallClock, 'now' | 'isCertain' | 'gaps' | 'deletionTime' | 'memory'>

/** The state of this process's clock, for the next process. */
export interface ClockMemory {
  /** The last moment at which the time was certain. */
  certain: { wall: number; boot: number }
  /** Identifies the machine's current boot; null if it has none. With it, the next process can tell a step from a pause. */
  bootId: string | null
  gaps: readonly ClockGap[]
  /** The steps that are not trusted for deletions yet, and for how many milliseconds each has held. */
  steps: readonly (ClockStep & { heldFor: number })[]
}

/** Milliseconds by which the wall clock may differ from the monotonic one. Time servers correct less than this smoothly. */
export const stepTolerance = 5000
/** Milliseconds for which a step must hold to be adopted. */
export const stepHoldTime = 120_000
/** Milliseconds for which a step forward must hold until what is old by the new time may be deleted. */
const trustedForDeletionAfter = 86_400_000
/** Milliseconds for which gaps are known: longer than the longest window of an alert, and its catching up. */
const gapsKeptFor = 3 * 86_400_000
/** Milliseconds between two comparisons of the clocks while nobody asks for the time. */
const watchInterval = 1000
/**
 * Milliseconds for which the time since boot is not read again. Reading it takes ten times as long as both other clocks, and a
 * request asks for the time dozens of times.
 */
const comparedFor = 50

/** A step that has not held for long enough. Times are those of the timeline without it. */
interface PendingStep {
  /** Since when the time is not certain. */
  since: number
  /** When the wall clock took the time that it has now. */
  steppedAt: number
  /** The length of the step. */
  by: number
}

/** The clocks at one moment. */
interface Reading {
  wall: number
  monotonic: number
  boot: number
}

export class WallClock {
  /** The last moment at which the time was certain. */
  #base: Reading
  /** The step that has not been adopted yet. */
  #pending: PendingStep | null = null
  #adopted: { step: ClockStep; elapsed: number }[] = []
  #knownGaps: ClockGap[] = []
  readonly #listeners = new Set<(step: ClockStep) => void>()
  /** Added to the wall clock of the machine: how far that of the shared database is ahead. */
  #offset: number | null = null
  readonly #sources: ClockSources

  constructor(sources: ClockSources) {
    this.#sources = sources
    this.#base = this.#read()
  }

  /** Epoch milliseconds, whole. */
  now(): number {
    return this.#recent() ?? this.#compared()
  }

  /** The time if the clocks were compared just now and wall clock and monotonic clock still agree; otherwise undefined. */
  #recent(): number | undefined {
    if (this.#pending) return undefined
    const wall = this.#wall()
    const passed = this.#sources.monotonic() - this.#base.monotonic
    const isRecent = passed >= 0 && passed < comparedFor && Math.abs(wall - this.#base.wall - passed) <= stepTolerance
    return isRecent ? Math.floor(wall) : undefined
  }

  #compared(): number {
    const reading = this.#read()
    const expected = this.#expected(reading)
    const delta = reading.wall - expected
    if (Math.abs(delta) <= stepTolerance) {
      if (this.#pending) this.#knownGaps.push({ start: this.#pending.since, end: expected, skipped: 0 })
      this.#pending = null
      this.#base = reading
      return Math.floor(reading.wall)
    }
    if (!this.#pending || Math.abs(delta - this.#pending.by) > stepTolerance) {
      this.#pending = { since: this.#pending?.since ?? expected, steppedAt: expected, by: delta }
    }
    if (expected - this.#pending.steppedAt < stepHoldTime) return Math.floor(expected)
    this.#adopt(reading, this.#pending.since, delta)
    return Math.floor(reading.wall)
  }

  /** False while a step is pending: what the machine and its neighbours call now is not known. */
  isCertain(): boolean {
    this.now()
    return this.#pending === null
  }

  /** The gaps of the last days, oldest first. */
  gaps(): readonly ClockGap[] {
    const now = this.now()
    this.#knownGaps = this.#knownGaps.filter(({ end }) => end > now - gapsKeptFor)
    return this.#knownGaps
  }

  /**
   * The time by which old things are deleted for good. It stays behind after a step forward until that has held for a day,
   * so that people can correct a wrong clock before it has emptied everything.
   */
  deletionTime(): number {
    const now = this.now()
    const { monotonic } = this.#base
    this.#adopted = this.#adopted.filter(({ elapsed }) => monotonic - elapsed < trustedForDeletionAfter)
    const forward = this.#adopted.reduce((sum, { step }) => sum + step.to - step.from, 0)
    return now - Math.max(0, forward)
  }

  /** Milliseconds by which the time for deletions is behind: see `deletionTime`. */
  deletionLag(): number {
    return this.now() - this.deletionTime()
  }

  /** How much of the time since `time` was skipped by steps forward, so that it did not pass. Of the last days. */
  skippedSince(time: number): number {
    return this.gaps().reduce((sum, { start, end, skipped }) => {
      if (end <= time || skipped === 0) return sum
      return sum + (start >= time ? skipped : end - time)
    }, 0)
  }

  /** Calls back after each adopted step. @returns ends it */
  onStep(listener: (step: ClockStep) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Compares the clocks regularly, so that a step is noticed when it happens, and logs those that are adopted. @returns ends it */
  watch(logger: Pick<Logger, 'warn'>): () => void {
    const timer = setInterval(() => this.now(), watchInterval)
    timer.unref()
    const stop = this.onStep(({ from, to }) => {
      const seconds = Math.round((to - from) / 1000)
      logger.warn(
        { seconds },
        `The clock was set ${seconds > 0 ? 'forward' : 'back'}. The new time is used from now on`,
      )
    })
    return () => {
      clearInterval(timer)
      stop()
    }
  }

  /**
   * Takes the time of another clock, such as that of a database that several machines share. The first call sets the time;
   * a later difference is a step like any other.
   *
   * @param ahead milliseconds by which that clock is ahead of the machine's
   */
  follow(ahead: number): void {
    const isFirst = this.#offset === null
    this.#offset = ahead
    if (isFirst) {
      this.#base = this.#read()
      this.#pending = null
    }
  }

  /** To be stored, and given to `resume` of the next process. */
  memory(): Omit<ClockMemory, 'bootId'> {
    const gaps = [...this.gaps()]
    const { wall, boot, monotonic } = this.#base
    const steps = this.#adopted.map(({ step, elapsed }) => ({ ...step, heldFor: monotonic - elapsed }))
    return { certain: { wall, boot }, gaps, steps }
  }

  /**
   * Starts from what an earlier process knew, and forgets its own steps. If the machine was not started again since, a step in between is noticed:
   * the new time is used at once, and the time since the earlier process was certain is a gap.
   */
  resume({ certain, gaps, steps }: Omit<ClockMemory, 'bootId'>, isSameBoot: boolean): void {
    const reading = this.#read()
    const away = isSameBoot ? Math.max(0, reading.boot - certain.boot) : 0
    const isKnown = isSameBoot && reading.boot >= certain.boot
    const delta = isKnown ? reading.wall - certain.wall - away : 0
    this.#base = reading
    this.#pending = null
    this.#knownGaps = [...gaps]
    this.#adopted = steps.map(({ from, to, heldFor }) => ({
      step: { from, to },
      elapsed: reading.monotonic - heldFor - away,
    }))
    if (Math.abs(delta) > stepTolerance) this.#adopt(reading, certain.wall, delta, reading.wall)
  }

  #wall(): number {
    return this.#sources.wall() + (this.#offset ?? 0)
  }

  #read(): Reading {
    const { monotonic, sinceBoot } = this.#sources
    return { wall: this.#wall(), monotonic: monotonic(), boot: sinceBoot() }
  }

  /** The time if there was no step. Time asleep counts: then only the time since boot went on. */
  #expected({ monotonic, boot }: Reading): number {
    const awake = monotonic - this.#base.monotonic
    const elapsed = boot - this.#base.boot
    return this.#base.wall + (elapsed - awake > stepTolerance ? elapsed : awake)
  }

  #adopt(reading: Reading, since: number, delta: number, until = since + delta): void {
    const step: ClockStep = { from: reading.wall - delta, to: reading.wall }
    this.#pending = null
    this.#base = reading
    // A period that a step back moves into the future again can become a part of the timeline that is known.
    this.#knownGaps = this.#knownGaps
      .filter(({ start }) => start < reading.wall)
      .map((gap) => (gap.end > reading.wall ? { start: gap.start, end: reading.wall, skipped: 0 } : gap))
    if (delta > 0) this.#knownGaps.push({ start: since, end: until, skipped: delta })
    this.#adopted.push({ step, elapsed: reading.monotonic })
    for (const listener of this.#listeners) listener(step)
  }
}

/** The clock of this process. */
export const wallClock = new WallClock({
  wall: () => Date.now(),
  monotonic: () => performance.now(),
  sinceBoot: () => uptime() * 1000,
})

/** Epoch milliseconds: takes the place of `Date.now`. */
export const currentTime = (): number => wallClock.now()

/** The current time as it is stored in records: takes the place of `new Date().toISOString()`. */
export const currentIsoTime = (): string => new Date(wallClock.now()).toISOString()
