/** Gives the telemetry tables the roll-ups that are wanted. `rollupBuilder.ts` adds the rows that are there already. */
import type { RollupName } from '../../config.ts'
import type { Engine } from '../engine/engine.ts'
import { EngineError } from '../engine/engineError.ts'
import { alterStorage, createTable, createView, dropTable, type TableChanger } from '../engine/tableChanges.ts'
import { fewMerges, syncedInserts } from '../tables.ts'
import { writesTo } from './rollupDefinition.ts'
import { layoutOfRollup, ownRollups, selectOfRollup, type OwnRollup } from './ownRollups.ts'

const accessDenied = 497
const viewOf = ({ table }: OwnRollup) => `${table}_mv`

/**
 * A server keeps what its tables have, whoever made it, and what the user may not create is left out. The embedded engine loses
 * what is not wanted any more. A cluster has none: roll-ups of a cluster are not read.
 */
export async function ensureRollups(
  engine: TableChanger & Pick<Engine, 'kind'>,
  wanted: readonly RollupName[],
  retentionDays: number,
): Promise<void> {
  if (engine.dialect.kind === 'cluster') return
  const existing = await existingTables(engine)
  for (const rollup of ownRollups) {
    const isWanted = wanted.includes(rollup.name)
    if (isWanted) await ensure(engine, rollup, { existing, retentionDays })
    else if (engine.kind === 'embedded' && existing.has(rollup.table)) {
      await dropTable(engine, { database: '', table: viewOf(rollup) })
      await dropTable(engine, { database: '', table: rollup.table })
    }
  }
}

interface ExistingTable {
  /** Whether a materialized view writes to it. */
  isWritten: boolean
  definition: string
}

async function existingTables(engine: TableChanger): Promise<Map<string, ExistingTable>> {
  const rows = await engine.query<{ name: string; definition: string }>(
    `SELECT name, create_table_query AS definition FROM system.tables WHERE database = currentDatabase()`,
  )
  const { database } = engine
  const views = rows.filter(({ definition }) => definition.startsWith('CREATE MATERIALIZED VIEW'))
  const isWritten = (table: string) => views.some(({ definition }) => writesTo(definition, { database, table }))
  return new Map(rows.map(({ name, definition }) => [name, { isWritten: isWritten(name), definition }]))
}

async function ensure(
  engine: TableChanger & Pick<Engine, 'kind'>,
  rollup: OwnRollup,
  { existing, retentionDays }: { existing: ReadonlyMap<string, ExistingTable>; retentionDays: number },
): Promise<void> {
  const isEmbedded = engine.kind === 'embedded'
  const found = existing.get(rollup.table)
  // A roll-up that an earlier version made lacks the setting.
  if (isEmbedded && existing.has(viewOf(rollup)) && found?.definition.includes(fewMerges) === false)
    await alterStorage(engine, { database: '', table: rollup.table }, `MODIFY SETTING ${fewMerges}`)
  // Another product's table of this name has a view of its own.
  if (found?.isWritten) return
  const { columns, order } = layoutOfRollup(rollup)
  const ttl = isEmbedded ? '' : `TTL ${ttlOf(retentionDays)}\n`
  const settings = [...settingsOf(rollup), ...(isEmbedded ? [fewMerges] : [])]
  try {
    await createTable(engine, {
      name: { database: '', table: rollup.table },
      columns,
      engine: 'AggregatingMergeTree',
      clauses: `PARTITION BY toDate(Timestamp)\nORDER BY (${order})\n${ttl}SETTINGS ${settings.join(', ')}`,
    })
    const select = selectOfRollup(rollup, { database: engine.database, table: rollup.of })
    await createView(engine, viewOf(rollup), { to: rollup.table, select })
  } catch (error) {
    if (isEmbedded || !(error instanceof EngineError && error.code === accessDenied)) throw error
  }
}

/**
 * Only those of values are synced at once, as the rows are. A part of the others that a power failure takes is missed in their counts,
 * and computed again; but nothing counts the marks of what is left out.
 */
function settingsOf({ valuesOf }: OwnRollup): string[] {
  return ['ttl_only_drop_parts = 1', ...(valuesOf ? syncedInserts : [])]
}

const ttlOf = (days: number): string => `Timestamp + toIntervalDay(${days})`

/** Makes the roll-ups of a server keep their rows for as many days as their tables. */
export async function keepRollupTtl(engine: TableChanger, daysOf: (table: string) => number): Promise<void> {
  const rows = await engine.query<{ name: string; full: string }>(
    `SELECT name, engine_full AS full FROM system.tables WHERE database = currentDatabase() AND name IN {names:Array(String)}`,
    { params: { names: ownRollups.map(({ table }) => table) } },
  )
  for (const { name, full } of rows) {
    const days = daysOf(name)
    if (full.includes('toIntervalDay(') && !full.includes(`toIntervalDay(${days})`))
      await alterStorage(engine, { database: '', table: name }, `MODIFY TTL ${ttlOf(days)}`)
  }
}
