/** Gives the telemetry tables the indexes that are wanted. Rows that are there already get them from `indexBuilder.ts`. */
import type { IndexChoice } from '../../config.ts'
import type { Engine } from '../engine/engine.ts'
import { EngineError } from '../engine/engineError.ts'
import { alterStorage, type TableChanger } from '../engine/tableChanges.ts'
import { insertedTable } from '../tables.ts'
import { allDefinitions, definitionsOf, type IndexDefinition, type WantedIndex } from './indexChoices.ts'

interface ExistingIndex {
  table: string
  name: string
  expr: string
  type: string
}

/** The first version of the engine with text indexes in their current form. */
const firstWithText = [26, 2] as const
const accessDenied = 497

/**
 * Creates the chosen indexes that do not exist yet. On a server, other indexes are kept, and those that the user may not
 * create are left out. On the embedded engine, indexes that are not chosen any more are dropped.
 */
export async function ensureIndexes(
  engine: TableChanger & Pick<Engine, 'kind'>,
  choices: readonly IndexChoice[],
): Promise<void> {
  const [hasText, stored] = await Promise.all([hasTextIndexes(engine), existingIndexes(engine)])
  const wanted = definitionsOf(choices).map((definition): WantedIndex =>
    hasText ? definition : { ...definition, kind: 'bloom' },
  )
  const existing = engine.kind === 'embedded' ? await dropOthers(engine, stored, wanted) : stored
  const isThere = ({ table, expression }: IndexDefinition) =>
    existing.some(
      (existingIndex) =>
        existingIndex.table === insertedTable(engine.dialect, table) && existingIndex.expr === expression,
    )
  for (const [table, indexes] of byTable(wanted.filter((wantedIndex) => !isThere(wantedIndex)))) {
    const actions = indexes.map(
      ({ name, expression, type, kind }) => `ADD INDEX IF NOT EXISTS ${name} ${expression} TYPE ${type[kind]}`,
    )
    try {
      await alterStorage(engine, { database: '', table }, actions.join(', '))
    } catch (error) {
      if (engine.kind === 'embedded' || !(error instanceof EngineError && error.code === accessDenied)) throw error
    }
  }
}

/** Drops indexes that the setting no longer wants, or wants with another type. @returns those that are left */
async function dropOthers(
  engine: TableChanger,
  stored: readonly ExistingIndex[],
  wanted: readonly WantedIndex[],
): Promise<readonly ExistingIndex[]> {
  const isKept = (index: ExistingIndex) =>
    wanted.some((other) => isNamed(other, index) && other.type[other.kind].startsWith(index.type))
  const dropped = stored.filter((index) => allDefinitions.some((other) => isNamed(other, index)) && !isKept(index))
  for (const [table, indexes] of byTable(dropped)) {
    const actions = indexes.map(({ name }) => `DROP INDEX IF EXISTS ${name}`)
    // Until its files are gone: an index of the same name and another type could not read them.
    await alterStorage(engine, { database: '', table }, `${actions.join(', ')} SETTINGS mutations_sync = 1`)
  }
  return stored.filter((index) => !dropped.includes(index))
}

const isNamed = ({ table, name }: IndexDefinition, other: ExistingIndex): boolean =>
  other.table === table && other.name === name

function byTable<T extends { table: string }>(indexes: readonly T[]): Map<string, T[]> {
  const tables = new Map<string, T[]>()
  for (const index of indexes) tables.set(index.table, [...(tables.get(index.table) ?? []), index])
  return tables
}

/** The types without their arguments: `text`, `bloom_filter`. */
async function existingIndexes(engine: Pick<Engine, 'query'>): Promise<ExistingIndex[]> {
  const rows = await engine.query<ExistingIndex>(
    'SELECT table, name, expr, type FROM system.data_skipping_indices WHERE database = currentDatabase()',
  )
  return rows.map((row) => ({ ...row, expr: row.expr.replaceAll('`', '') }))
}

async function hasTextIndexes(engine: Pick<Engine, 'query'>): Promise<boolean> {
  const [row] = await engine.query<{ version: string }>('SELECT version() AS version')
  const [major = 0, minor = 0] = (row?.version ?? '').split('.').map(Number)
  const [firstMajor, firstMinor] = firstWithText
  return major > firstMajor || (major === firstMajor && minor >= firstMinor)
}
