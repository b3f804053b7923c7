/**
 * Delays failed sign-ins, longer each time, for who tries them. Whoever has a session, or signed in from this browser before,
 * has attempts of their own, which others cannot use up.
 */
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { failure } from '#node/upstream/apiFailure.ts'

interface Attempt {
  /** The account that somebody tries to sign in to; absent where that is not known before: passkeys and providers. */
  account?: string
  /** Counted apart, so that failures with one leave the others open. */
  way: 'password' | 'passkey' | 'provider'
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
/** Nobody can guess the proof of a passkey or provider: this only bounds the work that failures cause. */
const longestUnguessable = 60_000
/** Milliseconds after which wrong passwords are forgotten. */
const forgottenAfter = 60 * 60_000
/** The oldest are forgotten beyond this. */
const maxCounted = 20_000

export class SignInAttempts {
  private readonly wrong = new Map<string, Wrong>()

  constructor(private readonly now: () => number = () => performance.now()) {}

  /**
   * Checks a proof, unless the caller had too many wrong ones.
   * @param verify throws for a wrong one
   * @throws rateLimited without checking, or the error of `verify`
   */
  async check<T>(attempt: Attempt, verify: () => Promise<T>): Promise<T> {
    const counters = countersOf(attempt)
    for (const { name } of counters) this.refuseEarly(name, attempt.way)
    // Counted before the check, so that concurrent attempts count too.
    for (const counter of counters) this.count(counter)
    const verified = await verify()
    for (const counter of counters) this.forgive(counter)
    return verified
  }

  private refuseEarly(name: string, way: Attempt['way']): void {
    const left = (this.wrong.get(name)?.until ?? 0) - this.now()
    if (left <= 0) return
    const message =
      way === 'password'
        ? 'Too many wrong passwords. Use the sign-in link from the terminal, or wait.'
        : 'Too many failed sign-ins from your network address. Sign in otherwise, or wait.'
    throw failure('rateLimited', message, { retryAfter: Math.ceil(left / 1000) })
  }

  private count({ name, allowed, longest }: Counter): void {
    const now = this.now()
    const before = this.wrong.get(name)
    const count = (before && now - before.at < forgottenAfter ? before.count : 0) + 1
    // Moved to the end: the map is in the order of the last attempt.
    this.wrong.delete(name)
    this.wrong.set(name, { count, at: now, until: now + delayAfter(count - allowed, longest) })
    for (const [oldest] of this.wrong) {
      if (this.wrong.size <= maxCounted) return
      this.wrong.delete(oldest)
    }
  }

  /** The right proof ends the delay of its caller. What others did to the account still counts. */
  private forgive({ name, allowed, longest }: Counter): void {
    const counted = this.wrong.get(name)
    if (allowed === free.pair || counted === undefined || counted.count <= 1) this.wrong.delete(name)
    else {
      const count = counted.count - 1
      this.wrong.set(name, { ...counted, count, until: counted.at + delayAfter(count - allowed, longest) })
    }
  }
}

interface Counter {
  name: string
  /** Failures without a delay. */
  allowed: number
  /** Milliseconds. */
  longest: number
}

function countersOf({ account, address: given, known, way }: Attempt): Counter[] {
  const address = networkOf(given)
  if (account === undefined) {
    const whose = known === undefined ? `address ${address}` : `known ${known}`
    return [
      { name: `${way} ${whose}`, allowed: known === undefined ? free.address : free.pair, longest: longestUnguessable },
    ]
  }
  const counter = (name: string, allowed: number) => ({ name, allowed, longest: longestDelay })
  if (known !== undefined) return [counter(`known ${account} ${known}`, free.pair)]
  return [
    counter(`pair ${account} ${address}`, free.pair),
    counter(`address ${address}`, free.address),
    counter(`account ${account}`, free.account),
  ]
}

/** One subscriber has all addresses of an IPv6 /64. */
function networkOf(address: string): string {
  if (isIP(address) !== 6) return address
  const parsed = ipaddr.parse(address)
  return parsed instanceof ipaddr.IPv6 && !parsed.isIPv4MappedAddress() ? parsed.parts.slice(0, 4).join(':') : address
}

/** One second, then twice as long each time. */
function delayAfter(beyond: number, longest: number): number {
  return beyond < 0 ? 0 : Math.min(longest, 1000 * 2 ** beyond)
}
