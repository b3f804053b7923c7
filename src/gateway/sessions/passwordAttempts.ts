/** Limits wrong passwords per caller. */
import { failure } from '#node/upstream/apiFailure.ts'

export class PasswordAttempts {
  /** When each wrong attempt began, by caller. */
  private readonly wrong = new Map<string, number[]>()

  constructor(
    private readonly most: number,
    /** Milliseconds that a wrong attempt counts. */
    private readonly period: number,
  ) {}

  /**
   * Checks a password, unless the caller had too many wrong ones.
   * @param verify throws for a wrong password
   * @throws rateLimited without checking, or the error of `verify`
   */
  async check(caller: string, verify: () => Promise<void>): Promise<void> {
    const now = performance.now()
    this.evictOld(now)
    const before = this.wrong.get(caller) ?? []
    const [oldest = now] = before
    if (before.length >= this.most) {
      const retryAfter = Math.ceil((oldest + this.period - now) / 1000)
      const message = 'Too many wrong passwords. Use the sign-in link from the terminal, or wait.'
      throw failure('rateLimited', message, { retryAfter })
    }
    // Counted before the check, so that concurrent attempts count too.
    this.wrong.set(caller, [...before, now])
    await verify()
    const counted = this.wrong.get(caller) ?? []
    this.wrong.set(caller, counted.toSpliced(counted.indexOf(now), 1))
  }

  private evictOld(now: number): void {
    for (const [caller, times] of this.wrong) {
      const recent = times.filter((time) => now - time < this.period)
      if (recent.length > 0) this.wrong.set(caller, recent)
      else this.wrong.delete(caller)
    }
  }
}
