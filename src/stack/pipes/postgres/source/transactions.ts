/**
 * Waits for transactions of the source. A commit is in the server's log before others see what it wrote, for long if a
 * synchronous standby does not answer. The transaction gives its locks back only after that.
 */
import { abortableSleep } from '../../loads/abortableSleep.ts'
import type { PostgresServer } from './postgresServer.ts'
import type { SourceTable } from './postgresTables.ts'

interface Waiting {
  server: PostgresServer
  signal: AbortSignal
  sayWaiting(what: string | null): Promise<void>
}

const checkMs = 200
/** A wait is shown after this many checks: shorter ones are usual. */
const quietChecks = 25

/** Waits until every transaction that is writing to a table has ended. What it wrote is visible then. */
export async function untilWritersEnd(waiting: Waiting, table: SourceTable): Promise<void> {
  const writers = () => writersOf(waiting.server, table)
  const words = (left: string) => `waiting for the end of ${left} with writes to ${table.name}`
  await untilNoneOf(waiting, await writers(), writers, words)
}

/**
 * Waits until what transactions wrote is visible. This does not wait for those that have not committed.
 * @param committed the transactions, by their numbers in the server's log
 */
export async function untilVisible(waiting: Waiting, committed: ReadonlySet<string>): Promise<void> {
  await untilNoneOf(
    waiting,
    committed,
    () => runningOf(waiting.server),
    (left) =>
      `changes wait for ${left} whose rows the source does not show yet, as it is while a synchronous standby does not answer`,
  )
}

/** @param words what is waited for, with the number of transactions */
async function untilNoneOf(
  { signal, sayWaiting }: Waiting,
  awaited: ReadonlySet<string>,
  running: () => Promise<ReadonlySet<string>>,
  words: (left: string) => string,
): Promise<void> {
  let left = [...awaited]
  let checks = 0
  for (; left.length > 0; checks++) {
    const now = await running()
    left = left.filter((transaction) => now.has(transaction))
    if (left.length === 0) break
    if (checks === quietChecks)
      await sayWaiting(words(left.length === 1 ? 'a transaction' : `${left.length} transactions`))
    await abortableSleep(checkMs, signal)
  }
  if (checks > quietChecks) await sayWaiting(null)
}

/** The transactions that are writing to a table or to its parts. */
async function writersOf(server: PostgresServer, { oid, parts }: SourceTable): Promise<Set<string>> {
  const locks = await server.query<{ transaction: string }>(
    `SELECT virtualtransaction AS transaction FROM pg_catalog.pg_locks WHERE relation = ANY ($1::oid[])
     AND mode IN ('RowExclusiveLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')`,
    [`{${[oid, ...parts.map((part) => part.oid)].join(',')}}`],
  )
  return new Set(locks.map(({ transaction }) => transaction))
}

/** The numbers of the transactions that write anything. Each has a lock on its own number. */
async function runningOf(server: PostgresServer): Promise<Set<string>> {
  const locks = await server.query<{ transaction: string }>(
    `SELECT transactionid::text AS transaction FROM pg_catalog.pg_locks
     WHERE locktype = 'transactionid' AND mode = 'ExclusiveLock'`,
  )
  return new Set(locks.map(({ transaction }) => transaction))
}
