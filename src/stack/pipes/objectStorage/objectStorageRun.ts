/** A run of an object-storage pipe: loads the files that are not loaded yet, once or until it is stopped. */
import { counted } from '#domain/text/words.ts'
import { EngineAborted, EngineError } from '../../telemetry/engine/engineError.ts'
import { unreachedHost } from '../../net/unreachedHost.ts'
import type { HostCheck } from '../../net/reachableHosts.ts'
import { abortableSleep } from '../loads/abortableSleep.ts'
import { destinationTableOf, prepareDestination } from '../loads/destinationTable.ts'
import type { Outcome, Report, RunnerDependencies } from '../loads/pipeRunner.ts'
import { recordNotes } from '../loads/recordNotes.ts'
import type { PipeDocument } from '../model/pipeDocument.ts'
import { pipeRows } from '../model/pipeRows.ts'
import { loadedColumns } from '../values/loadedColumns.ts'
import { columnsOfFiles } from './fileColumns.ts'
import { compressionOf } from './fileKind.ts'
import { dropLineCopies, lineCopies } from './fileLines.ts'
import { givenCompression, loadBatch, type FileSource } from './fileLoads.ts'
import { isBelow, type FileToRead, type Location } from './fileLocation.ts'
import { partlyLoaded } from './fileRecords.ts'
import { limitsOf, setting } from './objectStorageSettings.ts'
import { fileStatements, type FileStatements } from './objectStorageStatement.ts'
import { completedAgain, isRequested, resendRows, wasCompleteAtRequest } from './resendRows.ts'
import {
  canRead,
  failedFiles,
  filesAfter,
  listFiles,
  nextBatch,
  withoutKnown,
  withoutMissing,
  type SourceFile,
  type WaitingFiles,
} from './sourceFiles.ts'

interface OpenedFiles {
  pipe: PipeDocument
  location: Location
  /** Measures how long files wait. */
  waiting: WaitingFiles
  report: (report: Report) => Promise<void>
  signal: AbortSignal
}

export class ObjectStorageRun {
  readonly #dependencies: RunnerDependencies
  readonly #opened: OpenedFiles
  readonly #isContinuous: boolean

  constructor(dependencies: RunnerDependencies, opened: OpenedFiles) {
    this.#dependencies = dependencies
    this.#opened = opened
    this.#isContinuous = opened.pipe.source?.objectStorage?.isContinuous ?? false
  }

  /** @returns how the run ended; null if the pipe has to start again, with the columns that were found */
  async run(): Promise<Outcome | null> {
    const { pipe, location, report, signal } = this.#opened
    const { store } = this.#dependencies
    if (!pipe.destination?.columns) {
      await this.#findColumns()
      return null
    }
    const source: FileSource = {
      location,
      statements: await this.#prepare(),
      hasNulls: false,
      isListed: async (path) => (await this.#list({ onlySettled: false })).some((file) => file.path === path),
    }
    for (;;) {
      await resendRows({ ...this.#dependencies, fileOf: (path) => this.#fileOf(path) }, pipe, signal)
      const files = await this.#loadNewFiles(source)
      if (this.#isContinuous) {
        await report({ detail: await this.#continuousDetail() })
        await this.#untilNextPoll()
      } else if (!(await isRequested(store, pipe.id))) return this.#outcome(files)
    }
  }

  /** Stores the columns that the files have: the pipe starts again with them. */
  async #findColumns(): Promise<void> {
    const { pipe, location, signal } = this.#opened
    const { store, engine } = this.#dependencies
    const columns = await this.#accessing(() => columnsOfFiles(pipe, location, engine, signal))
    await store.write(async (transaction) => {
      const stored = await pipeRows.get(transaction, pipe.id)
      if (!stored || stored.destination?.columns) return
      await pipeRows.update(transaction, { ...stored, destination: { ...stored.destination, columns: [...columns] } })
    })
  }

  /** Creates the table, and the statements that copy files into it. */
  async #prepare(): Promise<FileStatements> {
    const { pipe, location } = this.#opened
    const { engine } = this.#dependencies
    await prepareDestination(pipe, engine)
    await dropLineCopies(lineCopies(destinationTableOf(pipe), pipe.id), engine)
    return fileStatements(pipe, location, await loadedColumns(pipe, engine))
  }

  /** Loads what is not loaded yet. @returns the number of files that there are, loaded ones included */
  async #loadNewFiles(source: FileSource): Promise<number> {
    const { location, report, signal } = this.#opened
    const { engine } = this.#dependencies
    const { known, left } = await this.#findFiles()
    const sized = left.filter((file) => file.bytes !== null)
    const progress: Progress = { done: known, all: known + sized.length }
    await report({ state: 'Running', detail: progressText(progress) })
    await this.#load(sized, source, progress)
    // After the others, so that one that cannot be reached does not hold them up.
    const withoutSize = left.filter((file) => file.bytes === null)
    const unsized = await this.#accessing(() => withoutMissing(location, withoutSize, engine, signal))
    progress.all += unsized.length
    await this.#load(unsized, source, progress)
    return progress.all
  }

  /** The files that are left to load, and the number of those that were loaded before. */
  async #findFiles(): Promise<{ known: number; left: SourceFile[] }> {
    const { pipe, location } = this.#opened
    const { store, fileRoots } = this.#dependencies
    const found = await this.#accessing(() => this.#list({ onlySettled: this.#isContinuous }))
    const matching = await filesAfter(pipe.source?.objectStorage?.startAfter, found, location, fileRoots)
    const unknown = await withoutKnown(store, pipe.id, matching)
    const left = (await wasCompleteAtRequest(store, pipe.id)) ? await this.#onlyBegun(unknown) : unknown
    return { known: matching.length - unknown.length, left }
  }

  async #load(files: readonly SourceFile[], source: FileSource, progress: Progress): Promise<void> {
    const { pipe, waiting, report, signal } = this.#opened
    const limits = limitsOf(pipe)
    waiting.seen(files)
    for (let rest = files; rest.length > 0;) {
      const batch = nextBatch(rest, limits)
      await loadBatch(this.#dependencies, pipe, batch, source, signal)
      signal.throwIfAborted()
      waiting.settled(batch)
      rest = rest.slice(batch.length)
      progress.done += batch.length
      await report({ detail: progressText(progress) })
    }
  }

  #list({ onlySettled }: { onlySettled: boolean }): Promise<SourceFile[]> {
    const { location, signal } = this.#opened
    const { engine, fileRoots } = this.#dependencies
    return listFiles(location, fileRoots, engine, { onlySettled, signal })
  }

  /** The files that were loaded in part. */
  async #onlyBegun(files: readonly SourceFile[]): Promise<SourceFile[]> {
    const begun = await partlyLoaded(this.#dependencies.store, this.#opened.pipe.id)
    return files.filter(({ path }) => begun.has(path))
  }

  /** A file that may be read again; null if it is not there any more. */
  async #fileOf(path: string): Promise<FileToRead | null> {
    const { pipe, location, signal } = this.#opened
    const { engine, fileRoots } = this.#dependencies
    if (location.isLocal && !(await isBelow(path, fileRoots).catch(() => false))) return null
    if (!(await canRead(location, [path], engine, signal))) return null
    const asGiven = { location, path, compression: givenCompression(pipe) }
    return { ...asGiven, compression: await compressionOf(asGiven, engine, signal) }
  }

  /** Waits for the polling interval, or for a request. */
  async #untilNextPoll(): Promise<void> {
    const { pipe, signal } = this.#opened
    const { store, pauses } = this.#dependencies
    const until = performance.now() + setting(pipe, 'object_storage_polling_interval_ms', 30_000)
    for (let left = until - performance.now(); left > 0; left = until - performance.now()) {
      await abortableSleep(Math.min(left, pauses.requestCheck), signal)
      if (await isRequested(store, pipe.id)) return
    }
  }

  async #outcome(files: number): Promise<Outcome> {
    const { id } = this.#opened.pipe
    const { store } = this.#dependencies
    const failed = await failedFiles(store, id)
    const notes = await recordNotes(store, id)
    if (failed.count > 0) {
      const unread = [`${failed.count} of ${files} files could not be read`, failed.first]
      return { state: 'Failed', detail: [...unread, ...notes].join('. ') }
    }
    await store.write((transaction) => completedAgain(transaction, id))
    return { state: 'Completed', detail: [`${counted(files, 'file')} loaded`, ...notes].join('. ') }
  }

  async #continuousDetail(): Promise<string> {
    const { id } = this.#opened.pipe
    const { store } = this.#dependencies
    const failed = await failedFiles(store, id)
    const notes = await recordNotes(store, id)
    const unread = failed.count === 0 ? [] : [`${failed.count} could not be read`, failed.first]
    return ['all files loaded, waiting for new ones', ...notes, ...unread].join('. ')
  }

  /** @throws Error with the address, and whether it was reached, for a failure of the engine: it is tried again */
  async #accessing<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof EngineError) || error instanceof EngineAborted) throw error
      throw new Error(await accessProblem(this.#opened.pipe, error, this.#dependencies.checkHost), { cause: error })
    }
  }
}

/** The number of files that are loaded, and of those that there are. */
interface Progress {
  done: number
  all: number
}

function progressText({ done, all }: Progress): string {
  return `${done} of ${counted(all, 'file')} loaded`
}

/** Why the files of a pipe cannot be read, with their address. */
export async function accessProblem(
  pipe: PipeDocument,
  { message }: EngineError,
  checkHost: HostCheck,
): Promise<string> {
  const url = pipe.source?.objectStorage?.url ?? ''
  return `failed to access ${url}: ${(await unreachedHost(url, checkHost)) ?? message}`
}
