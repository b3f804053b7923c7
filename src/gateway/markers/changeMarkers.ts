/** Changes of the history as markers. */
import { z } from 'zod'
import { markerKinds, type MarkerKind } from '#contract/console/markerKinds.ts'
import type { Marker } from '#contract/console/markers.ts'
import type { Database } from '../database/database.ts'
import type { ChangeStore } from '../history/changeStore.ts'

/** Which changes a reader may know. */
export interface MarkedPlace {
  deployment: string
  /** Only changes of data pipes that were made or seen through these connections; all of the deployment without it. */
  pipesThrough?: readonly string[] | undefined
}

export interface MarkedRange {
  /** ISO 8601. */
  from: string
  to: string
  kinds: readonly MarkerKind[]
  /** Markers at most, the newest. */
  limit: number
}

/** The kind of the marker of a change, in SQL. */
const kindOfChange = `CASE
  WHEN run IS NOT NULL AND cause IN ('promotion', 'restore', 'undo', 'fileImport') THEN 'promotion'
  WHEN cause = 'outside' THEN 'outside'
  WHEN kind = 'alerts' AND path LIKE '%/silenced' THEN 'silence'
  WHEN path LIKE '%/scaling' OR path LIKE '%/replicaScaling' THEN 'scaling'
  WHEN kind = 'alerts' THEN 'alert'
  WHEN kind = 'dashboards' THEN 'dashboard'
  ELSE 'record' END`

const kind = z.enum(markerKinds)
const number = z.coerce.number()
const foundRow = z.object({ marker_kind: kind, seq: number, at: z.string(), changes: number })
const countRow = z.object({ marker_kind: kind, markers: number })

export class ChangeMarkers {
  readonly #database: Database
  readonly #changes: ChangeStore

  constructor(database: Database, changes: ChangeStore) {
    this.#database = database
    this.#changes = changes
  }

  /** The newest markers, without those of damaged changes. A run is one marker, at the time of its first change. */
  async list(place: MarkedPlace, { from, to, kinds, limit }: MarkedRange): Promise<Marker[]> {
    if (kinds.length === 0 || limit <= 0) return []
    const { sql, args } = marked(place, from, to)
    const rows = await this.#database.rows(
      `SELECT marker_kind, seq, at, changes FROM (${sql}) AS marked
        WHERE marker_kind IN (${kinds.map(() => '?').join(', ')}) ORDER BY seq DESC LIMIT ?`,
      [...args, ...kinds, limit],
    )
    const found = rows.map((row) => foundRow.parse(row))
    const changes = new Map(
      (await this.#changes.several(found.map(({ seq }) => seq))).map((change) => [change.id, change]),
    )
    return found.flatMap(({ marker_kind, seq, at, changes: count }): Marker[] => {
      const change = changes.get(seq)
      if (!change) return []
      const { id, kind: recordKind, recordId, name, cause, actor, fields, run, request } = change
      const action = marker_kind === 'silence' && request?.method === 'DELETE' ? 'deleted' : change.action
      return [
        {
          id: `change-${id}`,
          kind: marker_kind,
          at,
          name,
          ...(actor !== undefined && { actor }),
          change: {
            id,
            kind: recordKind,
            recordId,
            action,
            cause,
            ...(fields !== undefined && { fields }),
            ...(run !== undefined && { run }),
            count,
          },
        },
      ]
    })
  }

  /** How many markers there are of each kind. */
  async counts(place: MarkedPlace, from: string, to: string): Promise<Partial<Record<MarkerKind, number>>> {
    const { sql, args } = marked(place, from, to)
    const rows = await this.#database.rows(
      `SELECT marker_kind, count(*) AS markers FROM (${sql}) AS marked GROUP BY marker_kind`,
      args,
    )
    return Object.fromEntries(
      rows.map((row) => {
        const { marker_kind, markers } = countRow.parse(row)
        return [marker_kind, markers]
      }),
    )
  }
}

/** One row for each marker of a range. Changes that were refused, or are still under way, changed nothing yet. */
function marked({ deployment, pipesThrough }: MarkedPlace, from: string, to: string) {
  const ids = pipesThrough ?? []
  // A list without entries is no SQL.
  const through = ids.length === 0 ? '1 = 0' : `connection_id IN (${ids.map(() => '?').join(', ')})`
  const only = pipesThrough ? `AND (kind = 'pipes' OR kind LIKE 'pipes/%') AND ${through}` : ''
  return {
    sql: `SELECT marker_kind, max(seq) AS seq, min(at) AS at, count(*) AS changes FROM
        (SELECT seq, at, run, ${kindOfChange} AS marker_kind FROM changes
          WHERE deployment = ? AND at >= ? AND at < ? AND outcome NOT IN ('refused', 'pending') ${only}) AS found
      GROUP BY marker_kind, CASE WHEN marker_kind = 'promotion' THEN run ELSE CAST(seq AS TEXT) END`,
    args: [deployment, from, to, ...ids],
  }
}
