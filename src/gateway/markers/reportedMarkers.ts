/** Deployments that release pipelines reported. Their texts come from outside: they are stored and shown as they are. */
import { z } from 'zod'
import type { Marker, MarkerInput, StoredMarker } from '#contract/console/markers.ts'
import { currentIsoTime, currentTime } from '#node/clock/wallClock.ts'
import { failure } from '#node/upstream/apiFailure.ts'
import type { Database, Row } from '../database/database.ts'

/** The most markers of a connection, in all and in one hour: more would hide all others. */
const markerLimits = { all: 5_000, hour: 200 } as const

const hour = 3_600_000
const columns = 'id, at, title, service, version, text, url, actor'
const optional = z
  .string()
  .nullable()
  .transform((value) => value ?? undefined)
const markerRow = z.object({
  id: z.string(),
  at: z.string(),
  title: z.string(),
  service: optional,
  version: optional,
  text: optional,
  url: optional,
  actor: z.string(),
})

export class ReportedMarkers {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /**
   * Stores a marker, unless it is there: the same report twice is one marker.
   * @throws conflict for an ID with other content, and rateLimited for too many
   */
  async add(
    connectionId: string,
    { at = currentIsoTime(), ...input }: MarkerInput,
    actor: string,
  ): Promise<StoredMarker> {
    const known = await this.#find(connectionId, input.id)
    if (known) return sameAs(known, input)
    const marker = { ...input, at: new Date(at).toISOString(), actor }
    const { id, title, service = null, version = null, text = null, url = null } = marker
    const inserted = await this.#database.transact(async (transaction) => {
      const since = new Date(currentTime() - hour).toISOString()
      const [counts] = await transaction.rows(
        `SELECT count(*) AS stored, count(CASE WHEN created_at >= ? THEN 1 END) AS lately
          FROM markers WHERE connection_id = ?`,
        [since, connectionId],
      )
      if (Number(counts?.['lately']) >= markerLimits.hour) {
        throw failure('rateLimited', `A connection takes at most ${markerLimits.hour} markers an hour.`, {
          retryAfter: hour / 1_000,
        })
      }
      if (Number(counts?.['stored']) >= markerLimits.all) {
        throw failure('blocked', `A connection has at most ${markerLimits.all} markers. Delete some first.`)
      }
      return transaction.rows(
        `INSERT INTO markers (connection_id, ${columns}, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
          ON CONFLICT DO NOTHING RETURNING id`,
        [connectionId, id, marker.at, title, service, version, text, url, actor, currentIsoTime()],
      )
    })
    if (inserted.length > 0) return marker
    // The same report was sent twice at once.
    const other = await this.#find(connectionId, id)
    return other ? sameAs(other, input) : marker
  }

  /** @throws notFound */
  async remove(connectionId: string, id: string): Promise<Record<string, never>> {
    const rows = await this.#database.rows('DELETE FROM markers WHERE connection_id = ? AND id = ? RETURNING id', [
      connectionId,
      id,
    ])
    if (rows.length === 0) throw failure('notFound', 'This connection has no marker with this ID.')
    return {}
  }

  /** Deletes all markers of a removed connection. */
  async removeOf(connectionId: string): Promise<void> {
    await this.#database.write({ sql: 'DELETE FROM markers WHERE connection_id = ?', args: [connectionId] })
  }

  /** The newest of a range. */
  async list(connectionId: string, from: string, to: string, limit: number): Promise<Marker[]> {
    const rows = await this.#database.rows(
      `SELECT ${columns} FROM markers WHERE connection_id = ? AND at >= ? AND at < ? ORDER BY at DESC, id LIMIT ?`,
      [connectionId, from, to, limit],
    )
    return rows.map((row): Marker => {
      const { id, at, title, actor, ...release } = storedOf(row)
      return { id: `report/${connectionId}/${id}`, kind: 'deployment', at, name: title, actor, release }
    })
  }

  async count(connectionId: string, from: string, to: string): Promise<number> {
    const [row] = await this.#database.rows(
      'SELECT count(*) AS markers FROM markers WHERE connection_id = ? AND at >= ? AND at < ?',
      [connectionId, from, to],
    )
    return Number(row?.['markers'])
  }

  async #find(connectionId: string, id: string): Promise<StoredMarker | undefined> {
    const [row] = await this.#database.rows(`SELECT ${columns} FROM markers WHERE connection_id = ? AND id = ?`, [
      connectionId,
      id,
    ])
    return row && storedOf(row)
  }
}

/** Leaves out absent fields. */
function storedOf(row: Row): StoredMarker {
  const { service, version, text, url, ...rest } = markerRow.parse(row)
  return {
    ...rest,
    ...(service !== undefined && { service }),
    ...(version !== undefined && { version }),
    ...(text !== undefined && { text }),
    ...(url !== undefined && { url }),
  }
}

/** Times are not compared: a report without a time gets that of its arrival. */
function sameAs(known: StoredMarker, input: Omit<MarkerInput, 'at'>): StoredMarker {
  const fields = ['title', 'service', 'version', 'text', 'url'] as const
  if (fields.every((field) => known[field] === input[field])) return known
  throw failure('conflict', 'There is another marker with this ID. Choose one ID for each deployment.')
}
