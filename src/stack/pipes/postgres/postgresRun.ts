/** The context of a running Postgres pipe. */
import type { Cursors } from '../loads/pipeCursors.ts'
import type { LoadDependencies } from '../loads/loads.ts'
import type { PipeDocument } from '../model/pipeDocument.ts'
import type { PostgresServer } from './source/postgresServer.ts'

export interface PostgresRun {
  parts: LoadDependencies
  pipe: PipeDocument
  server: PostgresServer
  cursors: Cursors
  /** The deployment's word for pipes, such as `datapipes`. */
  pipeWord: string
  signal: AbortSignal
  /** Shows what the pipe waits for at the source, or with null that it goes on. */
  sayWaiting(what: string | null): Promise<void>
}

type Settings = NonNullable<NonNullable<NonNullable<PipeDocument['source']>['postgres']>['settings']>

export function postgresSettings(pipe: PipeDocument): Settings {
  return pipe.source?.postgres?.settings ?? {}
}

/** The number of changes or keys that are fetched at a time: `pullBatchSize`. */
export function batchSize(pipe: PipeDocument): number {
  return postgresSettings(pipe).pullBatchSize ?? 100_000
}
