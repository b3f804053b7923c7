/** The statement that loads files of an object-storage pipe into its table. */
import { sourceSettings } from './sourceFiles.ts'
import type { Location } from './fileLocation.ts'
import { readingSettings, statementSettings } from './objectStorageSettings.ts'
import type { PipeDocument } from '../model/pipeDocument.ts'
import { identifier, qualified } from '../loads/sqlNames.ts'
import { loadColumn, destinationTableOf } from '../loads/destinationTable.ts'
import type { Column } from '../loads/tableDefinition.ts'
import type { CheckedColumn } from '../values/checkedReading.ts'
import { checkedSource } from '../values/checkedSource.ts'
import { withoutNulls, nullReading } from '../values/nullReading.ts'
import { lineFormats } from './lineRows.ts'
import { mappedFields, readField, type MappedField } from '../loads/fieldMapping.ts'

interface Sql {
  sql: string
  params: Record<string, string | readonly string[]>
}

/** How files are read. */
interface FileReading {
  /** Default: that of the pipe. */
  compression?: string | undefined
  /** Whether nulls become the default of their column. Else the statement fails for one whose column has none. */
  acceptsNulls: boolean
}

/** The statements about some of the files of a pipe. */
export interface FileStatements {
  copy(paths: readonly string[], reading: FileReading): (load: number) => Sql
  /** Counts the nulls of fields whose columns have none: one row. Null if there are no such fields. */
  countNulls(paths: readonly string[], compression?: string): Sql | null
}

/** INSERT … SELECT from the files, with the mapped fields under the names of their columns. */
export function fileStatements(pipe: PipeDocument, location: Location, columns: readonly Column[]): FileStatements {
  const { database, table } = destinationTableOf(pipe)
  const fields = mappedFields(pipe, columns)
  const { format = 'JSONEachRow', compression = 'auto' } = pipe.source?.objectStorage ?? {}
  const isStrict = pipe.settings?.['reject_null_values'] === true
  const isJson = (format ?? 'JSONEachRow') === 'JSONEachRow'
  // Other formats have types of their own.
  const isChecked = lineFormats.has(format ?? 'JSONEachRow')
  const hasElements = isJson || !isChecked
  const { fields: checks, places } = nullReading(fields, { isChecked, hasElements, findsParts: !isJson || isStrict })
  const read = [...new Set(fields.map((field) => field.source))]
  const names = [...fields.map((field) => field.destination), loadColumn].map(identifier).join(', ')
  const sources = fields.map((field) => identifier(field.source)).join(', ')
  // A file that went away since it was listed must not count as loaded.
  const reading = [sourceSettings, 'http_skip_not_found_url_for_globs = 0']
  const settings = [...statementSettings(pipe), ...reading]
  const source = `${location.call}, {format:String}, {structure:String}, {compression:String})`
  const ofPaths = '_path IN {paths:Array(String)}'
  const paramsOf = (paths: readonly string[], known: string | undefined) => ({
    ...location.params,
    format: format ?? 'JSONEachRow',
    structure: structureOf(fields, checks),
    compression: known ?? compressionName(compression ?? 'auto'),
    paths,
  })
  return {
    copy: (paths, { compression: known, acceptsNulls }) => {
      const conditions = [ofPaths, ...(acceptsNulls ? [] : withoutNulls(places))]
      // No condition tells a null from an empty array, map or tuple.
      const refused = isStrict && hasElements && !acceptsNulls ? ['input_format_null_as_default = 0'] : []
      const from = checkedSource(read, checks, source, conditions)
      return (load) => ({
        sql: `INSERT INTO ${qualified(database, table)} (${names}) SELECT ${sources}, ${load} FROM ${from} SETTINGS ${[...settings, ...refused].join(', ')}`,
        params: paramsOf(paths, known),
      })
    },
    countNulls: (paths, known) => {
      if (places.length === 0) return null
      const counts = places.map(({ field, count }) => `toString(sum(${count})) AS ${identifier(field)}`)
      return {
        sql: `SELECT ${counts.join(', ')} FROM ${source} WHERE ${ofPaths} SETTINGS ${[...readingSettings(pipe), ...reading].join(', ')}`,
        params: paramsOf(paths, known),
      }
    },
  }
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
  const known = new Map(
    fields.map((field) => [field.source, readField(field, checks.get(field.source)?.readAs ?? field.type)]),
  )
  const names = isByPosition
    ? Array.from({ length: Math.max(0, ...positions.map(Number)) }, (_, at) => `c${at + 1}`)
    : [...known.keys()]
  return names.map((name) => known.get(name) ?? `${identifier(name)} String`).join(', ')
}

/** The engine's names of compressions. */
export function compressionName(compression: string): string {
  return compression === 'LZMA' ? 'xz' : compression
}
