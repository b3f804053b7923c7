/** The mapped tables that can be loaded, and what is wrong with the others. */
import { Refusal } from '../../refusal.ts'
import { ensureTable } from '../loads/destinationTable.ts'
import { columnsOf } from './destinationColumns.ts'
import type { PostgresRun } from './postgresRun.ts'
import { definitionFor, describeTable, mappingProblem, nameOf, type SourceTable } from './source/postgresTables.ts'
import { knownTable } from './tableSchema.ts'

export interface UsableTables {
  /** As they are at the source now, with destinations that exist. */
  usable: SourceTable[]
  /** Sentences about the others. */
  problems: string[]
}

/**
 * @param prepared the names of tables whose destinations exist, to which it adds others
 * @param loadAgain has a table loaded from its beginning, once it can be
 */
export async function usableTables(
  run: PostgresRun,
  prepared: Set<string>,
  loadAgain: (name: string) => Promise<void>,
): Promise<UsableTables> {
  const { tables, problems } = await existingTables(run, loadAgain)
  const usable: SourceTable[] = []
  for (const table of tables) {
    const problem = prepared.has(table.name) ? null : await destinationProblem(run, table)
    if (problem !== null) {
      // Its changes are missed until the mapping is corrected.
      if (await knownTable(run, table.name)) await loadAgain(table.name)
      problems.push(problem)
      continue
    }
    prepared.add(table.name)
    usable.push(table)
  }
  return { usable, problems }
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
async function existingTables(
  run: PostgresRun,
  loadAgain: (name: string) => Promise<void>,
): Promise<{ tables: SourceTable[]; problems: string[] }> {
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
    if (known) await loadAgain(name)
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
