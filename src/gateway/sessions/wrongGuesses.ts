/** Counts wrong guesses of a secret, and refuses further ones for a while once there were too many. */
import { failure } from '../http/errors.ts'

export class Guesses {
  /** When each wrong guess was begun, by who made it. */
  private readonly wrong = new Map<string, number[]>()

  constructor(
    private readonly most: number,
    /** Milliseconds that a wrong guess counts. */
    private readonly period: number,
  ) {}

  /**
   * Lets one guess be checked, unless `who` had too many wrong ones.
   * @param check throws where the guess is wrong
   * @throws rateLimited, without a look at the guess; else what `check` throws
   */
  async count(who: string, check: () => Promise<void>): Promise<void> {
    const now = performance.now()
    this.forgetOld(now)
    const before = this.wrong.get(who) ?? []
    const [oldest = now] = before
    if (before.length >= this.most) {
      const retryAfter = Math.ceil((oldest + this.period - now) / 1000)
      throw failure('rateLimited', 'Too many wrong passwords: use the link from the terminal, or wait.', { retryAfter })
    }
    // Counted before it is known to be wrong: many at once are many guesses.
    this.wrong.set(who, [...before, now])
    await check()
    const counted = this.wrong.get(who) ?? []
    this.wrong.set(who, counted.toSpliced(counted.indexOf(now), 1))
  }

  private forgetOld(now: number): void {
    for (const [who, times] of this.wrong) {
      const recent = times.filter((time) => now - time < this.period)
      if (recent.length > 0) this.wrong.set(who, recent)
      else this.wrong.delete(who)
    }
  }
}
