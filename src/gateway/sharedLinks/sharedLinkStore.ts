/** Shared links. Of their tokens only hashes are stored; what they show is sealed, because it has queries and telemetry. */
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { stringifyJson } from '#contract/wire/json.ts'
import { sharedContent, type SharedContent, type SharedRange } from '#contract/console/sharedLinks.ts'
import { currentTime, wallClock } from '#node/clock/wallClock.ts'
import { failure } from '#node/upstream/apiFailure.ts'
import type { Database, Row } from '../database/database.ts'
import type { SealedJson } from '../database/sealedJson.ts'
import { StoredRows } from '../database/storedRows.ts'
import { hashOfSecret, randomSecret } from '../identity/people/secrets.ts'

/** The prefix by which tokens of links are recognized, also by scanners for secrets. */
const prefix = 'scl_'
const day = 86_400_000
/** Valid links of a connection. */
const maxLinks = 200
/** Milliseconds for which an ended link is known, so that its page says that it has ended. */
const remembered = 30 * day

const range = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('moving'), length: z.number() }),
  z.object({ kind: z.literal('fixed'), from: z.number(), to: z.number() }),
])
const row = z.object({
  id: z.string(),
  connection_id: z.string(),
  deployment: z.string(),
  created_by: z.string().nullable(),
  creator: z.string(),
  name: z.string(),
  dashboard_id: z.string().nullable(),
  shown_range: z.string().transform((text) => range.parse(JSON.parse(text))),
  is_snapshot: z.coerce.number(),
  created_at: z.string(),
  expires_at: z.string(),
  revoked_at: z.string().nullable(),
  views: z.coerce.number(),
  viewed_at: z.string().nullable(),
})
const columns = Object.keys(row.shape).join(', ')

export interface StoredLink {
  id: string
  connectionId: string
  /** The deployment that the connection led to. */
  deployment: string
  /** The principal that created it. */
  by: string | null
  creator: string
  name: string
  dashboardId: string | null
  range: SharedRange
  isSnapshot: boolean
  createdAt: string
  expiresAt: string
  revokedAt: string | null
  views: number
  viewedAt: string | null
}

type NewLink = Pick<
  StoredLink,
  'connectionId' | 'deployment' | 'by' | 'creator' | 'name' | 'dashboardId' | 'range' | 'isSnapshot'
> & { days: number; content: SharedContent; result: string | null }

export class SharedLinkStore {
  readonly #stored: StoredRows
  readonly #database: Database
  readonly #sealed: SealedJson
  readonly #now: () => number

  constructor(database: Database, sealed: SealedJson, now: () => number = currentTime) {
    this.#database = database
    this.#sealed = sealed
    this.#now = now
    this.#stored = new StoredRows(database, 'shared_links')
  }

  /** @returns the link, and its token, which is not stored. @throws blocked for too many */
  async create(link: NewLink): Promise<{ link: StoredLink; token: string }> {
    const token = prefix + randomSecret()
    const id = randomBytes(9).toString('hex')
    const { connectionId, deployment, by, creator, name, dashboardId, range: shown, isSnapshot, days } = link
    const content = this.#sealed.seal(contextOf(id), link.content)
    const result = link.result === null ? null : this.#sealed.sealText(contextOf(id), link.result)
    await this.#database.transact(async (transaction) => {
      const ended = this.#iso(-remembered - wallClock.deletionLag())
      await transaction.run('DELETE FROM shared_links WHERE expires_at <= ? OR revoked_at <= ?', [ended, ended])
      const [counted] = await transaction.rows(
        'SELECT count(*) AS n FROM shared_links WHERE connection_id = ? AND expires_at > ? AND revoked_at IS NULL',
        [connectionId, this.#iso(0)],
      )
      if (Number(counted?.['n']) >= maxLinks) {
        throw failure('blocked', `A connection has at most ${maxLinks} shared links. Revoke some first.`)
      }
      await transaction.run(
        `INSERT INTO shared_links (id, hash, connection_id, deployment, created_by, creator, name, dashboard_id, shown_range,
          is_snapshot, created_at, expires_at, views, content, result)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?)`,
        [
          id,
          hashOfSecret(token),
          connectionId,
          deployment,
          by,
          creator,
          name,
          dashboardId,
          stringifyJson(shown),
          isSnapshot ? 1 : 0,
          this.#iso(0),
          this.#iso(days * day),
          content,
          result,
        ],
      )
    })
    const created = await this.find(connectionId, id)
    if (!created) throw failure('failed', 'The link was not stored.')
    return { link: created, token }
  }

  /** The links of a connection that have not ended, newest first. */
  async of(connectionId: string): Promise<StoredLink[]> {
    const rows = await this.#database.rows(
      `SELECT ${columns} FROM shared_links WHERE connection_id = ? AND expires_at > ? AND revoked_at IS NULL
        ORDER BY created_at DESC, id`,
      [connectionId, this.#iso(0)],
    )
    return this.#stored.each(rows, linkOf)
  }

  /** The link with a token, also one that has ended. */
  async byToken(token: string): Promise<StoredLink | undefined> {
    const [found] = await this.#database.rows(`SELECT ${columns} FROM shared_links WHERE hash = ?`, [
      hashOfSecret(token),
    ])
    return this.#stored.ifReadable(found, linkOf)
  }

  async find(connectionId: string, id: string): Promise<StoredLink | undefined> {
    const [found] = await this.#database.rows(
      `SELECT ${columns} FROM shared_links WHERE connection_id = ? AND id = ?`,
      [connectionId, id],
    )
    return this.#stored.ifReadable(found, linkOf)
  }

  /** Whether it has ended by itself. */
  isExpired({ expiresAt }: StoredLink): boolean {
    return expiresAt <= this.#iso(0)
  }

  /** Deletes its content. That it was there is remembered for a while. */
  async revoke(id: string): Promise<void> {
    await this.#database.write({
      sql: 'UPDATE shared_links SET revoked_at = ?, content = NULL, result = NULL WHERE id = ? AND revoked_at IS NULL',
      args: [this.#iso(0), id],
    })
  }

  /** Deletes all links of a connection, which was removed, with what they show. */
  async removeOf(connectionId: string): Promise<void> {
    await this.#database.write({ sql: 'DELETE FROM shared_links WHERE connection_id = ?', args: [connectionId] })
  }

  /** Undefined once it was revoked. */
  async contentOf(id: string): Promise<SharedContent | undefined> {
    const bytes = await this.#bytes(id, 'content')
    return bytes && this.#stored.one({ id }, () => sharedContent.parse(this.#sealed.open(contextOf(id), bytes)))
  }

  /** The stored view of a snapshot, JSON. */
  async resultOf(id: string): Promise<string | undefined> {
    const bytes = await this.#bytes(id, 'result')
    return bytes && this.#stored.one({ id }, () => this.#sealed.openText(contextOf(id), bytes))
  }

  /** Counts an opening of its page. @returns how many there were, with this one */
  async noteView(id: string): Promise<number> {
    const [counted] = await this.#database.rows(
      'UPDATE shared_links SET views = views + 1, viewed_at = ? WHERE id = ? RETURNING views',
      [this.#iso(0), id],
    )
    return Number(counted?.['views'] ?? 0)
  }

  async #bytes(id: string, column: 'content' | 'result'): Promise<Uint8Array | undefined> {
    const [found] = await this.#database.rows(`SELECT ${column} AS bytes FROM shared_links WHERE id = ?`, [id])
    return found?.['bytes'] instanceof ArrayBuffer ? new Uint8Array(found['bytes']) : undefined
  }

  #iso(offset: number): string {
    return new Date(this.#now() + offset).toISOString()
  }
}

const contextOf = (id: string) => `shared link ${id}`

function linkOf(found: Row): StoredLink {
  const link = row.parse(found)
  return {
    id: link.id,
    connectionId: link.connection_id,
    deployment: link.deployment,
    by: link.created_by,
    creator: link.creator,
    name: link.name,
    dashboardId: link.dashboard_id,
    range: link.shown_range,
    isSnapshot: link.is_snapshot !== 0,
    createdAt: link.created_at,
    expiresAt: link.expires_at,
    revokedAt: link.revoked_at,
    views: link.views,
    viewedAt: link.viewed_at,
  }
}
