/** Loads files of an object-storage pipe: as a whole, or row by row those that cannot be. */
import type { Queries } from '../../store/store.ts'
import { failFile, runLoad, type LoadDependencies, type LoadPlan } from '../loads/loads.ts'
import { LoadStopped } from '../loads/loadStopped.ts'
import { countNulls } from '../loads/loadTotals.ts'
import { qualified } from '../loads/sqlNames.ts'
import { destinationTableOf } from '../loads/destinationTable.ts'
import type { PipeDocument } from '../model/pipeDocument.ts'
import { isOfEngine } from '../records/badRows.ts'
import { errorTableOf } from '../records/errorTable.ts'
import { changeRows, hasErrors } from '../records/streamErrors.ts'
import { compressionOf, whyOtherFormat } from './fileKind.ts'
import type { Location } from './fileLocation.ts'
import { loadRecords, partlyLoaded } from './fileRecords.ts'
import { lineFormats } from './lineRows.ts'
import { compressionName, emptyStatement, type FileStatements } from './objectStorageStatement.ts'
import { keyProblem, type SourceFile } from './sourceFiles.ts'

interface FileDependencies extends LoadDependencies {
  pipeWord: string
}

/** The sources that the loads of a run read from. */
export interface FileSource {
  location: Location
  statements: FileStatements
  /** Whether files had nulls for columns that have none. */
  hasNulls: boolean
  /** Whether the source lists a file now. */
  isListed(path: string): Promise<boolean>
}

/** Loads the files of a batch together; one by one if that fails; and row by row if a file cannot be loaded as a whole. */
export async function loadBatch(
  parts: FileDependencies,
  pipe: PipeDocument,
  files: readonly SourceFile[],
  source: FileSource,
  signal: AbortSignal,
): Promise<void> {
  const readable: SourceFile[] = []
  for (const file of files) {
    const problem = keyProblem(file, source.location)
    if (problem === null) readable.push(file)
    else await failFile(parts.store, pipe.id, file.path, problem)
  }
  return loadReadable(parts, pipe, readable, source, signal)
}

async function loadReadable(
  parts: FileDependencies,
  pipe: PipeDocument,
  batch: readonly SourceFile[],
  source: FileSource,
  signal: AbortSignal,
): Promise<void> {
  const begun = await partlyLoaded(parts.store, pipe.id)
  const whole = batch.filter(({ path }) => !begun.has(path))
  const failure = await loadWhole(parts, pipe, whole, source, signal)
  if (failure !== null && whole.length > 1) {
    for (const file of whole) await loadReadable(parts, pipe, [file], source, signal)
  } else if (failure !== null) {
    for (const file of whole) await loadFailed(parts, pipe, file, failure, source, signal)
  }
  for (const file of batch.filter(({ path }) => begun.has(path))) {
    await loadRows(parts, pipe, file, source.location, signal).catch((error: unknown) => {
      throw signal.aborted ? error : stoppedAt(file, error)
    })
  }
}

/** An error of a file, with its place. */
function stoppedAt({ path }: SourceFile, error: unknown): unknown {
  return error instanceof LoadStopped || !(error instanceof Error) ? error : new LoadStopped(path, error)
}

/** @returns why files could not be loaded; null if they were. @throws if it is not because of what is in them */
async function loadWhole(
  parts: FileDependencies,
  pipe: PipeDocument,
  files: readonly SourceFile[],
  source: FileSource,
  signal: AbortSignal,
  compression?: string,
): Promise<Error | null> {
  if (files.length === 0) return null
  const { copy } = source.statements
  const paths = files.map((file) => file.path)
  const plan = {
    pipeId: pipe.id,
    target: destinationTableOf(pipe),
    paths,
    bytes: files.reduce((sum, file) => sum + (file.bytes ?? 0), 0),
  }
  try {
    // Nulls are only counted once there are some: that reads the files again.
    const first = source.hasNulls
      ? null
      : await refusal({ ...plan, statement: copy(paths, { compression, acceptsNulls: false }) })
    if (!source.hasNulls && (first === null || pipe.settings?.['reject_null_values'] === true)) return first
    const nulls = await nullsIn(parts, source.statements.countNulls(paths, compression), signal)
    if (first !== null && nulls.size === 0) return first
    source.hasNulls = true
    const whenDone = (transaction: Queries) => countNulls(transaction, pipe.id, nulls)
    return await refusal({ ...plan, statement: copy(paths, { compression, acceptsNulls: true }), whenDone })
  } catch (error) {
    return refusalOf(error, signal)
  }

  async function refusal(load: LoadPlan): Promise<Error | null> {
    return runLoad(parts, load, signal).then(
      () => forgetBadRows(parts, pipe, paths).then(() => null),
      (error: unknown) => refusalOf(error, signal),
    )
  }
}

/** Removes the bad rows of files whose load row by row was not completed, and that are loaded as a whole by now. */
async function forgetBadRows(
  { engine, pipeWord }: FileDependencies,
  pipe: PipeDocument,
  paths: readonly string[],
): Promise<void> {
  const errorTable = errorTableOf(destinationTableOf(pipe), pipeWord)
  if (!(await hasErrors({ engine, errorTable }))) return
  const listed = await engine.query<{ topic: string }>(
    `SELECT DISTINCT topic FROM ${qualified(errorTable.database, errorTable.table)}
     WHERE pipe_id = {pipeId:String} AND topic IN {paths:Array(String)}`,
    { params: { pipeId: pipe.id, paths } },
  )
  for (const { topic } of listed) {
    await changeRows({ engine, pipeId: pipe.id, topic, errorTable }, 'DELETE', { condition: '1', params: {} })
  }
}

async function nullsIn(
  { engine }: FileDependencies,
  sql: ReturnType<FileStatements['countNulls']>,
  signal: AbortSignal,
): Promise<Map<string, number>> {
  if (sql === null) return new Map()
  const [counts = {}] = await engine.query<Record<string, string>>(sql.sql, {
    params: sql.params,
    signal,
    maxSeconds: 3600,
  })
  return new Map(Object.entries(counts).flatMap(([field, count]) => (count === '0' ? [] : [[field, Number(count)]])))
}

async function loadFailed(
  parts: FileDependencies,
  pipe: PipeDocument,
  file: SourceFile,
  failure: Error,
  source: FileSource,
  signal: AbortSignal,
): Promise<void> {
  const { store, engine } = parts
  const { format } = pipe.source?.objectStorage ?? {}
  const { location } = source
  const asGiven = { location, path: file.path, compression: givenCompression(pipe) }
  try {
    // If the table accepts rows and the bytes of the file can be read, the content of the file is the cause.
    await engine.load(emptyStatement(pipe), { signal })
    const found = await compressionOf(asGiven, engine, signal)
    const again = await loadWhole(parts, pipe, [file], source, signal, found)
    if (again === null) return
    const other = await whyOtherFormat({ ...asGiven, compression: found }, format ?? 'JSONEachRow', engine, signal)
    if (other !== null) return await failFile(store, pipe.id, file.path, other)
    if (lineFormats.has(format ?? 'JSONEachRow') && (await loadRows(parts, pipe, file, location, signal))) return
    await failFile(store, pipe.id, file.path, again.message)
  } catch (error) {
    if (!signal.aborted && isOfEngine(error) && isMissing(error, location)) {
      // A file that was deleted after it was listed did not fail: it is no longer part of the source.
      if (await source.isListed(file.path)) await failFile(store, pipe.id, file.path, missing)
      return
    }
    throw signal.aborted ? error : stoppedAt(file, isOfEngine(error) ? failure : error)
  }
}

const missing = 'the bucket lists it, and does not have it under the key that the engine asks for'

/** Whether a bucket says that it does not have an object. */
function isMissing(error: Error, { call }: Location): boolean {
  return call.startsWith('s3(') && /HTTP response code: 404\b/.test(error.message)
}

async function loadRows(
  parts: FileDependencies,
  pipe: PipeDocument,
  file: SourceFile,
  location: Location,
  signal: AbortSignal,
): Promise<boolean> {
  const { store, engine } = parts
  const from = Number((await partlyLoaded(store, pipe.id)).get(file.path) ?? 0)
  const asGiven = { location, path: file.path, compression: givenCompression(pipe) }
  const compression = await compressionOf(asGiven, engine, signal)
  return loadRecords(parts, pipe, { ...asGiven, compression }, from, signal)
}

/** The error of the engine about what it read. @throws any other */
function refusalOf(error: unknown, signal: AbortSignal): Error {
  if (signal.aborted || !isOfEngine(error)) throw error
  return error
}

/** The engine's name of the compression that a pipe says. */
export function givenCompression(pipe: PipeDocument): string {
  return compressionName(pipe.source?.objectStorage?.compression ?? 'auto')
}
