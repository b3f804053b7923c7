/** Removes old changes and versions: by age, and by size. */
import { wallClock } from '#node/clock/wallClock.ts'
import type { Database } from '../database/database.ts'
import type { RecordStates } from './recordStates.ts'
import type { Versions } from './versions.ts'

export interface RetentionLimits {
  days: number
  bytes: number
}

/** `HISTORY_DAYS` and `HISTORY_MB` change them. */
export const defaultLimits: RetentionLimits = { days: 400, bytes: 500 * 2 ** 20 }

interface RetentionDependencies {
  database: Database
  states: RecordStates
  versions: Versions
}

const day = 86_400_000
/** Changes that are removed at once, at least, when the history is too large. */
const minRemoved = 50

/**
 * Removes changes beyond the limits, and versions that nothing refers to. The current version of a record, and the last one of
 * a deleted record within the age, always stay.
 */
export async function applyRetention(
  { database, states, versions }: RetentionDependencies,
  limits: RetentionLimits,
  now = wallClock.deletionTime(),
): Promise<void> {
  const oldest = new Date(now - limits.days * day).toISOString()
  // A record that comes back must not differ from a version that is removed.
  states.forgetGone(oldest)
  versions.forgetKeyframes()
  await database.write(
    { sql: "DELETE FROM changes WHERE at < ? AND outcome <> 'pending'", args: [oldest] },
    { sql: 'DELETE FROM records WHERE gone_at < ?', args: [oldest] },
  )
  await removeUnused(database)
  for (;;) {
    const used = await historyBytes(database)
    if (used <= limits.bytes) return
    const before = await countChanges(database)
    // Versions are most of the bytes, and each change made one.
    const share = Math.ceil((before * (used - limits.bytes)) / used)
    await database.write({
      sql: `DELETE FROM changes WHERE seq IN
        (SELECT seq FROM changes WHERE outcome <> 'pending' ORDER BY seq LIMIT ?)`,
      args: [Math.max(share, minRemoved)],
    })
    await removeUnused(database)
    if ((await countChanges(database)) === before) return
  }
}

/**
 * Estimated size of changes and versions in bytes, without free pages. Deleted rows leave partly filled pages, so the file
 * size would make retention delete data that is within the limit.
 */
export async function historyBytes(database: Database): Promise<number> {
  const [row] = await database.rows(
    `SELECT (SELECT coalesce(sum(length(bytes)), 0) FROM versions) AS bytes, (SELECT count(*) FROM versions) AS versions,
      (SELECT count(*) FROM changes) AS changes`,
  )
  // Measured with the tables of `dbstat`: indexes, and pages that are filled by two thirds.
  return Number(row?.['bytes']) * 1.35 + Number(row?.['versions']) * 220 + Number(row?.['changes']) * 555
}

async function countChanges(database: Database): Promise<number> {
  const [row] = await database.rows('SELECT count(*) AS n FROM changes')
  return Number(row?.['n'])
}

/** Versions that no change, no record and no other version needs. */
async function removeUnused(database: Database): Promise<void> {
  const unused = `DELETE FROM versions WHERE
    hash NOT IN (SELECT hash FROM records) AND hash NOT IN (SELECT keyframe FROM records)
    AND hash NOT IN (SELECT before FROM changes WHERE before IS NOT NULL)
    AND hash NOT IN (SELECT after FROM changes WHERE after IS NOT NULL)
    AND hash NOT IN (SELECT base FROM versions WHERE base IS NOT NULL)`
  // Differences first, then the keyframes that only they needed.
  await database.write({ sql: unused })
  await database.write({ sql: unused })
}
