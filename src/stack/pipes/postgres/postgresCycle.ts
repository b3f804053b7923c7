/**
 * The work of a Postgres pipe: it copies its tables, then applies changes every `syncIntervalSeconds`. Changes are found by
 * logical replication, or else by polling for rows with higher keys, which only finds new rows. Each time it looks at the
 * tables of the source first, and follows changes of their columns.
 */
import { DatabaseError } from 'pg'
import { Refusal } from '../../refusal.ts'
import { abortableSleep } from '../loads/abortableSleep.ts'
import { ensureTable } from '../loads/destinationTable.ts'
import type { Outcome, Report } from '../loads/pipeRunner.ts'
import { forEachConcurrently } from './concurrency.ts'
import { copyRows, fetchNewRows, isCopied, markCopied, skipTable } from './postgresCopy.ts'
import { followChanges, replicationModeOf, type ReplicationMode } from './postgresReplication.ts'
import { postgresSettings, type PostgresRun } from './postgresRun.ts'
import {
  definitionFor,
  describeTable,
  loggedNames,
  mappedNames,
  mappingProblem,
  nameOf,
  takesVersions,
  type SourceTable,
} from './postgresTables.ts'
import { isReloading, reloadFromBeginning, reloadTable } from './reload.ts'
import { beginResync, endResync } from './resync.ts'
import { counted, stateOf } from './stateDetail.ts'
import { TableChanged } from './tableLoader.ts'
import { columnsOf } from './destinationColumns.ts'
import { followColumns, forgetOthers, knownTable } from './tableSchema.ts'

type ReportState = (report: Report) => Promise<void>

/** Runs until the signal fires, or until everything is copied once. */
export async function runPipe(run: PostgresRun, report: ReportState): Promise<Outcome | null> {
  const { parts, pipe, signal } = run
  const { replicationMode, syncIntervalSeconds } = postgresSettings(pipe)
  await beginResync(run)
  await forgetOthers(run)
  const prepared = new Set<string>()
  try {
    for (;;) {
      const hasChanged = await cycle(run, report, prepared).then(
        () => false,
        (error: unknown) => {
          if (isCausedBy(error, TableChanged)) return true
          throw error
        },
      )
      signal.throwIfAborted()
      if (hasChanged) continue
      if (replicationMode === 'snapshot') {
        return { state: 'Completed', detail: `${counted(mappedNames(pipe))} copied once, as its replication mode says` }
      }
      await abortableSleep((syncIntervalSeconds ?? 60) * 1000, signal)
    }
  } finally {
    parts.meter.lag(pipe.id, null)
  }
}

/**
 * Copies what is not copied yet, then applies the changes until now.
 * @param prepared the names of tables whose destinations exist, to which it adds others
 */
async function cycle(run: PostgresRun, report: ReportState, prepared: Set<string>): Promise<void> {
  const { pipe } = run
  const { replicationMode = 'cdc' } = postgresSettings(pipe)
  const isSnapshot = replicationMode === 'snapshot'
  // Before the initial load, so that changes during it are in the server's log.
  const mode: ReplicationMode = isSnapshot ? { slot: null, reason: '' } : await replicationModeOf(run)
  const { tables, problems } = await tablesOf(run)
  const isFollowed = async (table: SourceTable) =>
    mode.slot !== null && table.isLogged && (await takesVersions(table, run.parts.engine))
  const usable: SourceTable[] = []
  for (const table of tables) {
    const problem = prepared.has(table.name) ? null : await destinationProblem(run, table)
    if (problem !== null) {
      // Its changes are missed until the mapping is corrected.
      if (await knownTable(run, table.name)) await reloadFromBeginning(run, table.name)
      problems.push(problem)
      continue
    }
    prepared.add(table.name)
    usable.push(table)
    await followColumns(run, table, await isFollowed(table))
  }
  const ready = await copyTables(run, usable, report, problems)
  await endResync(run)
  // A table that was loaded again may have another key than before.
  const followed = new Set<SourceTable>()
  for (const table of ready) if (await isFollowed(table)) followed.add(table)
  const isPolled = (table: SourceTable) => !followed.has(table) && table.growingKey !== null
  const sorted = {
    followed: ready.filter((table) => followed.has(table)),
    polled: ready.filter(isPolled),
    once: ready.filter((table) => !followed.has(table) && !isPolled(table)),
  }
  if (!isSnapshot) {
    await report({
      ...stateOf(mode, sorted, postgresSettings(pipe).syncIntervalSeconds ?? 60, problems),
      resynced: true,
    })
    if (mode.slot !== null) await follow(run, mode.slot, sorted.followed)
    for (const table of sorted.polled) if (table.growingKey) await fetchNewRows(run, table, table.growingKey)
  } else if (problems.length > 0) throw new Error(problems.join('. '))
}

/** Creates the destination of a table, unless it exists. @returns why its mapping does not allow that; null if it does */
async function destinationProblem(run: PostgresRun, table: SourceTable): Promise<string | null> {
  // A destination that exists is used, even if columns of the mapping were dropped at the source since.
  if ((await columnsOf(run, table.target)).length > 0) return null
  const problem = mappingProblem(table)
  if (problem !== null) return problem
  try {
    await ensureTable(table.target, definitionFor(run.pipe, table), run.parts.engine)
    return null
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return `the table for ${table.name} cannot be created: ${error.message}`
  }
}

/** The mapped tables that exist, and what is wrong with the others. */
async function tablesOf(run: PostgresRun): Promise<{ tables: SourceTable[]; problems: string[] }> {
  const { pipe, server } = run
  const tables: SourceTable[] = []
  const problems: string[] = []
  const names = new Set<string>()
  for (const mapping of pipe.source?.postgres?.tableMappings ?? []) {
    const name = nameOf(mapping)
    if (names.has(name)) {
      // Earlier versions accepted this. Both mappings would share one position in the source table.
      problems.push(`${name} is mapped twice, and not loaded into ${mapping.targetTable}: use another pipe for that`)
      continue
    }
    names.add(name)
    const table = await describeTable(pipe, mapping, server)
    if (table) {
      tables.push(table)
      continue
    }
    const known = await knownTable(run, name)
    // Its changes are missed until it is back.
    if (known) await reloadFromBeginning(run, name)
    problems.push(await whereItWent(run, name, known?.oid))
  }
  return { tables, problems }
}

async function whereItWent({ server }: PostgresRun, name: string, oid: string | undefined): Promise<string> {
  if (oid === undefined) return `${name} does not exist at the source`
  const [found] = await server.query<{ name: string }>(
    `SELECT concat(n.nspname, '.', c.relname) AS name
     FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = $1::oid`,
    [oid],
  )
  return found
    ? `${name} was renamed to ${found.name} at the source: its changes are not followed. Map that table, or rename it back`
    : `${name} was dropped at the source: its rows stay. Remove it from the pipe, or create it again`
}

/** @returns the tables that are copied. What is wrong with others is added to the problems */
async function copyTables(
  run: PostgresRun,
  tables: readonly SourceTable[],
  report: ReportState,
  problems: string[],
): Promise<SourceTable[]> {
  const { replicationMode, snapshotNumberOfParallelTables } = postgresSettings(run.pipe)
  const ready = new Set(tables)
  await forEachConcurrently(snapshotNumberOfParallelTables ?? 1, tables, async (table) => {
    const progress = (done: number, all: number) =>
      report({ state: 'Snapshot', detail: `copying ${table.name}: ${done} of ${all} parts` })
    try {
      if (await isReloading(run, table.name)) {
        const others = tables.length > 1 ? '. Changes of the other tables are applied once it is complete' : ''
        const again = `${table.name} again, beside the table that it replaces`
        await report({ state: 'Snapshot', detail: `copying ${again}${others}` })
        return await reloadTable(run, table, (done, all) =>
          report({ state: 'Snapshot', detail: `copying ${again}: ${done} of ${all} parts${others}` }),
        )
      }
      if (await isCopied(run, table)) return
      if (replicationMode === 'cdc_only') return await skipTable(run, table)
      await report({ state: 'Snapshot', detail: `copying ${table.name}` })
      await copyRows(run, table, { target: table.target, progress })
      await run.parts.store.write((transaction) => markCopied(run, table, transaction))
    } catch (error) {
      if (!isOfTable(error)) throw error
      await reloadFromBeginning(run, table.name)
      ready.delete(table)
      problems.push(`${table.name} cannot be read: ${error.message}`)
    }
  })
  return tables.filter((table) => ready.has(table))
}

/** An error of the server that says something about a table, such as a missing permission. */
function isOfTable(error: unknown): error is Error {
  return error instanceof DatabaseError && (error.code ?? '').startsWith('42')
}

function isCausedBy(error: unknown, kind: typeof TableChanged): boolean {
  return error instanceof kind || (error instanceof Error && error.cause instanceof kind)
}

function follow(run: PostgresRun, slot: string, tables: readonly SourceTable[]): Promise<void> {
  const again = (table: SourceTable) => reloadFromBeginning(run, table.name)
  return followChanges(run, slot, loggedNames(tables), {
    again,
    async unchanged() {
      for (const table of tables) {
        const now = await describeTable(run.pipe, table.mapping, run.server)
        if (JSON.stringify(now) !== JSON.stringify(table))
          throw new TableChanged(`${table.name} was changed at the source`)
      }
    },
    async failed(table, error) {
      if (!isOfTable(error)) throw error
      // It says why when it is copied again, and does not keep the others from going on.
      await again(table)
    },
  })
}
