/** Runs object-storage pipes: loads each file exactly once (`objectStorageRun.ts`). */
import type { ResendRequest } from '#contract/cloud/pipes/pipeConsumers.ts'
import type { Discovery } from '#contract/cloud/pipes/pipeDiscovery.ts'
import { refuse } from '../../refusal.ts'
import { EngineError } from '../../telemetry/engine/engineError.ts'
import { checkDestination, destinationTableOf } from '../loads/destinationTable.ts'
import type { Outcome, PipeRunner, Report, RunnerDependencies } from '../loads/pipeRunner.ts'
import { discoveryOf, previewRows } from '../loads/sourceSample.ts'
import type { Column } from '../loads/tableDefinition.ts'
import type { PipeDocument } from '../model/pipeDocument.ts'
import { readFiles } from './fileColumns.ts'
import { dropLineCopies, lineCopies } from './fileLines.ts'
import { locationOf } from './fileLocation.ts'
import { accessProblem, ObjectStorageRun } from './objectStorageRun.ts'
import { requestRows } from './resendRows.ts'
import { sourceSettings, waitingFiles } from './sourceFiles.ts'

export class ObjectStorageRunner implements PipeRunner {
  readonly #dependencies: RunnerDependencies

  constructor(dependencies: RunnerDependencies) {
    this.#dependencies = dependencies
  }

  /** Checks the form and the table. Whether the files can be read shows when the pipe runs. */
  async check(pipe: PipeDocument): Promise<void> {
    const { engine, fileRoots, checkHost } = this.#dependencies
    const location = await locationOf(pipe, fileRoots, checkHost)
    if (location.isLocal && engine.kind === 'remote') {
      throw refuse('source.objectStorage.url: a ClickHouse server cannot read local files')
    }
    if (pipe.destination?.columns) await checkDestination(pipe, engine)
  }

  async sample(pipe: PipeDocument, signal: AbortSignal): Promise<Discovery> {
    const { engine, fileRoots, checkHost } = this.#dependencies
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
      if (error instanceof EngineError && !signal.aborted) throw refuse(await accessProblem(pipe, error, checkHost))
      throw error
    }
  }

  async run(
    pipe: PipeDocument,
    report: (report: Report) => Promise<void>,
    signal: AbortSignal,
  ): Promise<Outcome | null> {
    const { meter, fileRoots, checkHost } = this.#dependencies
    const waiting = waitingFiles(meter, pipe.id)
    try {
      const location = await locationOf(pipe, fileRoots, checkHost)
      return await new ObjectStorageRun(this.#dependencies, { pipe, location, waiting, report, signal }).run()
    } finally {
      waiting.end()
    }
  }

  async resend(pipe: PipeDocument): Promise<ResendRequest> {
    return { requestedAt: await requestRows(this.#dependencies.store, pipe) }
  }

  /** A process that was killed may have left the lines of a file. */
  forget(pipe: PipeDocument): Promise<void> {
    return dropLineCopies(lineCopies(destinationTableOf(pipe), pipe.id), this.#dependencies.engine)
  }
}
