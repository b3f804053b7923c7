/** A stack whose pipes read the files of a folder, on an engine of its own. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PipeCreate } from '#contract/cloud/pipes/pipeInputs.ts'
import { databaseOf } from '#contract/cloud/services/serviceDatabases.ts'
import { openEngine, type Engine } from '../telemetry/engine/engine.ts'
import { managedClientOf, pipeInputs, type ManagedClient } from './managedClient.ts'
import { promptBehavior } from './testCloud.ts'
import { startTestStack, type Answer, type TestStack } from './testStack.ts'

/** A pipe that was asked for, and its table. */
interface FilePipe {
  made: Answer
  id: string
  table: string
  get(): Promise<Answer['json']>
}

export interface PipeFiles {
  engine: Engine
  stack: TestStack
  control: ManagedClient
  /** A folder of the engine, which pipes may not read. */
  folder: string
  /** Pipes may read here. */
  files: string
  /** A pipe into a separate table, unless it says that its table is there already. */
  pipe(source: object, more?: Partial<PipeCreate>): Promise<FilePipe>
  rowsOf(loaded: FilePipe, what?: string): Promise<object[]>
  close(): Promise<void>
}

export async function startPipeFiles(): Promise<PipeFiles> {
  const folder = await mkdtemp(join(tmpdir(), 'pipes-'))
  const files = join(folder, 'files')
  await mkdir(files)
  const engine = await openEngine({ dataDir: folder })
  const stack = await startTestStack({ engine, cloud: { fileRoots: [files], behavior: promptBehavior } })
  const control = managedClientOf(stack)
  let last = 0
  return {
    engine,
    stack,
    control,
    folder,
    files,
    async pipe(source, more = {}) {
      const own = more.destination?.managedTable === false ? more.destination.table : undefined
      const table = own ?? `t${++last}`
      const made = await control.call('POST', '/datapipes', {
        ...pipeInputs.objectStorage,
        ...more,
        source: { objectStorage: { format: 'JSONEachRow', ...source } },
        destination: { ...pipeInputs.objectStorage.destination, ...more.destination, table },
      })
      const id = made.json.result?.id
      return {
        made,
        id,
        table: `${databaseOf(stack.identity.serviceId, 'default')}.${table}`,
        get: async () => (await control.call('GET', `/datapipes/${id}`)).json.result,
      }
    },
    rowsOf: ({ table }, what = 'count() AS rows, sum(id) AS ids, uniqExact(text) AS texts') =>
      engine.query(`SELECT ${what} FROM ${table}`),
    async close() {
      await stack.close()
      await engine.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
