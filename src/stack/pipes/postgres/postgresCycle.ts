/**
 * The work of a Postgres pipe: it copies its tables, and applies changes every `syncIntervalSeconds`, also while a table is
 * copied. Changes are found by logical replication, or else by polling for rows with higher keys, which only finds new rows.
 * Each time it looks at the tables of the source first, and follows changes of their columns.
 */
import { Copies, isOfTable, isTableChanged } from './copies.ts'
import type { DestinationTable } from '../loads/destinationTable.ts'
import type { Outcome, Report } from '../loads/pipeRunner.ts'
import { fetchNewRows } from './postgresCopy.ts'
import { followChanges } from './postgresReplication.ts'
import { replicationModeOf, type ReplicationMode } from './replicationMode.ts'
import { postgresSettings, type PostgresRun } from './postgresRun.ts'
import { describeTable, mappedNames, takesVersions, type SourceTable } from './source/postgresTables.ts'
import { changesTarget } from './reload.ts'
import { beginResync, endResync } from './resync.ts'
import { beginCopies, endCopy, loadAgain, tablesToCopy, type Copying } from './tableCopies.ts'
import { TableChanged } from './tableLoader.ts'
import { followColumns, forgetOthers } from './tableSchema.ts'
import { usableTables } from './usableTables.ts'

/** The state that a run keeps between its cycles. */
interface Cycling extends Copying {
  report(report: Report): Promise<void>
  /** The names of tables whose destinations exist. */
  prepared: Set<string>
  /** Problems of tables. */
  problems: string[]
}

/** Runs until the signal fires, or until everything is copied once. */
export async function runPipe(
  settings: Omit<PostgresRun, 'sayWaiting'>,
  show: (report: Report) => Promise<void>,
): Promise<Outcome | null> {
  const { parts, pipe, signal } = settings
  let last: Report = { state: 'Running', detail: '' }
  let waiting: string | null = null
  const say = () =>
    show(waiting === null ? last : { state: 'Degraded', detail: [waiting, last.detail].filter(Boolean).join('. ') })
  const report = (next: Report) => {
    last = next
    return say()
  }
  const sayWaiting = (what: string | null) => {
    waiting = what
    return say()
  }
  const run: PostgresRun = { ...settings, sayWaiting }
  const { replicationMode, syncIntervalSeconds } = postgresSettings(pipe)
  await beginResync(run)
  await forgetOthers(run)
  const copies = new Copies(run, () => sayCopying(cycling))
  const cycling: Cycling = { run, report, copies, prepared: new Set(), waiting: [], problems: [] }
  try {
    for (;;) {
      const isCopying = await cycle(cycling).catch((error: unknown) => {
        if (isTableChanged(error)) return null
        throw error
      })
      signal.throwIfAborted()
      if (isCopying === null) continue
      if (replicationMode === 'snapshot' && !isCopying) {
        return {
          state: 'Completed',
          detail: `${nameOrCount(mappedNames(pipe))} copied once, as its replication mode says`,
        }
      }
      await nextCycle(cycling, (syncIntervalSeconds ?? 60) * 1000)
    }
  } finally {
    await copies.stopAll()
    parts.meter.lag(pipe.id, null)
  }
}

/** Waits for the next cycle. When a copy completes, the next one begins at once; after the last one, so does the cycle. */
async function nextCycle(cycling: Cycling, intervalMs: number): Promise<void> {
  const { copies } = cycling
  for (;;) {
    const end = await copies.wait(intervalMs)
    if (end === 'interval') return copies.forgetFailures()
    // A table that could not be read, or was changed, is looked at first.
    if (end === 'incomplete') return
    await beginCopies(cycling)
    if (copies.running() === 0) return
    await sayCopying(cycling)
  }
}

/**
 * Applies the changes until now, ends copies that are complete, and begins others.
 * @returns whether tables are copied
 */
async function cycle(cycling: Cycling): Promise<boolean> {
  const { run, copies } = cycling
  cycling.waiting = []
  const isSnapshot = postgresSettings(run.pipe).replicationMode === 'snapshot'
  // Before the initial load, so that changes during it are in the server's log.
  const mode: ReplicationMode = isSnapshot
    ? { slot: null, reason: '' }
    : await replicationModeOf(run, () => copies.stopAll())
  const tables = await preparedTables(cycling, mode)
  // Before changes are applied: a copy that completes during that misses some of them, and waits for the next cycle.
  const complete = copies.complete()
  let left = await tablesToCopy(run, tables)
  const targets = await followedTargets(run, mode, tables)
  if (left.length === 0) await sayState(cycling, mode, tables, targets)
  if (mode.slot !== null) await follow(cycling, mode.slot, targets)
  if (!isSnapshot)
    await poll(
      run,
      tables.filter((table) => !targets.has(table) && !left.includes(table)),
    )
  for (const table of complete) if (copies.has(table.name)) await endCopy(cycling, table)
  if (left.length > 0) {
    cycling.waiting = (await tablesToCopy(run, tables)).filter(({ name }) => !copies.has(name))
    await beginCopies(cycling)
    left = await tablesToCopy(run, tables)
    if (left.length > 0) await sayCopying(cycling)
    else await sayState(cycling, mode, tables, await followedTargets(run, mode, tables))
  }
  if (isSnapshot && left.length === 0 && cycling.problems.length > 0) throw new Error(cycling.problems.join('. '))
  return left.length > 0
}

/** The tables that can be read, whose destinations have their columns. */
async function preparedTables(cycling: Cycling, mode: ReplicationMode): Promise<SourceTable[]> {
  const { run, copies } = cycling
  const { usable, problems } = await usableTables(run, cycling.prepared, (name) => loadAgain(cycling, name))
  await copies.stopOthers(usable)
  const tables: SourceTable[] = []
  for (const table of usable) {
    const target = await changesTarget(run, table)
    await followColumns(run, table, await isFollowed(run, mode, table, target), target)
    const failure = copies.failures().get(table.name)
    if (failure === undefined) {
      tables.push(table)
      continue
    }
    await loadAgain(cycling, table.name)
    problems.push(`${table.name} cannot be read: ${failure.message}`)
  }
  cycling.problems = problems
  return tables
}

/** @param target what gets the changes; null for a table that is created later, and may take them */
async function isFollowed(
  { parts }: PostgresRun,
  mode: ReplicationMode,
  table: SourceTable,
  target: DestinationTable | null,
): Promise<boolean> {
  if (mode.slot === null || !table.isLogged) return false
  return target === null || takesVersions(table, target, parts.engine)
}

/** The tables whose changes are found in the server's log, with those that get them. */
async function followedTargets(
  run: PostgresRun,
  mode: ReplicationMode,
  tables: readonly SourceTable[],
): Promise<Map<SourceTable, DestinationTable>> {
  const targets = new Map<SourceTable, DestinationTable>()
  for (const table of tables) {
    const target = await changesTarget(run, table)
    if (target !== null && (await isFollowed(run, mode, table, target))) targets.set(table, target)
  }
  return targets
}

async function poll(run: PostgresRun, tables: readonly SourceTable[]): Promise<void> {
  for (const table of tables) if (table.growingKey !== null) await fetchNewRows(run, table, table.growingKey)
}

async function follow(
  cycling: Cycling,
  slot: string,
  targets: ReadonlyMap<SourceTable, DestinationTable>,
): Promise<void> {
  const { run, copies } = cycling
  await followChanges(run, slot, targets, {
    async unchanged() {
      for (const table of targets.keys()) {
        const now = await describeTable(run.pipe, table.mapping, run.server)
        if (JSON.stringify(now) !== JSON.stringify(table))
          throw new TableChanged(`${table.name} was changed at the source`)
      }
    },
    // It goes on where it was: rows that came after that are in the log.
    emptied: (table) => copies.stop(table.name),
    again: (table) => loadAgain(cycling, table.name),
    async failed(table, error) {
      if (!isOfTable(error)) throw error
      // It says why when it is copied again, and does not keep the others from going on.
      await loadAgain(cycling, table.name)
    },
  })
}

async function sayCopying({ report, copies, problems }: Cycling): Promise<void> {
  const details = copies.details()
  if (details.length > 0) await report({ state: 'Snapshot', detail: [...details, ...problems].join('. ') })
}

/** Says how each table is followed, and that a resync is done. */
async function sayState(
  { run, report, problems }: Cycling,
  mode: ReplicationMode,
  tables: readonly SourceTable[],
  followed: ReadonlyMap<SourceTable, DestinationTable>,
): Promise<void> {
  await endResync(run)
  if (postgresSettings(run.pipe).replicationMode === 'snapshot') return
  const isPolled = (table: SourceTable) => !followed.has(table) && table.growingKey !== null
  const sorted = {
    followed: tables.filter((table) => followed.has(table)),
    polled: tables.filter(isPolled),
    once: tables.filter((table) => !followed.has(table) && !isPolled(table)),
  }
  await report({
    ...stateOf(mode, sorted, postgresSettings(run.pipe).syncIntervalSeconds ?? 60, problems),
    resynced: true,
  })
}

interface Sorted {
  followed: readonly SourceTable[]
  polled: readonly SourceTable[]
  /** Copied once, and not followed. */
  once: readonly SourceTable[]
}

/** The state of a pipe: for each table how its changes are found, why, and what needs a person. @param problems with tables that are in none of the lists */
function stateOf(mode: ReplicationMode, sorted: Sorted, seconds: number, problems: readonly string[]): Report {
  const { followed, polled, once } = sorted
  const names = (tables: readonly SourceTable[]) => nameOrCount(tables.map(({ name }) => name))
  const why = mode.slot === null ? `: no logical replication, ${mode.reason}` : ', whose changes are not logged by key'
  const sentences = [
    ...problems,
    ...(mode.slot === null && mode.waits ? [`${mode.reason}, and the pipe waits for one`] : []),
    ...(followed.length > 0
      ? [`logical replication of ${names(followed)} every ${seconds} s, from slot ${mode.slot}`]
      : []),
    ...(polled.length > 0
      ? [
          `polling ${names(polled)} for new rows every ${seconds} s by ${polled.length === 1 ? 'its' : 'their'} key; changed and deleted rows are not followed${why}`,
        ]
      : []),
    ...(once.length > 0
      ? [`copied once, having no key that could be followed: ${once.map(({ name }) => name).join(', ')}`]
      : []),
  ]
  const isWell = problems.length === 0 && !(mode.slot === null && mode.waits)
  return { state: isWell ? 'Running' : 'Degraded', detail: sentences.join('. ') }
}

/** The name of a single table; `3 tables` for several. */
function nameOrCount(names: readonly string[]): string {
  return names.length === 1 ? (names[0] ?? '') : `${names.length} tables`
}
