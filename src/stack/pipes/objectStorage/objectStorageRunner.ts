/** Runs object-storage pipes: loads each file exactly once. */
import type { Discovery } from '#contract/pipeDiscovery.ts'
import { refuse } from '../../refusal.ts'
import { EngineError } from '../../telemetry/engine/engineError.ts'
import {
  canRead,
  failedFiles,
  filesAfter,
  sourceSettings,
  listFiles,
  nextBatch,
  withoutKnown,
  withoutMissing,
  type SourceFile,
} from './sourceFiles.ts'
import { failFile, runLoad } from '../loads/loads.ts'
import { LoadStopped } from '../loads/loadStopped.ts'
import { totalsOf } from '../loads/loadTotals.ts'
import { isOfEngine } from '../records/badRows.ts'
import { compressionOf } from './fileLines.ts'
import { loadRecords, partlyLoaded } from './fileRecords.ts'
import { lineFormats } from './lineRows.ts'
import { locationOf, type Location } from './fileLocation.ts'
import { limitsOf, setting } from './objectStorageSettings.ts'
import { compressionName, copyStatement, emptyStatement, type Statement } from './objectStorageStatement.ts'
import { abortableSleep } from '../loads/abortableSleep.ts'
import type { PipeDocument } from '../model/pipeDocument.ts'
import type { Outcome, PipeRunner, RunnerParts } from '../loads/pipeRunner.ts'
import { checkDestination, destinationTableOf, engineTypes, prepareDestination } from '../loads/destinationTable.ts'
import { discoveryOf, previewRows } from '../loads/sourceSample.ts'
import { definitionOf, type Column } from '../loads/tableDefinition.ts'
import { waitingFiles, type WaitingFiles } from './waitingFiles.ts'

export function objectStorageRunner(parts: RunnerParts): PipeRunner {
  const { store, engine, fileRoots, checkHost, meter } = parts

  async function check(pipe: PipeDocument, signal: AbortSignal): Promise<void> {
    const location = await locationOf(pipe, fileRoots, checkHost)
    if (location.isLocal && engine.kind === 'cluster') {
      throw refuse('source.objectStorage.url: a cluster cannot read local files')
    }
    await checkDestination(pipe, engine)
    try {
      const listed = await listFiles(location, fileRoots, engine, { onlySettled: false, signal })
      // A URL is listed without checking that it exists.
      const unsized = listed.filter((file) => file.bytes === null).map((file) => file.path)
      if (unsized.length > 0) await canRead(location, unsized, engine, signal)
    } catch (error) {
      if (error instanceof EngineError)
        throw refuse(`failed to access ${pipe.source?.objectStorage?.url}: ${error.message}`)
      throw error
    }
  }

  async function run(pipe: PipeDocument, report: Parameters<PipeRunner['run']>[1], signal: AbortSignal) {
    const waiting = waitingFiles(meter, pipe.id)
    try {
      return await loadFiles(pipe, waiting, report, signal)
    } finally {
      waiting.end()
    }
  }

  async function loadFiles(
    pipe: PipeDocument,
    waiting: WaitingFiles,
    report: Parameters<PipeRunner['run']>[1],
    signal: AbortSignal,
  ): Promise<Outcome> {
    const location = await locationOf(pipe, fileRoots, checkHost)
    const isContinuous = pipe.source?.objectStorage?.isContinuous ?? false
    const statement = await prepare(pipe, location)
    const limits = limitsOf(pipe)
    const startAfter = pipe.source?.objectStorage?.startAfter
    for (;;) {
      const found = await listFiles(location, fileRoots, engine, { onlySettled: isContinuous, signal })
      const listed = await filesAfter(startAfter, found, location, fileRoots)
      const left = await withoutKnown(store, pipe.id, listed)
      const sized = left.filter((file) => file.bytes !== null)
      let done = listed.length - left.length
      let all = done + sized.length
      await report({ state: 'Running', detail: progress(done, all) })
      const loadAll = async (files: SourceFile[]) => {
        waiting.seen(files)
        for (let rest = files; rest.length > 0;) {
          const batch = nextBatch(rest, limits)
          await loadBatch(pipe, batch, { location, statement }, signal)
          signal.throwIfAborted()
          waiting.settled(batch)
          rest = rest.slice(batch.length)
          done += batch.length
          await report({ detail: progress(done, all) })
        }
      }
      await loadAll(sized)
      // After the others, so that one that cannot be reached does not hold them up.
      const unsized = await withoutMissing(
        location,
        left.filter((file) => file.bytes === null),
        engine,
        signal,
      )
      all += unsized.length
      await loadAll(unsized)
      if (!isContinuous) return outcome(pipe, all)
      await report({ detail: await continuousDetail(pipe) })
      await abortableSleep(setting(pipe, 'object_storage_polling_interval_ms', 30_000), signal)
    }
  }

  /** Loads the files of a batch together; one by one if that fails; and row by row if a file cannot be loaded as a whole. */
  async function loadBatch(
    pipe: PipeDocument,
    batch: readonly SourceFile[],
    source: { location: Location; statement: Statement },
    signal: AbortSignal,
  ): Promise<void> {
    const begun = await partlyLoaded(store, pipe.id)
    const whole = batch.filter(({ path }) => !begun.has(path))
    const failure = await loadWhole(pipe, whole, source.statement, signal)
    if (failure !== null && whole.length > 1) {
      for (const file of whole) await loadBatch(pipe, [file], source, signal)
    } else if (failure !== null) {
      for (const file of whole) await loadFailed(pipe, file, failure, source, signal)
    }
    for (const file of batch.filter(({ path }) => begun.has(path))) {
      await loadRows(pipe, file, source.location, signal)
    }
  }

  /** @returns why files could not be loaded; null if they were. @throws if it is not because of what is in them */
  async function loadWhole(
    pipe: PipeDocument,
    files: readonly SourceFile[],
    statement: Statement,
    signal: AbortSignal,
    compression?: string,
  ): Promise<Error | null> {
    if (files.length === 0) return null
    const target = destinationTableOf(pipe)
    const bytes = files.reduce((sum, file) => sum + (file.bytes ?? 0), 0)
    const paths = files.map((file) => file.path)
    try {
      await runLoad(parts, { pipeId: pipe.id, target, paths, bytes, statement: statement(paths, compression) }, signal)
      return null
    } catch (error) {
      if (signal.aborted || !isOfEngine(error)) throw error
      return error
    }
  }

  async function loadFailed(
    pipe: PipeDocument,
    file: SourceFile,
    failure: Error,
    { location, statement }: { location: Location; statement: Statement },
    signal: AbortSignal,
  ): Promise<void> {
    const { format } = pipe.source?.objectStorage ?? {}
    const asGiven = { location, path: file.path, compression: givenCompression(pipe) }
    try {
      // If the table takes rows, and the bytes of the file can be read, it is what is in the file.
      await engine.load(emptyStatement(pipe), { signal })
      const found = await compressionOf(asGiven, engine, signal)
      const again = await loadWhole(pipe, [file], statement, signal, found)
      if (again === null) return
      if (lineFormats.has(format ?? 'JSONEachRow') && (await loadRows(pipe, file, location, signal))) return
      await failFile(store, pipe.id, file.path, again.message)
    } catch (error) {
      if (signal.aborted || !(error instanceof Error)) throw error
      throw new LoadStopped(file.path, isOfEngine(error) ? failure : error)
    }
  }

  async function loadRows(
    pipe: PipeDocument,
    file: SourceFile,
    location: Location,
    signal: AbortSignal,
  ): Promise<boolean> {
    const from = Number((await partlyLoaded(store, pipe.id)).get(file.path) ?? 0)
    const asGiven = { location, path: file.path, compression: givenCompression(pipe) }
    const compression = await compressionOf(asGiven, engine, signal)
    return loadRecords(parts, pipe, { ...asGiven, compression }, from, signal)
  }

  /** Creates the table, and the statement that copies files into it. */
  async function prepare(pipe: PipeDocument, location: Location): Promise<Statement> {
    await prepareDestination(pipe, engine)
    return copyStatement(pipe, location, await engineTypes(definitionOf(pipe).columns, engine))
  }

  async function outcome(pipe: PipeDocument, files: number): Promise<Outcome> {
    const failed = await failedFiles(store, pipe.id)
    if (failed.count > 0) {
      return { state: 'Failed', detail: `${failed.count} of ${files} files could not be read. ${failed.first}` }
    }
    return { state: 'Completed', detail: `${files} ${files === 1 ? 'file' : 'files'} loaded${await badRecords(pipe)}` }
  }

  /** What to add to a state. */
  async function badRecords(pipe: PipeDocument): Promise<string> {
    const { badRecords: count } = await totalsOf(store, pipe.id)
    return count === 0 ? '' : `. ${count} bad ${count === 1 ? 'row' : 'rows'}, see their table`
  }

  async function continuousDetail(pipe: PipeDocument): Promise<string> {
    const failed = await failedFiles(store, pipe.id)
    const wait = `all files loaded, waiting for new ones${await badRecords(pipe)}`
    return failed.count === 0 ? wait : `${wait}. ${failed.count} could not be read. ${failed.first}`
  }

  async function sample(pipe: PipeDocument, signal: AbortSignal): Promise<Discovery> {
    const location = await locationOf(pipe, fileRoots, checkHost)
    const { format, compression, url } = pipe.source?.objectStorage ?? {}
    const source = `${location.call}, {format:String}, 'auto', {compression:String})`
    const params = {
      ...location.params,
      format: format ?? 'JSONEachRow',
      compression: compressionName(compression ?? 'auto'),
    }
    try {
      const columns = await engine.query<Column>(`DESCRIBE ${source} SETTINGS ${sourceSettings}`, { params, signal })
      const rows = await engine.query<Record<string, unknown>>(
        `SELECT * FROM ${source} LIMIT ${previewRows} SETTINGS ${sourceSettings}`,
        { params, signal },
      )
      return discoveryOf(columns, rows, rows.length)
    } catch (error) {
      if (error instanceof EngineError && !signal.aborted) throw refuse(`failed to access ${url}: ${error.message}`)
      throw error
    }
  }

  return { check, sample, run }
}

function givenCompression(pipe: PipeDocument): string {
  return compressionName(pipe.source?.objectStorage?.compression ?? 'auto')
}

function progress(done: number, all: number): string {
  return `${done} of ${all} ${all === 1 ? 'file' : 'files'} loaded`
}
