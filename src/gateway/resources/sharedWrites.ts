/**
 * Sends a write with an id once among the consoles of a database: a request that is repeated on another console gets the
 * outcome of the first, or waits for it.
 */
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { apiError } from '#contract/wire/kernel.ts'
import { currentTime } from '#node/clock/wallClock.ts'
import { ApiFailure, failure, refusal } from '#node/upstream/apiFailure.ts'
import type { UpstreamResult } from '#node/upstream/upstreamReply.ts'
import type { Database } from '../database/database.ts'
import type { SealedJson } from '../database/sealedJson.ts'
import { StoredRows } from '../database/storedRows.ts'
import { isRetryable } from './writeLog.ts'

/** Milliseconds that an outcome is retained. */
const retention = 10 * 60_000
/** Milliseconds between two checks at the outcome of another console. */
const pollInterval = 250
/** Milliseconds to wait for it: longer than the deadlines of a write. */
const maxWait = 180_000

interface SharedWriteDependencies {
  database: Database
  sealed: SealedJson
  /** The ID of this console in `consoles`. */
  owner: string
  onError: (error: unknown) => void
}

const stored = z.union([
  z.object({ result: z.looseObject({ result: z.unknown() }) }),
  z.object({ error: apiError, httpStatus: z.number() }),
])
type Stored = z.infer<typeof stored>

export class SharedWrites {
  readonly #rows: StoredRows
  readonly #dependencies: SharedWriteDependencies

  constructor(dependencies: SharedWriteDependencies) {
    this.#dependencies = dependencies
    this.#rows = new StoredRows(dependencies.database, 'sent_writes')
  }

  /** @throws outcomeUnknown if the console that sent it ended, failed, or still waits for the response after `maxWait` */
  async once(
    idempotencyKey: string,
    fingerprint: string,
    write: () => Promise<UpstreamResult>,
  ): Promise<UpstreamResult> {
    // It has the key of a session.
    const name = createHash('sha256').update(idempotencyKey).digest('base64url')
    const until = performance.now() + maxWait
    while (performance.now() < until) {
      if (await this.#claim(name, fingerprint)) return this.#send(name, write)
      const outcome = await this.#outcomeElsewhere(name, fingerprint)
      if (outcome) return resultOf(outcome)
      await sleep(pollInterval)
    }
    throw unknownOutcome('Another console is still sending this write.')
  }

  #claim(name: string, fingerprint: string): Promise<boolean> {
    const now = currentTime()
    return this.#dependencies.database.transactConcurrently(async ({ run }) => {
      await run('DELETE FROM sent_writes WHERE at < ?', [now - retention])
      const inserted = await run(
        'INSERT INTO sent_writes (name, fingerprint, owner, at) VALUES (?, ?, ?, ?) ON CONFLICT (name) DO NOTHING',
        [name, fingerprint, this.#dependencies.owner, now],
      )
      return inserted > 0
    })
  }

  async #send(name: string, write: () => Promise<UpstreamResult>): Promise<UpstreamResult> {
    try {
      const result = await write()
      await this.#finish(name, { result: { ...result } })
      return result
    } catch (error) {
      if (isRetryable(error)) await this.#forget(name)
      else {
        const known = error instanceof ApiFailure ? error : unknownOutcome('The console that sent this write failed.')
        await this.#finish(name, { error: known.error, httpStatus: known.httpStatus })
      }
      throw error
    }
  }

  /** The write is done, so a failure is only reported. */
  async #finish(name: string, outcome: Stored): Promise<void> {
    const { database, sealed, onError } = this.#dependencies
    const bytes = sealed.seal(name, outcome)
    await database
      .transactConcurrently(({ run }) => run('UPDATE sent_writes SET outcome = ? WHERE name = ?', [bytes, name]))
      .catch(onError)
  }

  async #forget(name: string): Promise<void> {
    const { database, onError } = this.#dependencies
    await database
      .transactConcurrently(({ run }) => run('DELETE FROM sent_writes WHERE name = ?', [name]))
      .catch(onError)
  }

  /** Undefined while it is not known, and if the write was not sent. @throws outcomeUnknown for a damaged one */
  async #outcomeElsewhere(name: string, fingerprint: string): Promise<Stored | undefined> {
    const { database, sealed } = this.#dependencies
    const [row] = await database.rows(
      `SELECT name, fingerprint, outcome, CASE WHEN owner IN (SELECT id FROM consoles) THEN 0 ELSE 1 END AS ended
        FROM sent_writes WHERE name = ?`,
      [name],
    )
    if (!row) return undefined
    if (row['fingerprint'] !== fingerprint) throw refusal(409, 'This write ID was used for another change.')
    const { outcome } = row
    if (outcome instanceof ArrayBuffer) {
      const read = () => stored.parse(sealed.open(name, new Uint8Array(outcome)))
      const known = this.#rows.ifReadable(row, read)
      if (!known) throw unknownOutcome('The outcome of this write can no longer be read.')
      return known
    }
    if (Number(row['ended']) === 1) {
      throw unknownOutcome('The console that sent this write ended before it stored the outcome.')
    }
    return undefined
  }
}

function resultOf(outcome: Stored): UpstreamResult {
  if ('error' in outcome) throw new ApiFailure(outcome.error, outcome.httpStatus)
  return outcome.result
}

/** @param reason a sentence */
function unknownOutcome(reason: string): ApiFailure {
  return failure('outcomeUnknown', `${reason} Check what is stored.`)
}
