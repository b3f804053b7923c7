/**
 * Delays failed sign-ins, longer each time, for who tries them. Whoever has a session, or signed in from this browser before,
 * has attempts of their own, which others cannot use up.
 */
import { createHash } from 'node:crypto'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { currentTime } from '#node/clock/wallClock.ts'
import type { Statements } from '#node/database/statements.ts'
import { failure } from '#node/upstream/apiFailure.ts'
import type { Database } from '../../database/database.ts'

interface Attempt {
  /** The account that somebody tries to sign in to; absent where that is not known before: passkeys and providers. */
  account?: string
  /** Counted apart, so that failures with one leave the others open. */
  way: 'password' | 'passkey' | 'provider' | 'link'
  /** The network address of the caller. */
  address: string
  /** The mark of a browser that signed in to this account before. */
  known?: string | undefined
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
  readonly #database: Database
  readonly #now: () => number

  constructor(database: Database, now: () => number = currentTime) {
    this.#database = database
    this.#now = now
  }

  /**
   * Checks a proof, unless the caller had too many wrong ones. Consoles that share a database count together.
   * @param verify throws for a wrong one
   * @throws rateLimited without checking, or the error of `verify`
   */
  async check<T>(attempt: Attempt, verify: () => Promise<T>): Promise<T> {
    const counters = countersOf(attempt)
    // Counted before the check, so that concurrent attempts count too.
    const wait = await this.#database.transact((transaction) => this.#count(transaction, counters))
    if (wait > 0) throw tooMany(attempt.way, wait)
    const verified = await verify()
    await this.#database.transact(async (transaction) => {
      for (const counter of counters) await this.#endDelay(transaction, counter)
    })
    return verified
  }

  /**
   * Counts a wrong proof that was checked already, because nobody can guess it: the right one is never refused.
   * @throws the error, or rateLimited beyond the limit
   */
  async fail(attempt: Attempt, error: unknown): Promise<never> {
    const wait = await this.#database.transact((transaction) => this.#count(transaction, countersOf(attempt)))
    throw wait > 0 ? tooMany(attempt.way, wait) : error
  }

  /** @returns milliseconds until the next attempt is allowed; if there are any, this one does not count */
  async #count({ rows, run }: Statements, counters: readonly Counter[]): Promise<number> {
    const now = this.#now()
    const known = new Map<string, number>()
    let wait = 0
    for (const { name } of counters) {
      const [row] = await rows('SELECT count, at, until FROM sign_in_attempts WHERE name = ?', [digestOf(name)])
      if (row && now - Number(row['at']) < forgottenAfter) known.set(name, Number(row['count']))
      wait = Math.max(wait, Number(row?.['until'] ?? 0) - now)
    }
    if (wait > 0) return wait
    for (const { name, allowed, longest } of counters) {
      const count = (known.get(name) ?? 0) + 1
      await run(
        `INSERT INTO sign_in_attempts (name, count, at, until) VALUES (?, ?, ?, ?)
          ON CONFLICT (name) DO UPDATE SET count = excluded.count, at = excluded.at, until = excluded.until`,
        [digestOf(name), count, now, now + delayAfter(count - allowed, longest)],
      )
    }
    await run(
      `DELETE FROM sign_in_attempts WHERE at < ?
        OR at < (SELECT at FROM sign_in_attempts ORDER BY at DESC LIMIT 1 OFFSET ${maxCounted})`,
      [now - forgottenAfter],
    )
    return 0
  }

  /** The right proof ends the delay of its caller. What others did to the account still counts. */
  async #endDelay({ rows, run }: Statements, { name, allowed, longest }: Counter): Promise<void> {
    const digest = digestOf(name)
    const [row] = await rows('SELECT count, at FROM sign_in_attempts WHERE name = ?', [digest])
    const count = Number(row?.['count'] ?? 0) - 1
    if (allowed === free.pair || count <= 0) await run('DELETE FROM sign_in_attempts WHERE name = ?', [digest])
    else {
      const until = Number(row?.['at']) + delayAfter(count - allowed, longest)
      await run('UPDATE sign_in_attempts SET count = ?, until = ? WHERE name = ?', [count, until, digest])
    }
  }
}

function tooMany(way: Attempt['way'], wait: number) {
  const message =
    way === 'password'
      ? 'Too many wrong passwords. Use a sign-in link, or wait.'
      : 'Too many failed sign-ins from your network address. Sign in otherwise, or wait.'
  return failure('rateLimited', message, { retryAfter: Math.ceil(wait / 1000) })
}

/** Names have what somebody entered, of any length. */
const digestOf = (name: string) => createHash('sha256').update(name).digest('base64url')

interface Counter {
  name: string
  /** Failures without a delay. */
  allowed: number
  /** Milliseconds. */
  longest: number
}

function countersOf({ account, address: sender, known, way }: Attempt): Counter[] {
  const address = networkOf(sender)
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
