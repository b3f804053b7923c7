/** Begins and ends copies of tables, between two batches of changes. */
import type { Copies } from './copies.ts'
import { copyRows, isCopied, markCopied, skipTable } from './postgresCopy.ts'
import { postgresSettings, type PostgresRun } from './postgresRun.ts'
import { beginReload, finishReload, isReloading, reloadFromBeginning } from './reload.ts'
import type { SourceTable } from './source/postgresTables.ts'

export interface Copying {
  run: PostgresRun
  copies: Copies
  /** The tables whose copies are to begin, as the last cycle described them. */
  waiting: SourceTable[]
}

/** Has a table loaded again from its beginning: a copy of it is of no use any more. */
export async function loadAgain({ run, copies }: Copying, name: string): Promise<void> {
  await copies.stop(name)
  await reloadFromBeginning(run, name)
}

/** The tables that are yet to be copied: those without a copy, or whose copy is not in their place. */
export async function tablesToCopy(run: PostgresRun, tables: readonly SourceTable[]): Promise<SourceTable[]> {
  const left: SourceTable[] = []
  for (const table of tables) {
    if ((await isReloading(run, table.name)) || !(await isCopied(run, table))) left.push(table)
  }
  return left
}

/** Begins or continues the copies of the tables that wait, as far as there is room. Call this between two batches of changes. */
export async function beginCopies(copying: Copying): Promise<void> {
  const room = postgresSettings(copying.run.pipe).snapshotNumberOfParallelTables ?? 1
  while (copying.copies.running() < room) {
    const table = copying.waiting.shift()
    if (table === undefined) return
    await beginCopy(copying, table)
  }
}

async function beginCopy({ run, copies }: Copying, table: SourceTable): Promise<void> {
  const { replicationMode } = postgresSettings(run.pipe)
  if (await isReloading(run, table.name)) {
    const target = await beginReload(run, table)
    if (target === null) return
    copies.start(table, `copying ${table.name} again, beside the table that it replaces`, (own, progress) =>
      copyRows(own, table, { target, progress }),
    )
  } else if (replicationMode === 'cdc_only') {
    copies.start(table, `passing over the rows of ${table.name}`, (own) => skipTable(own, table))
  } else {
    copies.start(table, `copying ${table.name}`, (own, progress) =>
      copyRows(own, table, { target: table.target, progress }),
    )
  }
}

/** Puts a table that is copied in its place. Call this when it has all changes until now. */
export async function endCopy({ run, copies }: Copying, table: SourceTable): Promise<void> {
  if (await isReloading(run, table.name)) await finishReload(run, table)
  else await run.parts.store.write((transaction) => markCopied(run, table, transaction))
  copies.forget(table)
}
