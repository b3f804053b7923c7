/** The columns of a destination that get values of the source. */
import type { DestinationTable } from '../loads/destinationTable.ts'
import { identifier } from '../loads/sqlNames.ts'
import { alterColumns } from '../../telemetry/engine/tableChanges.ts'
import type { PostgresRun } from './postgresRun.ts'
import { definitionFor, type SourceTable } from './source/postgresTables.ts'
import { columnType, plainType, type ColumnType } from '#stack/pipes/values/columnType.ts'

/** The columns of a destination that people see, with their types. */
export async function columnsOf({ parts }: PostgresRun, target: DestinationTable): Promise<[string, string][]> {
  const columns = await parts.engine.query<{ name: string; type: string }>(
    `SELECT name, type FROM system.columns
     WHERE database = {database:String} AND table = {table:String} AND default_kind NOT IN ('MATERIALIZED', 'ALIAS', 'EPHEMERAL')
     ORDER BY position`,
    { params: { ...target } },
  )
  return columns.map(({ name, type }) => [name, type])
}

export function alter({ parts }: PostgresRun, target: DestinationTable, change: string): Promise<void> {
  return alterColumns(parts.engine, target, change)
}

export function addColumn(run: PostgresRun, target: DestinationTable, name: string, type: string): Promise<void> {
  return alter(run, target, `ADD COLUMN IF NOT EXISTS ${identifier(name)} ${type}`)
}

/** Gives a destination all columns of the source, with room for their values. @throws EngineError for a column of its key */
export async function widenColumns(run: PostgresRun, table: SourceTable, target: DestinationTable): Promise<void> {
  const columns = new Map(await columnsOf(run, target))
  for (const { name, type } of definitionFor(run.pipe, table).columns) {
    const known = columns.get(name)
    if (known === undefined) await addColumn(run, target, name, type)
    else if (!hasRoom(known, type)) await alter(run, target, `MODIFY COLUMN ${identifier(name)} ${type}`)
  }
}

/** The types that columns of PostgreSQL become. Columns of other types were made by people, and are left as they are. */
const ownTypes = /^(?:Int16|Int32|Int64|UInt8|Float32|Float64|Date32|DateTime64|UUID|Decimal|String|Array)$/

/**
 * Whether a column of the destination can take the values of another type.
 * @param have the type of the destination
 * @param wanted the type of the source, as the engine spells it
 */
export function hasRoom(have: string, wanted: string): boolean {
  const [current, asked] = [columnType(have), columnType(wanted)]
  const [currentPlain, askedPlain] = [plainType(current), plainType(asked)]
  if (current.text !== currentPlain.type.text && current.name !== 'Nullable') return true
  if (askedPlain.isNullable && !currentPlain.isNullable && ownTypes.test(currentPlain.type.name)) return false
  return holds(currentPlain.type, askedPlain.type)
}

function holds(have: ColumnType, wanted: ColumnType): boolean {
  if (have.text === wanted.text || have.name === 'String' || !ownTypes.test(have.name)) return true
  const [own, other] = [have.parts[0]?.type, wanted.parts[0]?.type]
  if (have.name === 'Array') return wanted.name === 'Array' && !!own && !!other && hasRoom(own.text, other.text)
  switch (wanted.name) {
    case 'Int16':
    case 'Int32':
    case 'Int64':
      return bits(have) >= bits(wanted)
    case 'Float32':
      return have.name === 'Float64'
    case 'Date32':
      return have.name === 'DateTime64'
    case 'Decimal':
      return have.name === 'Decimal' && scale(have) >= scale(wanted) && integerDigits(have) >= integerDigits(wanted)
    default:
      return false
  }
}

const bits = ({ name }: ColumnType) => Number(/^Int(\d+)$/.exec(name)?.[1] ?? 0)
const scale = ({ args }: ColumnType) => Number(args[1] ?? 0)
const integerDigits = (type: ColumnType) => Number(type.args[0] ?? 0) - scale(type)
