/** Which connections need approval, who is told, and the times of break-glass. */
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { breakGlassMinutes } from '#contract/changeRequestPaths.ts'
import type { Database, Row } from '../database/database.ts'
import type { SealedJson } from '../database/sealedJson.ts'
import { openText, sealText } from './sealedText.ts'

/** Where notifications go. */
export interface Receiver {
  url: string
  allowPrivate: boolean
}

export interface StoredApproval {
  fourEyes: boolean
  receiver: Receiver | null
}

/** A time in which one person changes a connection without approval. */
export interface BreakGlass {
  id: string
  connectionId: string
  /** Null for who signed in with the link or password of the console. */
  personId: string | null
  actor: string
  reason: string
  startedAt: string
  endsAt: string
}

const settingsRow = z.object({
  connection_id: z.string(),
  four_eyes: z.coerce.number(),
  notification: z.string().nullable(),
})
const receiver = z.object({ url: z.string(), allowPrivate: z.boolean() })
const breakGlassRow = z.object({
  id: z.string(),
  connection_id: z.string(),
  person_id: z.string().nullable(),
  actor: z.string(),
  reason: z.string(),
  started_at: z.string(),
  ends_at: z.string(),
})

export class ApprovalStore {
  constructor(
    private readonly database: Database,
    private readonly sealed: SealedJson,
    private readonly now: () => number = Date.now,
  ) {}

  async settings(connectionId: string): Promise<StoredApproval> {
    const [row] = await this.database.rows('SELECT * FROM approval_settings WHERE connection_id = ?', [connectionId])
    if (!row) return { fourEyes: false, receiver: null }
    const { four_eyes, notification } = settingsRow.parse(row)
    return {
      fourEyes: four_eyes === 1,
      receiver:
        notification === null ? null : receiver.parse(openText(this.sealed, contextOf(connectionId), notification)),
    }
  }

  async setSettings(connectionId: string, { fourEyes, receiver: to }: StoredApproval): Promise<void> {
    const sealed = to && sealText(this.sealed, contextOf(connectionId), to)
    await this.database.write({
      sql: `INSERT INTO approval_settings (connection_id, four_eyes, notification) VALUES (?, ?, ?)
        ON CONFLICT (connection_id) DO UPDATE SET four_eyes = excluded.four_eyes, notification = excluded.notification`,
      args: [connectionId, fourEyes ? 1 : 0, sealed],
    })
  }

  /** IDs of the connections with four eyes. */
  async protectedIds(): Promise<ReadonlySet<string>> {
    const rows = await this.database.rows('SELECT connection_id FROM approval_settings WHERE four_eyes = 1')
    return new Set(rows.map(({ connection_id }) => String(connection_id)))
  }

  /** The break-glass that is under way on each connection. */
  async breakGlasses(): Promise<ReadonlyMap<string, BreakGlass>> {
    const rows = await this.database.rows(
      'SELECT * FROM break_glass WHERE ended_at IS NULL AND ends_at > ? ORDER BY started_at',
      [this.iso()],
    )
    return new Map(rows.map(breakGlassOf).map((one) => [one.connectionId, one]))
  }

  /** @returns undefined if one is under way on the connection already */
  async startBreakGlass(
    given: Pick<BreakGlass, 'connectionId' | 'personId' | 'actor' | 'reason'>,
  ): Promise<BreakGlass | undefined> {
    const started = this.now()
    const one: BreakGlass = {
      ...given,
      id: randomBytes(9).toString('hex'),
      startedAt: new Date(started).toISOString(),
      endsAt: new Date(started + breakGlassMinutes * 60_000).toISOString(),
    }
    const rows = await this.database.rows(
      `INSERT INTO break_glass (id, connection_id, person_id, actor, reason, started_at, ends_at)
        SELECT ?, ?, ?, ?, ?, ?, ? WHERE NOT EXISTS (
          SELECT 1 FROM break_glass WHERE connection_id = ? AND ended_at IS NULL AND ends_at > ?
        ) RETURNING id`,
      [
        one.id,
        one.connectionId,
        one.personId,
        one.actor,
        one.reason,
        one.startedAt,
        one.endsAt,
        one.connectionId,
        one.startedAt,
      ],
    )
    return rows.length > 0 ? one : undefined
  }

  /** @returns whether it was under way */
  async endBreakGlass(id: string): Promise<boolean> {
    const sql = 'UPDATE break_glass SET ended_at = ? WHERE id = ? AND ended_at IS NULL RETURNING id'
    return (await this.database.rows(sql, [this.iso(), id])).length > 0
  }

  /** Those whose time is over, each returned once. */
  async takeOver(): Promise<BreakGlass[]> {
    const sql = 'UPDATE break_glass SET ended_at = ends_at WHERE ended_at IS NULL AND ends_at <= ? RETURNING *'
    return (await this.database.rows(sql, [this.iso()])).map(breakGlassOf)
  }

  private iso(): string {
    return new Date(this.now()).toISOString()
  }
}

function contextOf(connectionId: string): string {
  return `approval ${connectionId}`
}

function breakGlassOf(row: Row): BreakGlass {
  const { connection_id, person_id, started_at, ends_at, ...rest } = breakGlassRow.parse(row)
  return { ...rest, connectionId: connection_id, personId: person_id, startedAt: started_at, endsAt: ends_at }
}
