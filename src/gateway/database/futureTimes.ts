/**
 * Stored times that cannot be true, because the clock was set back since: when something happened lies ahead, or a deadline
 * is further away than it can be. Without a correction, sessions and break-glass would last longer, and retries would wait.
 */
import type { Statements } from '#node/database/statements.ts'
import { stepTolerance, wallClock } from '#node/clock/wallClock.ts'
import { breakGlassMinutes } from '#contract/console/changeRequestPaths.ts'
import type { Database } from './database.ts'

const minute = 60_000
const day = 1440 * minute

interface TimeColumn {
  table: string
  column: string
  /** Epoch milliseconds, or an ISO text. */
  type: 'number' | 'text'
  /** Milliseconds by which it may be ahead: 0 for when something happened, else the whole period of a deadline. */
  ahead: number
  where?: string
}

const timeOfEvent = (table: string, column: string, type: TimeColumn['type']): TimeColumn => ({
  table,
  column,
  type,
  ahead: 0,
})

/** Corrected one by one. */
export const correctedTimes: readonly TimeColumn[] = [
  timeOfEvent('sessions', 'created_at', 'number'),
  timeOfEvent('sessions', 'seen_at', 'number'),
  timeOfEvent('sign_in_attempts', 'at', 'number'),
  { table: 'sign_in_attempts', column: 'until', type: 'number', ahead: 15 * minute },
  timeOfEvent('personal_tokens', 'used_at', 'text'),
  timeOfEvent('people', 'seen_at', 'text'),
  timeOfEvent('saved_statements', 'used_at', 'text'),
  timeOfEvent('passkeys', 'used_at', 'text'),
  timeOfEvent('identities', 'signed_in_at', 'text'),
  timeOfEvent('provider_sessions', 'started_at', 'text'),
  { table: 'sign_in_links', column: 'expires_at', type: 'text', ahead: 7 * day, where: 'person_id IS NOT NULL' },
  {
    table: 'sign_in_links',
    column: 'expires_at',
    type: 'text',
    ahead: 60 * minute,
    where: 'person_id IS NULL AND console IS NULL',
  },
  { ...timeOfEvent('break_glass', 'started_at', 'text'), where: 'ended_at IS NULL' },
  {
    table: 'break_glass',
    column: 'ends_at',
    type: 'text',
    ahead: breakGlassMinutes * minute,
    where: 'ended_at IS NULL',
  },
  // The longest wait between two attempts.
  { table: 'approval_notices', column: 'next_at', type: 'text', ahead: 360 * minute, where: "state = 'waiting'" },
  timeOfEvent('duties', 'begun_at', 'number'),
  timeOfEvent('samplings', 'begun_at', 'number'),
]

/** Rows whose end counts from their beginning, which may be any time ahead. */
export const correctedPeriods = [
  { table: 'personal_tokens', from: 'created_at', to: 'expires_at', where: '1 = 1' },
  { table: 'shared_links', from: 'created_at', to: 'expires_at', where: '1 = 1' },
  { table: 'change_requests', from: 'opened_at', to: 'expires_at', where: "state = 'waiting'" },
]

const record = 'says when something happened, by the clock of that time; nothing waits for it'
const noTime = 'is no time'

/**
 * The other columns that may have times, by `table.column`, and why a time in them may lie ahead. A new column with a time
 * is corrected above, or named here: `timeColumns.spec.ts` checks it.
 */
export const stayingTimes: Readonly<Record<string, string>> = {
  'api_key_rotations.done': noTime,
  'api_key_rotations.ended_at': record,
  'api_key_rotations.started_at': record,
  'approval_notices.at': record,
  'audit.at': record,
  'audit.begun': noTime,
  'break_glass.ended_at': record,
  'budget_portions.at': 'the portion also ends by the monotonic clock of the consoles that see it',
  'budget_portions.used': noTime,
  'change_request_events.at': record,
  'change_requests.decided_at': record,
  'found_versions.first_at': record,
  'version_searches.from_at': record,
  'version_searches.to_at': 'a range that was looked at; while it lies ahead, nothing newer is looked for',
  'markers.at': record,
  'markers.created_at': record,
  'changes.after': noTime,
  'changes.at': record,
  'changes.before': noTime,
  'consoles.beat': noTime,
  'identities.created_at': record,
  'links.from_deployment': noTime,
  'links.to_deployment': noTime,
  'mappings.from_deployment': noTime,
  'mappings.to_deployment': noTime,
  'passkeys.created_at': record,
  'people.created_at': record,
  'personal_tokens.secret_end': noTime,
  'personal_tokens.valid_for': noTime,
  'records.changed': noTime,
  'records.first_seen': record,
  'records.gone_at': record,
  'request_budgets.paused_for': noTime,
  'request_budgets.paused_until': 'a pause lasts no longer than `paused_for`',
  'runs.finished_at': record,
  'runs.started_at': record,
  'samples.at': 'samples that lie ahead are deleted',
  'service_loads.at': 'measurements that lie ahead are deleted',
  'service_loads.first_at': 'measurements that lie ahead are deleted',
  'size_loads.at': 'measurements that lie ahead are deleted',
  'size_loads.last_at': 'measurements that lie ahead are deleted',
  'size_predictions.asked_at': 'expectations that lie ahead are deleted',
  'sent_writes.at': 'the outcome of a repeated write is only kept longer',
  'saved_statements.changed_by': noTime,
  'saved_statements.created_at': record,
  'saved_statements.updated_at': record,
  'shared_links.created_by': noTime,
  'shared_links.revoked_at': record,
  'shared_links.viewed_at': record,
  'used_once.expires_at': 'what was used is only remembered for longer',
}

/** Corrects the times of a database that lie ahead of `now`, epoch milliseconds. May be repeated. */
export async function setBackFutureTimes(database: Database, now: number): Promise<void> {
  await database.transact(async (transaction) => {
    for (const { table, column, type, ahead, where = '1 = 1' } of correctedTimes) {
      const [newest, limit] = [now + ahead, now + ahead + stepTolerance].map((at) =>
        type === 'number' ? at : isoOf(at),
      )
      await transaction.run(`UPDATE ${table} SET ${column} = ? WHERE ${column} > ? AND ${where}`, [newest!, limit!]) // two times
    }
    // The time of a sample identifies it, so that it cannot be changed.
    await transaction.run('DELETE FROM samples WHERE at > ?', [now + stepTolerance])
    await transaction.run('DELETE FROM service_loads WHERE at > ?', [now + stepTolerance])
    await transaction.run('DELETE FROM size_loads WHERE last_at > ?', [now + stepTolerance])
    await transaction.run('DELETE FROM size_predictions WHERE asked_at > ?', [now + stepTolerance])
    for (const period of correctedPeriods) await setBackPeriods(transaction, period, now)
  })
}

/** Moves begin and end by the same time, so that the period keeps its length. */
async function setBackPeriods(
  { rows, run }: Statements,
  { table, from, to, where }: (typeof correctedPeriods)[number],
  now: number,
): Promise<void> {
  const ahead = await rows(`SELECT id, ${from}, ${to} FROM ${table} WHERE ${from} > ? AND ${where}`, [
    isoOf(now + stepTolerance),
  ])
  for (const row of ahead) {
    const length = Date.parse(String(row[to])) - Date.parse(String(row[from]))
    // Damaged: whoever reads the row reports it.
    if (Number.isNaN(length)) continue
    const args = [isoOf(now), isoOf(now + length), String(row['id'])]
    await run(`UPDATE ${table} SET ${from} = ?, ${to} = ? WHERE id = ?`, args)
  }
}

/** Corrects them whenever the clock was set back. @param onDone called after each time @returns ends it */
export function correctFutureTimes(
  database: Database,
  { onDone, onError }: { onDone: () => void; onError: (error: unknown) => void },
): () => void {
  return wallClock.onStep(({ from, to }) => {
    if (to < from) setBackFutureTimes(database, to).then(onDone, onError)
  })
}

function isoOf(at: number): string {
  return new Date(at).toISOString()
}
