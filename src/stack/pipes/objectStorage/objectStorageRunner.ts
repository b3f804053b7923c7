/** Runs object-storage pipes: loads each file exactly once. */
import type { Discovery } from '#contract/cloud/pipes/pipeDiscovery.ts'
import { counted } from '#domain/text/words.ts'
import { refuse } from '../../refusal.ts'
import { EngineAborted, EngineError } from '../../telemetry/engine/engineError.ts'
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
  waitingFiles,
  type WaitingFiles,
} from './sourceFiles.ts'
import { recordNotes } from '../loads/recordNotes.ts'
import { compressionOf } from './fileKind.ts'
import { givenCompression, loadBatch, type FileSource } from './fileLoads.ts'
import { dropLineCopies, lineCopies } from './fileLines.ts'
import { partlyLoaded } from './fileRecords.ts'
import { completedAgain, wasCompleteAtRequest, isRequested, requestRows, resendRows } from './resendRows.ts'
import { isBelow, locationOf, type FileToRead, type Location } from './fileLocation.ts'
import { limitsOf, setting } from './objectStorageSettings.ts'
import { columnsOfFiles, readFiles } from './fileColumns.ts'
import { fileStatements, type FileStatements } from './objectStorageStatement.ts'
import { abortableSleep } from '../loads/abortableSleep.ts'
import type { PipeDocument } from '../model/pipeDocument.ts'
import { pipeRows } from '../model/pipeRows.ts'
import type { Outcome, PipeRunner, RunnerDependencies } from '../loads/pipeRunner.ts'
import { unreachedHost } from '../../net/unreachedHost.ts'
import { checkDestination, destinationTableOf, prepareDestination } from '../loads/destinationTable.ts'
import { loadedColumns } from '../values/loadedColumns.ts'
import { discoveryOf, previewRows } from '../loads/sourceSample.ts'
import type { Column } from '../loads/tableDefinition.ts'

export function objectStorageRunner(parts: RunnerDependencies): PipeRunner {
  const { store, engine, fileRoots, checkHost, meter, pauses } = parts

  /** Checks the form and the table. Whether the files can be read shows when the pipe runs. */
  async function check(pipe: PipeDocument): Promise<void> {
    const location = await locationOf(pipe, fileRoots, checkHost)
    if (location.isLocal && engine.kind === 'remote') {
      throw refuse('source.objectStorage.url: a ClickHouse server cannot read local files')
    }
    if (pipe.destination?.columns) await checkDestination(pipe, engine)
  }

  /** Stores the columns that the files have: the pipe starts again with them. */
  async function findColumns(pipe: PipeDocument, location: Location, signal: AbortSignal): Promise<void> {
    const columns = await accessing(pipe, () => columnsOfFiles(pipe, location, engine, signal))
    await store.write(async (transaction) => {
      const stored = await pipeRows.get(transaction, pipe.id)
      if (!stored || stored.destination?.columns) return
      await pipeRows.update(transaction, { ...stored, destination: { ...stored.destination, columns: [...columns] } })
    })
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
  ): Promise<Outcome | null> {
    const location = await locationOf(pipe, fileRoots, checkHost)
    if (!pipe.destination?.columns) {
      await findColumns(pipe, location, signal)
      return null
    }
    const isContinuous = pipe.source?.objectStorage?.isContinuous ?? false
    const isListed = async (path: string) => {
      const listed = await listFiles(location, fileRoots, engine, { onlySettled: false, signal })
      return listed.some((file) => file.path === path)
    }
    const source: FileSource = { location, statements: await prepare(pipe, location), hasNulls: false, isListed }
    const limits = limitsOf(pipe)
    const startAfter = pipe.source?.objectStorage?.startAfter
    for (;;) {
      await resendRows({ ...parts, fileOf: (path) => fileOf(pipe, location, path, signal) }, pipe, signal)
      const found = await accessing(pipe, () =>
        listFiles(location, fileRoots, engine, { onlySettled: isContinuous, signal }),
      )
      const matching = await filesAfter(startAfter, found, location, fileRoots)
      const unknown = await withoutKnown(store, pipe.id, matching)
      const left = (await wasCompleteAtRequest(store, pipe.id)) ? await onlyBegun(pipe, unknown) : unknown
      const listed = matching.filter((file) => left.includes(file) || !unknown.includes(file))
      const sized = left.filter((file) => file.bytes !== null)
      let done = listed.length - left.length
      let all = done + sized.length
      await report({ state: 'Running', detail: progress(done, all) })
      const loadAll = async (files: SourceFile[]) => {
        waiting.seen(files)
        for (let rest = files; rest.length > 0;) {
          const batch = nextBatch(rest, limits)
          await loadBatch(parts, pipe, batch, source, signal)
          signal.throwIfAborted()
          waiting.settled(batch)
          rest = rest.slice(batch.length)
          done += batch.length
          await report({ detail: progress(done, all) })
        }
      }
      await loadAll(sized)
      // After the others, so that one that cannot be reached does not hold them up.
      const withoutSize = left.filter((file) => file.bytes === null)
      const unsized = await accessing(pipe, () => withoutMissing(location, withoutSize, engine, signal))
      all += unsized.length
      await loadAll(unsized)
      if (!isContinuous && (await isRequested(store, pipe.id))) continue
      if (!isContinuous) return outcome(pipe, all)
      await report({ detail: await continuousDetail(pipe) })
      await untilNextPoll(pipe, signal)
    }
  }

  /** @throws Error with the address, and whether it was reached, for a failure of the engine: it is tried again */
  async function accessing<T>(pipe: PipeDocument, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof EngineError) || error instanceof EngineAborted) throw error
      throw new Error(await accessProblem(pipe, error), { cause: error })
    }
  }

  async function accessProblem(pipe: PipeDocument, { message }: EngineError): Promise<string> {
    const url = pipe.source?.objectStorage?.url ?? ''
    return `failed to access ${url}: ${(await unreachedHost(url, checkHost)) ?? message}`
  }

  /** Waits for the polling interval, or for a request. */
  async function untilNextPoll(pipe: PipeDocument, signal: AbortSignal): Promise<void> {
    const until = performance.now() + setting(pipe, 'object_storage_polling_interval_ms', 30_000)
    for (let left = until - performance.now(); left > 0; left = until - performance.now()) {
      await abortableSleep(Math.min(left, pauses.requestCheck), signal)
      if (await isRequested(store, pipe.id)) return
    }
  }

  /** The files that were loaded in part. */
  async function onlyBegun(pipe: PipeDocument, files: readonly SourceFile[]): Promise<SourceFile[]> {
    const begun = await partlyLoaded(store, pipe.id)
    return files.filter(({ path }) => begun.has(path))
  }

  /** A file that may be read again; null if it is not there any more. */
  async function fileOf(
    pipe: PipeDocument,
    location: Location,
    path: string,
    signal: AbortSignal,
  ): Promise<FileToRead | null> {
    if (location.isLocal && !(await isBelow(path, fileRoots).catch(() => false))) return null
    if (!(await canRead(location, [path], engine, signal))) return null
    const asGiven = { location, path, compression: givenCompression(pipe) }
    return { ...asGiven, compression: await compressionOf(asGiven, engine, signal) }
  }

  /** Creates the table, and the statements that copy files into it. */
  async function prepare(pipe: PipeDocument, location: Location): Promise<FileStatements> {
    await prepareDestination(pipe, engine)
    await dropLineCopies(lineCopies(destinationTableOf(pipe), pipe.id), engine)
    return fileStatements(pipe, location, await loadedColumns(pipe, engine))
  }

  async function outcome(pipe: PipeDocument, files: number): Promise<Outcome> {
    const failed = await failedFiles(store, pipe.id)
    const notes = await recordNotes(store, pipe.id)
    if (failed.count > 0) {
      const unread = [`${failed.count} of ${files} files could not be read`, failed.first]
      return { state: 'Failed', detail: [...unread, ...notes].join('. ') }
    }
    await store.write((transaction) => completedAgain(transaction, pipe.id))
    return { state: 'Completed', detail: [`${counted(files, 'file')} loaded`, ...notes].join('. ') }
  }

  async function continuousDetail(pipe: PipeDocument): Promise<string> {
    const failed = await failedFiles(store, pipe.id)
    const notes = await recordNotes(store, pipe.id)
    const unread = failed.count === 0 ? [] : [`${failed.count} could not be read`, failed.first]
    return ['all files loaded, waiting for new ones', ...notes, ...unread].join('. ')
  }

  async function sample(pipe: PipeDocument, signal: AbortSignal): Promise<Discovery> {
    const location = await locationOf(pipe, fileRoots, checkHost)
    const { sql: source, params } = readFiles(pipe, location)
    try {
      const columns = await engine.query<Column>(`DESCRIBE ${source} SETTINGS ${sourceSettings}`, { params, signal })
      const rows = await engine.query<Record<string, unknown>>(
        `SELECT * FROM ${source} LIMIT ${previewRows} SETTINGS ${sourceSettings}`,
        { params, signal },
      )
      return discoveryOf(columns, rows, rows.length)
    } catch (error) {
      if (error instanceof EngineError && !signal.aborted) throw refuse(await accessProblem(pipe, error))
      throw error
    }
  }

  const resend = async (pipe: PipeDocument) => ({ requestedAt: await requestRows(store, pipe) })

  /** A process that was killed may have left the lines of a file. */
  const forget = (pipe: PipeDocument) => dropLineCopies(lineCopies(destinationTableOf(pipe), pipe.id), engine)

  return { check, sample, run, resend, forget }
}

function progress(done: number, all: number): string {
  return `${done} of ${counted(all, 'file')} loaded`
}
