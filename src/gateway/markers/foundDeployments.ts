/**
 * Deployments that nobody reported: the first row of a version that a service did not have before. What was found is kept, so
 * that a range is looked at once. Nothing is looked at unless a page asks.
 */
import { z } from 'zod'
import { charts } from '#contract/stack/charts.ts'
import type { Marker } from '#contract/console/markers.ts'
import { currentTime } from '#node/clock/wallClock.ts'
import type { Deployments } from '#node/upstream/deployments.ts'
import type { UpstreamTarget } from '#node/upstream/upstreamTarget.ts'
import type { Database, Statement } from '../database/database.ts'
import { locationOf } from '#contract/console/deployments.ts'
import { findVersions, maxVersions, type FoundVersion } from './versionSearch.ts'

const minute = 60_000
const day = 1_440 * minute
/** How far back deployments are looked for, and before a range for what is not new in it. */
const [furthest, before] = [8 * day, day]
/** Rows arrive late: the end of the last range is looked at again. */
const late = 10 * minute
/** Between two looks, and after one that failed. */
const [pause, pauseAfterFailure] = [minute, 5 * minute]
/** Queries that find the minute of what was found in longer buckets. */
const maxRefined = 3
/** A page does not wait longer, milliseconds: what is found later is in the next answer. */
const maxWait = 2_000

/** Versions that are kept of a deployment. When there are more, all of the range is looked at again, and others are forgotten. */
const maxKept = 10_000

const versionRow = z.object({ service: z.string(), version: z.string(), first_at: z.string() })

interface UnseenRange {
  from: number
  to: number
  /** It has all that was looked at before. */
  isWhole: boolean
}

type Place = readonly [connectionId: string, deployment: string]

export class FoundDeployments {
  private readonly looking = new Map<string, Promise<void>>()
  private readonly notBefore = new Map<string, number>()

  constructor(
    private readonly database: Database,
    private readonly deployments: Deployments,
  ) {}

  /**
   * The newest of a range. Looks first at what was not looked at, for a short while.
   * @returns also whether that goes on
   */
  async list(
    target: UpstreamTarget,
    from: string,
    to: string,
    limit: number,
  ): Promise<{ items: Marker[]; isLooking: boolean }> {
    await this.lookWithin(target, Date.parse(from), Date.parse(to))
    const rows = await this.database.rows(
      `SELECT service, version, first_at FROM found_versions
        WHERE connection_id = ? AND deployment = ? AND is_new = 1 AND first_at >= ? AND first_at < ?
          AND service NOT IN (SELECT service FROM found_versions WHERE connection_id = ? AND deployment = ?
            GROUP BY service HAVING count(*) > ?)
        ORDER BY first_at DESC, service, version LIMIT ?`,
      [...placeIn(target), from, to, ...placeIn(target), maxVersions, limit],
    )
    const items = rows.map((row): Marker => {
      const { service, version, first_at: at } = versionRow.parse(row)
      const id = `found-${service} ${version}`
      return { id, kind: 'deployment', at, name: `${service} ${version}`, release: { service, version, isFound: true } }
    })
    return { items, isLooking: this.looking.has(placeIn(target).join(' ')) }
  }

  /** Forgets what was found on a connection, which was removed. */
  async removeOf(connectionId: string): Promise<void> {
    await this.database.write(
      { sql: 'DELETE FROM found_versions WHERE connection_id = ?', args: [connectionId] },
      { sql: 'DELETE FROM version_searches WHERE connection_id = ?', args: [connectionId] },
    )
  }

  private async lookWithin(target: UpstreamTarget, from: number, to: number): Promise<void> {
    if (!charts.query.variants.includes(target.variant)) return
    let timer: NodeJS.Timeout | undefined
    const waited = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, maxWait)
    })
    await Promise.race([this.lookInTurn(target, from, to), waited])
    clearTimeout(timer)
  }

  /** Looks at a range once the looks under way have ended: they may be of narrower ranges. */
  private async lookInTurn(target: UpstreamTarget, from: number, to: number): Promise<void> {
    const key = placeIn(target).join(' ')
    while (this.looking.has(key)) await this.looking.get(key)
    if (performance.now() < (this.notBefore.get(key) ?? 0)) return
    const looking = this.look(target, from, to)
      .then(
        () => {},
        () => this.notBefore.set(key, performance.now() + pauseAfterFailure),
      )
      .then(() => void this.looking.delete(key))
    this.looking.set(key, looking)
    await looking
  }

  private async look(target: UpstreamTarget, from: number, to: number): Promise<void> {
    const place = placeIn(target)
    const range = await this.unseen(place, from, to)
    if (!range) return
    const result = await findVersions(this.deployments, target, range)
    const kept = await this.known(place)
    // A range that begins earlier shows what was there before: what is new is decided again.
    const known: typeof kept = range.isWhole ? new Map() : kept
    const found = result?.found ?? []
    const added = found.filter(({ service, version }) => {
      const versions = known.get(service)
      return !versions?.has(version) && (versions?.size ?? 0) <= maxVersions
    })
    // The first version of a service that was ever seen is not known to be new.
    const first = new Map<string, number>()
    for (const { service, at } of found) if (!known.has(service) && !first.has(service)) first.set(service, at)
    const isNew = ({ service, at }: FoundVersion) => (first.get(service) ?? -Infinity) < at
    const bucketMs = result?.bucketMs ?? minute
    const timeOf = await this.exactTimes(target, added.filter(isNew), { bucketMs, kept })
    const [connectionId, deployment] = place
    await this.database.write(
      ...(range.isWhole
        ? [
            {
              sql: 'DELETE FROM found_versions WHERE connection_id = ? AND deployment = ?',
              args: [connectionId, deployment],
            },
          ]
        : []),
      ...added.map((one) => this.stored(place, { ...one, at: timeOf.get(one) ?? one.at }, isNew(one))),
      this.noted(place, range),
    )
  }

  /** The part of a range that was not looked at, with what is compared with it. */
  private async unseen(place: Place, from: number, to: number): Promise<UnseenRange | undefined> {
    const now = currentTime()
    const [first, last] = [Math.max(from, now - furthest), Math.min(to, now)]
    if (last <= first) return undefined
    const [row] = await this.database.rows(
      `SELECT from_at, to_at,
          (SELECT count(*) FROM found_versions AS kept
            WHERE kept.connection_id = searched.connection_id AND kept.deployment = searched.deployment) AS kept
        FROM version_searches AS searched WHERE connection_id = ? AND deployment = ?`,
      [...place],
    )
    const seen = row && { from: Date.parse(String(row['from_at'])), to: Date.parse(String(row['to_at'])) }
    if (!seen || first < seen.from) return { from: first - before, to: Math.max(last, seen?.to ?? 0), isWhole: true }
    if (last <= seen.to + pause) return undefined
    if (Number(row?.['kept']) > maxKept) return { from: first - before, to: last, isWhole: true }
    return { from: Math.max(seen.to - late, now - furthest - before), to: last, isWhole: false }
  }

  /** When versions were first seen, epoch milliseconds, by service. */
  private async known([connectionId, deployment]: Place): Promise<Map<string, Map<string, number>>> {
    const rows = await this.database.rows(
      'SELECT service, version, first_at FROM found_versions WHERE connection_id = ? AND deployment = ?',
      [connectionId, deployment],
    )
    const known = new Map<string, Map<string, number>>()
    for (const row of rows) {
      const { service, version, first_at } = versionRow.parse(row)
      known.set(service, (known.get(service) ?? new Map<string, number>()).set(version, Date.parse(first_at)))
    }
    return known
  }

  /** The minute of versions that were found in longer buckets, the newest first; those that are known need no query. */
  private async exactTimes(
    target: UpstreamTarget,
    found: readonly FoundVersion[],
    { bucketMs, kept }: { bucketMs: number; kept: ReadonlyMap<string, ReadonlyMap<string, number>> },
  ): Promise<Map<FoundVersion, number>> {
    const exact = new Map<FoundVersion, number>()
    if (bucketMs <= minute) return exact
    for (const one of found) {
      const at = kept.get(one.service)?.get(one.version)
      if (at !== undefined && at >= one.at && at < one.at + bucketMs) exact.set(one, at)
    }
    const open = found.filter((one) => !exact.has(one))
    const starts = [...new Set(open.map(({ at }) => at))].toSorted((a, b) => b - a).slice(0, maxRefined)
    for (const start of starts) {
      const within = await findVersions(this.deployments, target, { from: start, to: start + bucketMs })
      for (const one of open) {
        const same = within?.found.find(({ service, version }) => service === one.service && version === one.version)
        if (one.at === start && same) exact.set(one, same.at)
      }
    }
    return exact
  }

  private stored([connectionId, deployment]: Place, { service, version, at }: FoundVersion, isNew: boolean): Statement {
    return {
      sql: `INSERT INTO found_versions (connection_id, deployment, service, version, first_at, is_new)
        VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
      args: [connectionId, deployment, service, version, new Date(at).toISOString(), isNew ? 1 : 0],
    }
  }

  private noted([connectionId, deployment]: Place, { from, to }: { from: number; to: number }): Statement {
    const times = [new Date(from).toISOString(), new Date(to).toISOString()]
    return {
      sql: `INSERT INTO version_searches (connection_id, deployment, from_at, to_at) VALUES (?, ?, ?, ?)
        ON CONFLICT (connection_id, deployment) DO UPDATE SET
          from_at = CASE WHEN excluded.from_at < version_searches.from_at THEN excluded.from_at ELSE version_searches.from_at END,
          to_at = excluded.to_at`,
      args: [connectionId, deployment, ...times],
    }
  }
}

const placeIn = (target: UpstreamTarget): Place => [target.connectionId, locationOf(target).deployment]
