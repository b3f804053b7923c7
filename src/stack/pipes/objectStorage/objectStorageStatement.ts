/** The statement that loads files of an object-storage pipe into its table. */
import { sourceSettings } from './sourceFiles.ts'
import type { Location } from './fileLocation.ts'
import { statementSettings } from './objectStorageSettings.ts'
import type { PipeDocument } from '../model/pipeDocument.ts'
import { identifier, qualified } from '../loads/sqlNames.ts'
import { loadColumn, destinationTableOf } from '../loads/destinationTable.ts'
import type { Column } from '../loads/tableDefinition.ts'
import { mappedFields, type MappedField } from '../loads/fieldMapping.ts'

/** The statement for some of the files, and its parameters. */
export type Statement = (
  paths: readonly string[],
) => (load: number) => { sql: string; params: Record<string, string | readonly string[]> }

/** INSERT … SELECT from the files, with the mapped fields under the names of their columns. */
export function copyStatement(pipe: PipeDocument, location: Location, columns: readonly Column[]): Statement {
  const { database, table } = destinationTableOf(pipe)
  const fields = mappedFields(pipe, columns)
  const { format = 'JSONEachRow', compression = 'auto' } = pipe.source?.objectStorage ?? {}
  const names = [...fields.map((field) => field.destination), loadColumn].map(identifier).join(', ')
  const sources = fields.map((field) => identifier(field.source)).join(', ')
  // A file that went away since it was listed must not count as loaded.
  const settings = [...statementSettings(pipe), sourceSettings, 'http_skip_not_found_url_for_globs = 0'].join(', ')
  return (paths) => (load) => ({
    sql: `INSERT INTO ${qualified(database, table)} (${names})
      SELECT ${sources}, ${load} FROM ${location.call}, {format:String}, {structure:String}, {compression:String})
      WHERE _path IN {paths:Array(String)} SETTINGS ${settings}`,
    params: {
      ...location.params,
      format: format ?? 'JSONEachRow',
      structure: structureOf(fields),
      compression: compressionName(compression ?? 'auto'),
      paths,
    },
  })
}

/** The structure of the files. Files without column names have columns c1, c2 and so on. */
function structureOf(fields: readonly MappedField[]): string {
  const positions = fields.map((field) => /^c(\d{1,4})$/.exec(field.source)?.[1])
  const isByPosition = positions.every((position) => position !== undefined)
  const known = new Map(fields.map((field) => [field.source, field.type]))
  const names = isByPosition
    ? Array.from({ length: Math.max(0, ...positions.map(Number)) }, (_, at) => `c${at + 1}`)
    : [...known.keys()]
  return names.map((name) => `${identifier(name)} ${known.get(name) ?? 'String'}`).join(', ')
}

/** The engine's names of compressions. */
export function compressionName(compression: string): string {
  return compression === 'LZMA' ? 'xz' : compression
}
