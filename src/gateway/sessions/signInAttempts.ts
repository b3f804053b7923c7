/**
 * Delays wrong passwords, longer each time, for who enters them. Whoever has a session, or signed in from this browser before,
 * has attempts of their own, which others cannot use up.
 */
import { failure } from '#node/upstream/apiFailure.ts'

interface Attempt {
  /** The account that somebody tries to sign in to. */
  account: string
  /** The network address of the caller. */
  address: string
  /** Of a browser that signed in to this account before. */
  known?: string | undefined
}

interface Wrong {
  count: number
  /** Until when further ones are refused, and since when they are counted. */
  until: number
  at: number
}

/** Wrong passwords without a delay: of one address for one account, of one address, and for one account from anywhere. */
const free = { pair: 5, address: 50, account: 100 }
const longestDelay = 15 * 60_000
/** Milliseconds after which wrong passwords are forgotten. */
const forgottenAfter = 60 * 60_000
/** The oldest are forgotten beyond this. */
const maxCounted = 20_000

export class SignInAttempts {
  private readonly wrong = new Map<string, Wrong>()

  constructor(private readonly now: () => number = () => performance.now()) {}

  /**
   * Checks a password, unless the caller had too many wrong ones.
   * @param verify throws for a wrong password
   * @throws rateLimited without checking, or the error of `verify`
   */
  async check<T>(attempt: Attempt, verify: () => Promise<T>): Promise<T> {
    const counters = countersOf(attempt)
    for (const [name] of counters) this.refuseEarly(name)
    // Counted before the check, so that concurrent attempts count too.
    for (const [name, allowed] of counters) this.count(name, allowed)
    const verified = await verify()
    for (const [name, allowed] of counters) this.forgive(name, allowed)
    return verified
  }

  private refuseEarly(name: string): void {
    const left = (this.wrong.get(name)?.until ?? 0) - this.now()
    if (left <= 0) return
    const message = 'Too many wrong passwords. Use the sign-in link from the terminal, or wait.'
    throw failure('rateLimited', message, { retryAfter: Math.ceil(left / 1000) })
  }

  private count(name: string, allowed: number): void {
    const now = this.now()
    const before = this.wrong.get(name)
    const count = (before && now - before.at < forgottenAfter ? before.count : 0) + 1
    // Moved to the end: the map is in the order of the last attempt.
    this.wrong.delete(name)
    this.wrong.set(name, { count, at: now, until: now + delayAfter(count - allowed) })
    for (const [oldest] of this.wrong) {
      if (this.wrong.size <= maxCounted) return
      this.wrong.delete(oldest)
    }
  }

  /** The right password ends the delay of its caller. What others did to the account still counts. */
  private forgive(name: string, allowed: number): void {
    const counted = this.wrong.get(name)
    if (allowed === free.pair || counted === undefined || counted.count <= 1) this.wrong.delete(name)
    else {
      const count = counted.count - 1
      this.wrong.set(name, { ...counted, count, until: counted.at + delayAfter(count - allowed) })
    }
  }
}

function countersOf({ account, address, known }: Attempt): [name: string, allowed: number][] {
  if (known !== undefined) return [[`known ${account} ${known}`, free.pair]]
  return [
    [`pair ${account} ${address}`, free.pair],
    [`address ${address}`, free.address],
    [`account ${account}`, free.account],
  ]
}

/** One second, then twice as long each time. */
function delayAfter(beyond: number): number {
  return beyond < 0 ? 0 : Math.min(longestDelay, 1000 * 2 ** beyond)
}
