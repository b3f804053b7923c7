/** The statement that loads files of an object-storage pipe into its table. */
import { sourceSettings } from './sourceFiles.ts'
import type { Location } from './fileLocation.ts'
import { statementSettings } from './objectStorageSettings.ts'
import type { PipeDocument } from '../model/pipeDocument.ts'
import { identifier, qualified } from '../loads/sqlNames.ts'
import { loadColumn, destinationTableOf } from '../loads/destinationTable.ts'
import type { Column } from '../loads/tableDefinition.ts'
import type { CheckedColumn } from '../values/checkedReading.ts'
import { checkedFields, checkedSource } from '../values/checkedSource.ts'
import { lineFormats } from './lineRows.ts'
import { mappedFields, type MappedField } from '../loads/fieldMapping.ts'

/** The statement for some of the files, and its parameters. @param compression of the files. Default: that of the pipe */
export type Statement = (
  paths: readonly string[],
  compression?: string,
) => (load: number) => { sql: string; params: Record<string, string | readonly string[]> }

/** INSERT … SELECT from the files, with the mapped fields under the names of their columns. */
export function copyStatement(pipe: PipeDocument, location: Location, columns: readonly Column[]): Statement {
  const { database, table } = destinationTableOf(pipe)
  const fields = mappedFields(pipe, columns)
  const { format = 'JSONEachRow', compression = 'auto' } = pipe.source?.objectStorage ?? {}
  // Other formats have types of their own.
  const checks = lineFormats.has(format ?? 'JSONEachRow') ? checkedFields(fields) : new Map<string, CheckedColumn>()
  const read = [...new Set(fields.map((field) => field.source))]
  const names = [...fields.map((field) => field.destination), loadColumn].map(identifier).join(', ')
  const sources = fields.map((field) => identifier(field.source)).join(', ')
  // A file that went away since it was listed must not count as loaded.
  const settings = [...statementSettings(pipe), sourceSettings, 'http_skip_not_found_url_for_globs = 0'].join(', ')
  const source = `${location.call}, {format:String}, {structure:String}, {compression:String})`
  return (paths, known) => (load) => ({
    sql: `INSERT INTO ${qualified(database, table)} (${names})
      SELECT ${sources}, ${load} FROM ${checkedSource(read, checks, source, ['_path IN {paths:Array(String)}'])}
      SETTINGS ${settings}`,
    params: {
      ...location.params,
      format: format ?? 'JSONEachRow',
      structure: structureOf(fields, checks),
      compression: known ?? compressionName(compression ?? 'auto'),
      paths,
    },
  })
}

/** A statement that inserts no row: it fails if the table takes none. */
export function emptyStatement(pipe: PipeDocument): string {
  const { database, table } = destinationTableOf(pipe)
  return `INSERT INTO ${qualified(database, table)} SELECT * FROM ${qualified(database, table)} WHERE 0`
}

/** The structure of the files. Files without column names have columns c1, c2 and so on. */
function structureOf(fields: readonly MappedField[], checks: ReadonlyMap<string, CheckedColumn>): string {
  const positions = fields.map((field) => /^c(\d{1,4})$/.exec(field.source)?.[1])
  const isByPosition = positions.every((position) => position !== undefined)
  const known = new Map(fields.map(({ source, type }) => [source, checks.get(source)?.readAs ?? type]))
  const names = isByPosition
    ? Array.from({ length: Math.max(0, ...positions.map(Number)) }, (_, at) => `c${at + 1}`)
    : [...known.keys()]
  return names.map((name) => `${identifier(name)} ${known.get(name) ?? 'String'}`).join(', ')
}

/** The engine's names of compressions. */
export function compressionName(compression: string): string {
  return compression === 'LZMA' ? 'xz' : compression
}
