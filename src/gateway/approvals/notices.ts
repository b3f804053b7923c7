/**
 * Notifications about approvals: an outbox in the database, sent in the background with retries that survive a restart. One
 * console sends a notification at a time. If it ends meanwhile, another one sends it again, with the same idempotency key.
 */
import { randomBytes } from 'node:crypto'
import { request as send } from 'undici'
import { z } from 'zod'
import type { NotificationDelivery, NotificationTest } from '#contract/console/approvals.ts'
import { currentIsoTime, currentTime, wallClock } from '#node/clock/wallClock.ts'
import type { Egress } from '#node/upstream/egressGuard.ts'
import { ConnectError } from '#node/upstream/egressGuard.ts'
import type { Statements } from '#node/database/statements.ts'
import { ownerHasEnded } from '../cluster/ownWrites.ts'
import { Periodic } from '../cluster/backgroundWork.ts'
import type { Presence } from '../cluster/presence.ts'
import type { Row } from '../database/database.ts'
import { type SealedJson, openText, sealText } from '../database/sealedJson.ts'
import { StoredRows } from '../database/storedRows.ts'
import type { Receiver } from './approvalStore.ts'
import { noticeBody, type Notice } from './noticeBody.ts'

/** Milliseconds before each further attempt. */
export const noticeRetries: readonly number[] = [10_000, 60_000, 300_000, 1_800_000, 7_200_000, 21_600_000]

/** Milliseconds that one attempt may take. */
const deadline = 15_000
const pollInterval = 5_000
/** Days for which notifications are kept. */
const keptDays = 30
const shownDeliveries = 5

interface NoticeDependencies {
  presence: Pick<Presence, 'isSure' | 'ownWrites'>
  sealed: SealedJson
  egress: Egress
  retries: readonly number[]
  onError: (error: unknown) => void
}

type Attempt = { state: 'sent'; message: string } | { state: 'failed' | 'retry'; message: string }

// Sealed by `add`.
const stored = z.object({
  receiver: z.object({ url: z.string(), allowPrivate: z.boolean() }),
  body: z.string(),
})
const deliveryRow = z.object({
  event: z.string(),
  at: z.string(),
  state: z.enum(['waiting', 'sent', 'failed']),
  attempts: z.coerce.number(),
  problem: z.string().nullable(),
})

export class Notices {
  readonly #sending: Periodic
  /** The outcome of each delivery attempt that is not stored yet, keyed by notification ID. */
  readonly #unsettled = new Map<string, { attempts: number; attempt: Attempt }>()
  #closing = false
  readonly #rows: StoredRows
  readonly #contents: StoredRows
  readonly #dependencies: NoticeDependencies

  constructor(dependencies: NoticeDependencies) {
    this.#dependencies = dependencies
    const { presence, onError } = dependencies
    this.#rows = new StoredRows(presence.ownWrites, 'approval_notices')
    this.#contents = new StoredRows(presence.ownWrites, 'approval_notices', 'content')
    this.#sending = new Periodic({ presence, every: pollInterval, work: () => this.#sendDue(), onError })
    this.#sending.now()
  }

  /** Stores a notification in the transaction of what it tells. `sendSoon` sends it once that is committed. */
  async add({ run }: Statements, receiver: Receiver | null, notice: Notice): Promise<void> {
    if (receiver === null) return
    const id = randomBytes(9).toString('hex')
    const { connection, event, at } = notice
    const body = noticeBody(notice, receiver.url)
    const sealed = sealText(this.#dependencies.sealed, contextOf(id), { receiver, body })
    await run(
      `INSERT INTO approval_notices (id, connection_id, event, at, next_at, state, attempts, sealed)
        VALUES (?, ?, ?, ?, ?, 'waiting', 0, ?)`,
      [id, connection.id, event, at, at, sealed],
    )
    const old = new Date(wallClock.deletionTime() - keptDays * 86_400_000).toISOString()
    await run('DELETE FROM approval_notices WHERE at < ?', [old])
  }

  sendSoon(): void {
    this.#sending.now()
  }

  /** Sends a notification immediately and once, without the outbox. */
  async test(receiver: Receiver, notice: Notice): Promise<NotificationTest> {
    const { state, message } = await this.#attempt(
      receiver,
      noticeBody(notice, receiver.url),
      randomBytes(9).toString('hex'),
    )
    return { ok: state === 'sent', message }
  }

  /** The latest notifications of a connection, newest first. */
  async deliveries(connectionId: string): Promise<NotificationDelivery[]> {
    const rows = await this.#own.database.rows(
      'SELECT id, event, at, state, attempts, problem FROM approval_notices WHERE connection_id = ? ORDER BY at DESC LIMIT ?',
      [connectionId, shownDeliveries],
    )
    return this.#rows.each(rows, (row) => {
      const { problem, ...rest } = deliveryRow.parse(row)
      return { ...rest, ...(problem !== null && { problem }) }
    })
  }

  async close(): Promise<void> {
    this.#closing = true
    await this.#sending.close()
  }

  get #own() {
    return this.#dependencies.presence.ownWrites
  }

  /** Sends what is due, one after another. */
  async #sendDue(): Promise<void> {
    for (const [id, { attempts, attempt }] of this.#unsettled) await this.#settle(id, attempts, attempt)
    while (!this.#closing) {
      const claimed = await this.#claim()
      if (!claimed) return
      const id = String(claimed['id'])
      const attempts = Number(claimed['attempts'])
      const opened = this.#contents.ifReadable(claimed, ({ sealed }) =>
        stored.parse(openText(this.#dependencies.sealed, contextOf(id), z.string().parse(sealed))),
      )
      const attempt = opened ? await this.#attemptInTime(opened.receiver, opened.body, id) : damaged
      this.#unsettled.set(id, { attempts, attempt })
      await this.#settle(id, attempts, attempt)
    }
  }

  /** Claims the oldest notification that is due. Other consoles can claim it only if this one ends first. */
  async #claim(): Promise<Row | undefined> {
    const now = currentIsoTime()
    const isDue = `state = 'waiting' AND next_at <= ? AND ${ownerHasEnded}`
    const first = `SELECT id FROM approval_notices WHERE ${isDue} ORDER BY at LIMIT 1`
    if ((await this.#own.database.rows(first, [now])).length === 0) return undefined
    const sql = `UPDATE approval_notices SET owner = ?, attempts = attempts + 1 WHERE id = (${first})
      RETURNING id, attempts, sealed`
    return (await this.#own.returned(sql, [this.#own.owner, now]))[0]
  }

  async #settle(id: string, attempts: number, { state, message }: Attempt): Promise<void> {
    const delay = this.#dependencies.retries[attempts - 1]
    const isOver = state !== 'retry' || delay === undefined
    const ended = state === 'sent' ? 'sent' : 'failed'
    await this.#own.write({
      sql: 'UPDATE approval_notices SET state = ?, problem = ?, next_at = ?, owner = NULL WHERE id = ? AND owner = ?',
      args: [
        isOver ? ended : 'waiting',
        state === 'sent' ? null : message,
        new Date(currentTime() + (delay ?? 0)).toISOString(),
        id,
        this.#own.owner,
      ],
    })
    this.#unsettled.delete(id)
  }

  /** Sends only while it is certain that no other console has claimed the notification. */
  async #attemptInTime(receiver: Receiver, body: string, key: string): Promise<Attempt> {
    if (this.#dependencies.presence.isSure) return this.#attempt(receiver, body, key)
    return { state: 'retry', message: 'The console did not reach its database for a while.' }
  }

  /** The message names no address: the URL is a secret. */
  async #attempt({ url, allowPrivate }: Receiver, body: string, key: string): Promise<Attempt> {
    try {
      const response = await send(url, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json', 'idempotency-key': key, 'user-agent': 'stack-console' },
        dispatcher: this.#dependencies.egress.agent(allowPrivate),
        signal: AbortSignal.timeout(deadline),
      })
      await response.body.dump()
      const message = `The receiver answered ${response.statusCode}.`
      if (response.statusCode < 300) return { state: 'sent', message }
      const again = response.statusCode === 429 || response.statusCode >= 500
      return { state: again ? 'retry' : 'failed', message }
    } catch (error) {
      return failed(error)
    }
  }
}

const damaged: Attempt = { state: 'failed', message: 'What is stored of the notification is damaged.' }

function failed(error: unknown): Attempt {
  if (error instanceof ConnectError && error.code === 'PRIVATE_ADDRESS') {
    const message = 'The address of the receiver is a loopback or private one, which the setting does not allow.'
    return { state: 'failed', message }
  }
  if (error instanceof ConnectError && error.code === 'REFUSED_ADDRESS') {
    return { state: 'failed', message: 'The address of the receiver is a reserved one.' }
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'no answer'
  return { state: 'retry', message: `The receiver cannot be reached (${code}).` }
}

function contextOf(id: string): string {
  return `approval notice ${id}`
}
