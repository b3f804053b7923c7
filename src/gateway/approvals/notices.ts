/** Notifications about approvals: an outbox in the database, sent in the background with retries that survive a restart. */
import { randomBytes } from 'node:crypto'
import { request as send } from 'undici'
import { z } from 'zod'
import type { NotificationDelivery, NotificationTest } from '#contract/approvals.ts'
import type { Egress } from '#node/upstream/egressGuard.ts'
import { ConnectError } from '#node/upstream/egressGuard.ts'
import type { Database } from '../database/database.ts'
import type { SealedJson } from '../database/sealedJson.ts'
import type { Receiver } from './approvalStore.ts'
import { noticeBody, type Notice } from './noticeBody.ts'
import { openText, sealText } from './sealedText.ts'

/** Milliseconds before each further attempt. */
export const noticeRetries: readonly number[] = [10_000, 60_000, 300_000, 1_800_000, 7_200_000, 21_600_000]

/** Milliseconds that one attempt may take, and for which no other process tries. */
const lease = 60_000
const deadline = 15_000
const lookEvery = 5_000
/** Days for which notifications are kept. */
const keptDays = 30
const shownDeliveries = 5

interface Parts {
  database: Database
  sealed: SealedJson
  egress: Egress
  retries: readonly number[]
  onError: (error: unknown) => void
}

type Attempt = { state: 'sent'; message: string } | { state: 'failed' | 'retry'; message: string }

const due = z.object({ id: z.string(), attempts: z.coerce.number(), sealed: z.string() })
// What `add` sealed.
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
  private readonly timer: NodeJS.Timeout
  private working: Promise<void> | null = null
  private closing = false

  constructor(private readonly parts: Parts) {
    this.timer = setInterval(() => void this.work(), lookEvery).unref()
    void this.work()
  }

  /** Stores a notification, which is sent right after. */
  async add(receiver: Receiver | null, notice: Notice): Promise<void> {
    if (receiver === null) return
    const id = randomBytes(9).toString('hex')
    const body = noticeBody(notice, receiver.url)
    const old = new Date(Date.now() - keptDays * 86_400_000).toISOString()
    await this.parts.database.write(
      {
        sql: `INSERT INTO approval_notices (id, connection_id, event, at, next_at, state, attempts, sealed)
          VALUES (?, ?, ?, ?, ?, 'waiting', 0, ?)`,
        args: [
          id,
          notice.connection.id,
          notice.event,
          notice.at,
          notice.at,
          sealText(this.parts.sealed, contextOf(id), { receiver, body }),
        ],
      },
      { sql: 'DELETE FROM approval_notices WHERE at < ?', args: [old] },
    )
    void this.work()
  }

  /** Sends once, at once. */
  async test(receiver: Receiver, notice: Notice): Promise<NotificationTest> {
    const { state, message } = await this.attempt(
      receiver,
      noticeBody(notice, receiver.url),
      randomBytes(9).toString('hex'),
    )
    return { ok: state === 'sent', message }
  }

  /** The last ones of a connection, the newest first. */
  async deliveries(connectionId: string): Promise<NotificationDelivery[]> {
    const rows = await this.parts.database.rows(
      'SELECT event, at, state, attempts, problem FROM approval_notices WHERE connection_id = ? ORDER BY at DESC LIMIT ?',
      [connectionId, shownDeliveries],
    )
    return rows.map((row) => {
      const { problem, ...rest } = deliveryRow.parse(row)
      return { ...rest, ...(problem !== null && { problem }) }
    })
  }

  async close(): Promise<void> {
    this.closing = true
    clearInterval(this.timer)
    await this.working
  }

  /** Sends what is due, one after another. */
  private work(): Promise<void> {
    this.working ??= this.sendDue()
      .catch(this.parts.onError)
      .finally(() => (this.working = null))
    return this.working
  }

  private async sendDue(): Promise<void> {
    const { database, sealed } = this.parts
    while (!this.closing) {
      const now = new Date().toISOString()
      // Only one process gets it, and another one if this one ends before the attempt does.
      const [row] = await database.rows(
        `UPDATE approval_notices SET next_at = ?, attempts = attempts + 1 WHERE id = (
          SELECT id FROM approval_notices WHERE state = 'waiting' AND next_at <= ? ORDER BY at LIMIT 1
        ) AND state = 'waiting' AND next_at <= ? RETURNING id, attempts, sealed`,
        [new Date(Date.now() + lease).toISOString(), now, now],
      )
      if (!row) return
      const { id, attempts, sealed: text } = due.parse(row)
      const { receiver, body } = stored.parse(openText(sealed, contextOf(id), text))
      await this.settle(id, attempts, await this.attempt(receiver, body, id))
    }
  }

  private async settle(id: string, attempts: number, { state, message }: Attempt): Promise<void> {
    const delay = this.parts.retries[attempts - 1]
    const isOver = state !== 'retry' || delay === undefined
    const ended = state === 'sent' ? 'sent' : 'failed'
    await this.parts.database.write({
      sql: 'UPDATE approval_notices SET state = ?, problem = ?, next_at = ? WHERE id = ?',
      args: [
        isOver ? ended : 'waiting',
        state === 'sent' ? null : message,
        new Date(Date.now() + (delay ?? 0)).toISOString(),
        id,
      ],
    })
  }

  /** The message names no address: the URL is a secret. */
  private async attempt({ url, allowPrivate }: Receiver, body: string, key: string): Promise<Attempt> {
    try {
      const response = await send(url, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json', 'idempotency-key': key, 'user-agent': 'stack-console' },
        dispatcher: this.parts.egress.agent(allowPrivate),
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
