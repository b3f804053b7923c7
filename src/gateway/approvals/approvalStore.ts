/** Stores which connections need approval, who is notified, and the times of break-glass. */
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { proposingTools, type ProposingTool } from '#contract/console/agents.ts'
import { breakGlassMinutes } from '#contract/console/changeRequestPaths.ts'
import { currentTime } from '#node/clock/wallClock.ts'
import type { Statements } from '#node/database/statements.ts'
import type { Database, Row } from '../database/database.ts'
import type { OwnWrites } from '../cluster/ownWrites.ts'
import { type SealedJson, openText, sealText } from '../database/sealedJson.ts'
import { StoredRows } from '../database/storedRows.ts'

/** Where notifications go. */
export interface Receiver {
  url: string
  allowPrivate: boolean
}

export interface StoredApproval {
  twoPersonApproval: boolean
  receiver: Receiver | null
  /** Tools by which agents may change it without approval. */
  agentTools: readonly ProposingTool[]
}

/** A time in which one person changes a connection without approval. */
export interface BreakGlass {
  id: string
  connectionId: string
  /** Null for a session that began with the link or password of the console. */
  personId: string | null
  actor: string
  reason: string
  startedAt: string
  endsAt: string
}

const settingsRow = z.object({
  connection_id: z.string(),
  two_person_approval: z.coerce.number(),
  notification: z.string().nullable(),
  agent_tools: z.string().nullable(),
})
/** Leaves out tools that this version does not have. */
const toolNames = z.array(z.string()).transform((names) => proposingTools.filter((tool) => names.includes(tool)))
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

/** Data stored together with a change, such as its notification. */
type Also = (transaction: Statements) => Promise<void>

export class ApprovalStore {
  readonly #database: Database
  readonly #settingRows: StoredRows
  readonly #breakGlassRows: StoredRows
  readonly #own: OwnWrites
  readonly #sealed: SealedJson
  readonly #now: () => number

  constructor(own: OwnWrites, sealed: SealedJson, now: () => number = currentTime) {
    this.#own = own
    this.#sealed = sealed
    this.#now = now
    this.#database = own.database
    this.#settingRows = new StoredRows(own, 'approval_settings')
    this.#breakGlassRows = new StoredRows(own, 'break_glass')
  }

  /** The settings of a connection. If they are damaged, changes need approval, and no notification is sent. */
  async settings(connectionId: string, { rows }: Pick<Statements, 'rows'> = this.#database): Promise<StoredApproval> {
    const [row] = await rows('SELECT * FROM approval_settings WHERE connection_id = ?', [connectionId])
    if (!row) return { twoPersonApproval: false, receiver: null, agentTools: [] }
    const read = this.#settingRows.ifReadable(row, (stored): StoredApproval => {
      const { two_person_approval, notification, agent_tools } = settingsRow.parse(stored)
      const opened = notification === null ? null : openText(this.#sealed, contextOf(connectionId), notification)
      const agentTools = toolNames.parse(JSON.parse(agent_tools ?? '[]'))
      return { twoPersonApproval: two_person_approval !== 0, receiver: receiver.nullable().parse(opened), agentTools }
    })
    return read ?? { twoPersonApproval: row['two_person_approval'] !== 0, receiver: null, agentTools: [] }
  }

  /** Stores settings in the transaction of the change that they result from. */
  async setSettings(
    connectionId: string,
    { twoPersonApproval, receiver: to, agentTools }: StoredApproval,
    { run }: Statements,
  ): Promise<void> {
    const sealed = to && sealText(this.#sealed, contextOf(connectionId), to)
    await run(
      `INSERT INTO approval_settings (connection_id, two_person_approval, notification, agent_tools) VALUES (?, ?, ?, ?)
        ON CONFLICT (connection_id) DO UPDATE SET two_person_approval = excluded.two_person_approval, notification = excluded.notification,
          agent_tools = excluded.agent_tools`,
      [connectionId, twoPersonApproval ? 1 : 0, sealed, JSON.stringify(agentTools)],
    )
  }

  /** Stores settings that a person entered, with what belongs to them. */
  async enterSettings(connectionId: string, settings: StoredApproval, also: Also): Promise<void> {
    await this.#own.transact(async (transaction) => {
      await this.setSettings(connectionId, settings, transaction)
      await also(transaction)
    })
  }

  /** IDs of the connections with two-person approval. */
  async protectedIds(): Promise<ReadonlySet<string>> {
    const rows = await this.#database.rows('SELECT connection_id FROM approval_settings WHERE two_person_approval <> 0')
    return new Set(rows.map(({ connection_id }) => String(connection_id)))
  }

  /** The current break-glass of each connection. A damaged one allows nothing. */
  async breakGlasses(): Promise<ReadonlyMap<string, BreakGlass>> {
    const rows = await this.#database.rows(
      'SELECT * FROM break_glass WHERE ended_at IS NULL AND ends_at > ? ORDER BY started_at',
      [this.#iso()],
    )
    return new Map(this.#breakGlassRows.each(rows, breakGlassOf).map((row) => [row.connectionId, row]))
  }

  /** Starts a break-glass. @returns undefined if the connection has one already */
  async startBreakGlass(
    fields: Pick<BreakGlass, 'connectionId' | 'personId' | 'actor' | 'reason'>,
    also: Also,
  ): Promise<BreakGlass | undefined> {
    const started = this.#now()
    const breakGlass: BreakGlass = {
      ...fields,
      id: randomBytes(9).toString('hex'),
      startedAt: new Date(started).toISOString(),
      endsAt: new Date(started + breakGlassMinutes * 60_000).toISOString(),
    }
    const insertion = [
      `INSERT INTO break_glass (id, connection_id, person_id, actor, reason, started_at, ends_at)
        SELECT ?, ?, ?, ?, ?, ?, ? WHERE NOT EXISTS (
          SELECT 1 FROM break_glass WHERE connection_id = ? AND ended_at IS NULL AND ends_at > ?
        ) RETURNING id`,
      [
        breakGlass.id,
        breakGlass.connectionId,
        breakGlass.personId,
        breakGlass.actor,
        breakGlass.reason,
        breakGlass.startedAt,
        breakGlass.endsAt,
        breakGlass.connectionId,
        breakGlass.startedAt,
      ],
    ] as const
    return this.#own.transact(async (transaction) => {
      if ((await transaction.rows(...insertion)).length === 0) return undefined
      await also(transaction)
      return breakGlass
    })
  }

  /** Ends a break-glass. Does nothing if it has ended already. */
  async endBreakGlass(id: string, also: Also): Promise<void> {
    const sql = 'UPDATE break_glass SET ended_at = ? WHERE id = ? AND ended_at IS NULL'
    await this.#own.transact(async (transaction) => {
      if ((await transaction.run(sql, [this.#iso(), id])) > 0) await also(transaction)
    })
  }

  /** Ends every break-glass whose time is over. Only one console succeeds for each. */
  async endOver(also: (breakGlass: BreakGlass, transaction: Statements) => Promise<void>): Promise<void> {
    const isOver = 'ended_at IS NULL AND ends_at <= ?'
    const at = this.#iso()
    if ((await this.#database.rows(`SELECT 1 FROM break_glass WHERE ${isOver} LIMIT 1`, [at])).length === 0) return
    await this.#own.transact(async (transaction) => {
      const sql = `UPDATE break_glass SET ended_at = ends_at WHERE ${isOver} RETURNING *`
      const over = this.#breakGlassRows.each(await transaction.rows(sql, [at]), breakGlassOf)
      for (const breakGlass of over) await also(breakGlass, transaction)
    })
  }

  #iso(): string {
    return new Date(this.#now()).toISOString()
  }
}

function contextOf(connectionId: string): string {
  return `approval ${connectionId}`
}

function breakGlassOf(row: Row): BreakGlass {
  const { connection_id, person_id, started_at, ends_at, ...rest } = breakGlassRow.parse(row)
  return { ...rest, connectionId: connection_id, personId: person_id, startedAt: started_at, endsAt: ends_at }
}
