/** Object-storage pipes: real files into a real table, each file once. */
import type { Pipe } from '#contract/pipes.ts'
import { refuse } from '../errors.ts'
import { EngineError } from '../telemetry/engineError.ts'
import {
  failedFiles,
  sourceManners,
  listFiles,
  nextBatch,
  withoutKnown,
  type BatchLimits,
  type SourceFile,
} from './files.ts'
import { failFile, runLoad } from './loads.ts'
import { locationOf, type Location } from './location.ts'
import { pause } from './pause.ts'
import type { PipeDocument } from './pipeDocument.ts'
import type { Outcome, PipeRunner, RunnerParts } from './runner.ts'
import { identifier, literal, qualified } from './sql.ts'
import {
  adoptTable,
  checkDefinition,
  definitionOf,
  engineTypes,
  ensureTable,
  loadColumn,
  targetOf,
  type Column,
} from './target.ts'

/** What 0, the automatic concurrency, means on one machine. */
const automaticConcurrency = 4

/** The engine's codes for what is wrong with a file itself. Anything else is not the file's fault, and the pipe's trouble. */
const dataErrors = new Set([
  6, 26, 27, 33, 38, 41, 53, 69, 70, 72, 73, 117, 131, 321, 349, 469, 636, 675, 1000, 1001, 1002,
])

export function objectStorageRunner(parts: RunnerParts): PipeRunner {
  const { store, engine, fileRoots, reach } = parts

  async function check(pipe: PipeDocument, signal: AbortSignal): Promise<void> {
    const location = await locationOf(pipe, fileRoots, reach)
    if (location.isLocal && engine.kind === 'cluster') {
      throw refuse('source.objectStorage.url: a cluster cannot read files of this machine')
    }
    const definition = definitionOf(pipe)
    if (pipe.destination?.managedTable) await checkDefinition(definition, engine)
    else await adoptTable(targetOf(pipe), engine)
    try {
      const listed = await listFiles(location, fileRoots, engine, { onlySettled: false, signal })
      // An address is listed without asking whether there is anything.
      if (listed.some((file) => file.bytes === null)) {
        const lines = `${location.call}, 'LineAsString', 'line String', 'none')`
        await engine.query(`SELECT 1 FROM ${lines} LIMIT 1 SETTINGS ${sourceManners}`, {
          params: location.params,
          signal,
        })
      }
    } catch (error) {
      if (error instanceof EngineError)
        throw refuse(`failed to access ${pipe.source?.objectStorage?.url}: ${error.message}`)
      throw error
    }
  }

  async function run(pipe: PipeDocument, report: Parameters<PipeRunner['run']>[1], signal: AbortSignal) {
    const location = await locationOf(pipe, fileRoots, reach)
    const isContinuous = pipe.source?.objectStorage?.isContinuous ?? false
    const statement = await prepare(pipe, location)
    const limits = limitsOf(pipe)
    for (;;) {
      const listed = await listFiles(location, fileRoots, engine, { onlySettled: isContinuous, signal })
      let left = await withoutKnown(store, pipe.id, listed)
      await report({ state: 'Running', detail: progress(listed.length - left.length, listed.length) })
      while (left.length > 0) {
        const batch = nextBatch(left, limits)
        await loadBatch(pipe, batch, statement, signal)
        signal.throwIfAborted()
        left = left.slice(batch.length)
        await report({ detail: progress(listed.length - left.length, listed.length) })
      }
      if (!isContinuous) return outcome(pipe, listed.length)
      await report({ detail: await continuousDetail(pipe) })
      await pause(setting(pipe, 'object_storage_polling_interval_ms', 30_000), signal)
    }
  }

  /** Loads all files of a batch; where one of them cannot be read, each on its own. */
  async function loadBatch(
    pipe: PipeDocument,
    batch: readonly SourceFile[],
    statement: Statement,
    signal: AbortSignal,
  ): Promise<void> {
    const target = targetOf(pipe)
    const bytes = batch.reduce((sum, file) => sum + (file.bytes ?? 0), 0)
    const paths = batch.map((file) => file.path)
    try {
      await runLoad(store, engine, { pipeId: pipe.id, target, paths, bytes, statement: statement(paths) }, signal)
    } catch (error) {
      if (signal.aborted || !(error instanceof EngineError) || !dataErrors.has(error.code)) throw error
      const [only, ...others] = batch
      if (only && others.length === 0) {
        await failFile(store, pipe.id, only.path, error.message)
        return
      }
      for (const file of batch) await loadBatch(pipe, [file], statement, signal)
    }
  }

  /** Makes the table, and the statement that copies files into it. */
  async function prepare(pipe: PipeDocument, location: Location): Promise<Statement> {
    const target = targetOf(pipe)
    if (pipe.destination?.managedTable) await ensureTable(target, definitionOf(pipe), engine)
    else await adoptTable(target, engine)
    return copyStatement(pipe, location, await engineTypes(definitionOf(pipe).columns, engine))
  }

  async function outcome(pipe: PipeDocument, files: number): Promise<Outcome> {
    const failed = await failedFiles(store, pipe.id)
    if (failed.count > 0) {
      return { state: 'Failed', detail: `${failed.count} of ${files} files could not be read. ${failed.first}` }
    }
    return { state: 'Completed', detail: `${files} ${files === 1 ? 'file' : 'files'} loaded` }
  }

  async function continuousDetail(pipe: PipeDocument): Promise<string> {
    const failed = await failedFiles(store, pipe.id)
    const wait = 'all files loaded; waiting for new ones'
    return failed.count === 0 ? wait : `${wait}. ${failed.count} could not be read. ${failed.first}`
  }

  return { check, run }
}

function progress(done: number, all: number): string {
  return `${done} of ${all} ${all === 1 ? 'file' : 'files'} loaded`
}

type Statement = (
  paths: readonly string[],
) => (load: number) => { sql: string; params: Record<string, string | readonly string[]> }

/** INSERT … SELECT from the files, the mapped fields under their columns' names. */
function copyStatement(pipe: PipeDocument, location: Location, columns: readonly Column[]): Statement {
  const { database, table } = targetOf(pipe)
  const types = new Map(columns.map((column) => [column.name, column.type]))
  const fields = (pipe.fieldMappings ?? []).map(({ sourceField = '', destinationField = '' }) => ({
    source: sourceField,
    destination: destinationField,
    type: types.get(destinationField) ?? 'String',
  }))
  const { format = 'JSONEachRow', compression = 'auto' } = pipe.source?.objectStorage ?? {}
  const names = [...fields.map((field) => field.destination), loadColumn].map(identifier).join(', ')
  const sources = fields.map((field) => identifier(field.source)).join(', ')
  const settings = settingsOf(pipe)
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

interface Field {
  source: string
  type: string
}

/** What the files hold, as far as it is wanted. Files without names have columns c1, c2 and so on. */
function structureOf(fields: readonly Field[]): string {
  const positions = fields.map((field) => /^c(\d{1,4})$/.exec(field.source)?.[1])
  const isByPosition = positions.every((position) => position !== undefined)
  const known = new Map(fields.map((field) => [field.source, field.type]))
  const names = isByPosition
    ? Array.from({ length: Math.max(0, ...positions.map(Number)) }, (_, at) => `c${at + 1}`)
    : [...known.keys()]
  return names.map((name) => `${identifier(name)} ${known.get(name) ?? 'String'}`).join(', ')
}

/** `gz` and the like are the engine's own names; the others are not. */
function compressionName(compression: string): string {
  return compression === 'LZMA' ? 'xz' : compression
}

/** How many files are read at a time: the setting where it is given, else the scaling, 0 being automatic. */
function concurrencyOf(pipe: Pick<Pipe, 'scaling' | 'settings'>): number {
  const set = pipe.settings?.['object_storage_concurrency']
  if (typeof set === 'number') return set
  return pipe.scaling?.concurrency || automaticConcurrency
}

function limitsOf(pipe: PipeDocument): BatchLimits {
  return {
    files: setting(pipe, 'object_storage_max_file_count', 100),
    bytes: setting(pipe, 'object_storage_max_insert_bytes', 10_737_418_240),
  }
}

function setting(pipe: PipeDocument, key: string, usual: number): number {
  const value = pipe.settings?.[key]
  return typeof value === 'number' ? value : usual
}

/** Block size of a small machine: the documented default is meant for servers. */
const blockBytes = 64 * 1024 ** 2

function settingsOf(pipe: PipeDocument): string {
  const threads = setting(pipe, 'db_max_threads', 0)
  const concurrency = concurrencyOf(pipe)
  const delimiter = pipe.source?.objectStorage?.delimiter
  return [
    'insert_allow_materialized_columns = 1',
    `max_threads = ${threads === 0 ? concurrency : Math.min(threads, concurrency)}`,
    `max_insert_threads = ${setting(pipe, 'db_max_insert_threads', 1)}`,
    `min_insert_block_size_bytes = ${setting(pipe, 'db_min_insert_block_size_bytes', blockBytes)}`,
    `max_download_threads = ${setting(pipe, 'db_max_download_threads', 4)}`,
    `parallel_view_processing = ${pipe.settings?.['db_parallel_view_processing'] === true ? 1 : 0}`,
    'input_format_skip_unknown_fields = 1',
    sourceManners,
    "date_time_input_format = 'best_effort'",
    ...(delimiter ? [`format_csv_delimiter = ${literal(delimiter)}`] : []),
  ].join(', ')
}
