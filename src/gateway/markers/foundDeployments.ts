/**
 * Deployments that nobody reported: the first row of a version that a service did not have before. What was found is kept, so
 * that a range is looked at once. Nothing is looked at unless a page asks.
 */
import { charts } from '#contract/stack/charts.ts'
import type { Marker } from '#contract/console/markers.ts'
import { currentTime, wallClock } from '#node/clock/wallClock.ts'
import type { Deployments } from '#node/upstream/deployments.ts'
import type { UpstreamTarget } from '#node/upstream/upstreamTarget.ts'
import type { Database } from '../database/database.ts'
import { locationOf } from '#contract/console/deployments.ts'
import {
  forgetAll,
  forgetOlder,
  isoOf,
  knownVersions,
  noteLook,
  noteLaterSight,
  storeVersion,
  versionRow,
  type DeploymentKey,
} from './foundVersionRows.ts'
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
/** Versions of a service that are kept. They are more than those of a release, so that it does not become one while the oldest are forgotten. */
const maxKeptOfService = 2 * maxVersions

interface UnseenRange {
  from: number
  to: number
  /** It has all that was looked at before. */
  isWhole: boolean
}

export class FoundDeployments {
  readonly #looking = new Map<string, Promise<void>>()
  readonly #notBefore = new Map<string, number>()
  readonly #database: Database
  readonly #deployments: Deployments

  constructor(database: Database, deployments: Deployments) {
    this.#database = database
    this.#deployments = deployments
  }

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
    await this.#lookWithin(target, Date.parse(from), Date.parse(to))
    const key = deploymentKeyOf(target)
    const now = currentTime()
    const shownFrom = isoOf(Math.max(Date.parse(from), now - furthest))
    const rows = await this.#database.rows(
      `SELECT service, version, first_at FROM found_versions
        WHERE connection_id = ? AND deployment = ? AND is_new = 1 AND first_at >= ? AND first_at < ?
          AND service NOT IN (SELECT service FROM found_versions
            WHERE connection_id = ? AND deployment = ? AND first_at >= ? GROUP BY service HAVING count(*) > ?)
        ORDER BY first_at DESC, service, version LIMIT ?`,
      [...key, shownFrom, to, ...key, isoOf(now - furthest - before), maxVersions, limit],
    )
    const items = rows.map((row): Marker => {
      const { service, version, first_at: at } = versionRow.parse(row)
      const id = `found/${[target.connectionId, service, version].map(encodeURIComponent).join('/')}`
      return { id, kind: 'deployment', at, name: `${service} ${version}`, release: { service, version, isFound: true } }
    })
    return { items, isLooking: this.#looking.has(key.join(' ')) }
  }

  /** Forgets what was found on a connection, which was removed. */
  async removeOf(connectionId: string): Promise<void> {
    await this.#database.write(
      { sql: 'DELETE FROM found_versions WHERE connection_id = ?', args: [connectionId] },
      { sql: 'DELETE FROM version_searches WHERE connection_id = ?', args: [connectionId] },
    )
  }

  async #lookWithin(target: UpstreamTarget, from: number, to: number): Promise<void> {
    if (!charts.query.variants.includes(target.variant)) return
    let timer: NodeJS.Timeout | undefined
    const waited = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, maxWait)
    })
    await Promise.race([this.#lookInTurn(target, from, to), waited])
    clearTimeout(timer)
  }

  /** Looks at a range once the looks under way have ended: they may be of narrower ranges. */
  async #lookInTurn(target: UpstreamTarget, from: number, to: number): Promise<void> {
    const key = deploymentKeyOf(target).join(' ')
    while (this.#looking.has(key)) await this.#looking.get(key)
    if (performance.now() < (this.#notBefore.get(key) ?? 0)) return
    const looking = this.#look(target, from, to)
      .then(
        () => {},
        () => this.#notBefore.set(key, performance.now() + pauseAfterFailure),
      )
      .then(() => void this.#looking.delete(key))
    this.#looking.set(key, looking)
    await looking
  }

  async #look(target: UpstreamTarget, from: number, to: number): Promise<void> {
    const key = deploymentKeyOf(target)
    const range = await this.#unseen(key, from, to)
    if (!range) return
    const result = await findVersions(this.#deployments, target, range)
    const kept = await knownVersions(this.#database, key)
    // A range that begins earlier shows what was there before: what is new is decided again.
    const known: typeof kept = range.isWhole ? new Map() : kept
    const found = result?.found ?? []
    const oldest = wallClock.deletionTime() - furthest - before
    const added = found.filter(({ service, version }) => {
      const versions = known.get(service) ?? new Map<string, number>()
      return !versions.has(version) && [...versions.values()].filter((at) => at >= oldest).length <= maxKeptOfService
    })
    // Too old to be shown. They count as seen when they were there last: if they were forgotten, they would be new once more.
    const isOld = (at: number | undefined) => at !== undefined && at < oldest + before
    const stillThere = found.filter(({ service, version }) => isOld(known.get(service)?.get(version)))
    // The first version of a service that was ever seen is not known to be new.
    const first = new Map<string, number>()
    for (const { service, at } of found) if (!known.has(service) && !first.has(service)) first.set(service, at)
    const isNew = ({ service, at }: FoundVersion) => !isOld(at) && (first.get(service) ?? -Infinity) < at
    const bucketMs = result?.bucketMs ?? minute
    const timeOf = await this.#exactTimes(target, added.filter(isNew), { bucketMs, kept })
    await this.#database.write(
      ...(range.isWhole ? [forgetAll(key)] : []),
      ...added.map((foundVersion) =>
        storeVersion(key, foundVersion, {
          at: timeOf.get(foundVersion) ?? (isOld(foundVersion.at) ? foundVersion.until : foundVersion.at),
          isNew: isNew(foundVersion),
        }),
      ),
      ...stillThere.map((foundVersion) => noteLaterSight(key, foundVersion)),
      forgetOlder(key, oldest),
      noteLook(key, range),
    )
  }

  /** The part of a range that was not looked at, with what is compared with it. */
  async #unseen(key: DeploymentKey, from: number, to: number): Promise<UnseenRange | undefined> {
    const now = currentTime()
    const [first, last] = [Math.max(from, now - furthest), Math.min(to, now)]
    if (last <= first) return undefined
    const [row] = await this.#database.rows(
      `SELECT from_at, to_at,
          (SELECT count(*) FROM found_versions AS kept
            WHERE kept.connection_id = searched.connection_id AND kept.deployment = searched.deployment) AS kept
        FROM version_searches AS searched WHERE connection_id = ? AND deployment = ?`,
      [...key],
    )
    const seen = row && { from: Date.parse(String(row['from_at'])), to: Date.parse(String(row['to_at'])) }
    if (!seen || first < seen.from) return { from: first - before, to: Math.max(last, seen?.to ?? 0), isWhole: true }
    if (last <= seen.to + pause) return undefined
    if (Number(row?.['kept']) > maxKept) return { from: now - furthest - before, to: last, isWhole: true }
    return { from: Math.max(seen.to - late, now - furthest - before), to: last, isWhole: false }
  }

  /** The minute of versions that were found in longer buckets, the newest first; those that are known need no query. */
  async #exactTimes(
    target: UpstreamTarget,
    found: readonly FoundVersion[],
    { bucketMs, kept }: { bucketMs: number; kept: ReadonlyMap<string, ReadonlyMap<string, number>> },
  ): Promise<Map<FoundVersion, number>> {
    const exact = new Map<FoundVersion, number>()
    if (bucketMs <= minute) return exact
    for (const foundVersion of found) {
      const at = kept.get(foundVersion.service)?.get(foundVersion.version)
      if (at !== undefined && at >= foundVersion.at && at < foundVersion.at + bucketMs) exact.set(foundVersion, at)
    }
    const open = found.filter((foundVersion) => !exact.has(foundVersion))
    const starts = [...new Set(open.map(({ at }) => at))].toSorted((a, b) => b - a).slice(0, maxRefined)
    for (const start of starts) {
      const within = await findVersions(this.#deployments, target, { from: start, to: start + bucketMs })
      for (const foundVersion of open) {
        const same = within?.found.find(
          ({ service, version }) => service === foundVersion.service && version === foundVersion.version,
        )
        if (foundVersion.at === start && same) exact.set(foundVersion, same.at)
      }
    }
    return exact
  }
}

const deploymentKeyOf = (target: UpstreamTarget): DeploymentKey => [target.connectionId, locationOf(target).deployment]
