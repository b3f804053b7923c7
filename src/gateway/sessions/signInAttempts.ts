/**
 * Delays wrong passwords, longer each time, for who enters them. Whoever has a session, or signed in from this browser before,
 * has attempts of their own, which others cannot use up.
 */
import { createHash } from 'node:crypto'
import type { Statements } from '#node/database/statements.ts'
import { failure } from '#node/upstream/apiFailure.ts'
import type { Database } from '../database/database.ts'

interface Attempt {
  /** The account that somebody tries to sign in to. */
  account: string
  /** The network address of the caller. */
  address: string
  /** Of a browser that signed in to this account before. */
  known?: string | undefined
}

/** Wrong passwords without a delay: of one address for one account, of one address, and for one account from anywhere. */
const free = { pair: 5, address: 50, account: 100 }
const longestDelay = 15 * 60_000
/** Milliseconds after which wrong passwords are forgotten. */
const forgottenAfter = 60 * 60_000
/** The oldest are forgotten beyond this. */
const maxCounted = 20_000

export class SignInAttempts {
  constructor(
    private readonly database: Database,
    private readonly now: () => number = Date.now,
  ) {}

  /**
   * Checks a password, unless the caller had too many wrong ones. Consoles that share a database count together.
   * @param verify throws for a wrong password
   * @throws rateLimited without checking, or the error of `verify`
   */
  async check<T>(attempt: Attempt, verify: () => Promise<T>): Promise<T> {
    const counters = countersOf(attempt)
    // Counted before the check, so that concurrent attempts count too.
    const wait = await this.database.transact((transaction) => this.count(transaction, counters))
    if (wait > 0) {
      const message = 'Too many wrong passwords. Use the sign-in link from the terminal, or wait.'
      throw failure('rateLimited', message, { retryAfter: Math.ceil(wait / 1000) })
    }
    const verified = await verify()
    await this.database.transact(async (transaction) => {
      for (const [name, allowed] of counters) await this.forgive(transaction, name, allowed)
    })
    return verified
  }

  /** @returns milliseconds until the next attempt is allowed; if there are any, this one does not count */
  private async count({ rows, run }: Statements, counters: readonly Counter[]): Promise<number> {
    const now = this.now()
    const known = new Map<string, number>()
    let wait = 0
    for (const [name] of counters) {
      const [row] = await rows('SELECT count, at, until FROM sign_in_attempts WHERE name = ?', [digestOf(name)])
      if (row && now - Number(row['at']) < forgottenAfter) known.set(name, Number(row['count']))
      wait = Math.max(wait, Number(row?.['until'] ?? 0) - now)
    }
    if (wait > 0) return wait
    for (const [name, allowed] of counters) {
      const count = (known.get(name) ?? 0) + 1
      await run(
        `INSERT INTO sign_in_attempts (name, count, at, until) VALUES (?, ?, ?, ?)
          ON CONFLICT (name) DO UPDATE SET count = excluded.count, at = excluded.at, until = excluded.until`,
        [digestOf(name), count, now, now + delayAfter(count - allowed)],
      )
    }
    await run(
      `DELETE FROM sign_in_attempts WHERE at < ?
        OR at < (SELECT at FROM sign_in_attempts ORDER BY at DESC LIMIT 1 OFFSET ${maxCounted})`,
      [now - forgottenAfter],
    )
    return 0
  }

  /** The right password ends the delay of its caller. What others did to the account still counts. */
  private async forgive({ rows, run }: Statements, name: string, allowed: number): Promise<void> {
    const digest = digestOf(name)
    const [row] = await rows('SELECT count, at FROM sign_in_attempts WHERE name = ?', [digest])
    const count = Number(row?.['count'] ?? 0) - 1
    if (allowed === free.pair || count <= 0) await run('DELETE FROM sign_in_attempts WHERE name = ?', [digest])
    else {
      await run('UPDATE sign_in_attempts SET count = ?, until = ? WHERE name = ?', [
        count,
        Number(row?.['at']) + delayAfter(count - allowed),
        digest,
      ])
    }
  }
}

type Counter = [name: string, allowed: number]

/** Names have what somebody entered, of any length. */
const digestOf = (name: string) => createHash('sha256').update(name).digest('base64url')

function countersOf({ account, address, known }: Attempt): Counter[] {
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
