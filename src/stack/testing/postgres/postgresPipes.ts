/** Postgres pipes of a stack with an engine, from a server of the spec. Call this outside of the tests. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import type { BadRecord } from '#contract/cloud/pipes/pipeConsumers.ts'
import type { PipeCreate } from '#contract/cloud/pipes/pipeInputs.ts'
import type { OwnPostgres } from '#node/testing/testPostgres.ts'
import { databaseOf } from '#contract/cloud/services/serviceDatabases.ts'
import type { Store } from '../../store/store.ts'
import { openEngine, type Engine } from '../../telemetry/engine/engine.ts'
import { managedClientOf, type ManagedClient } from '../managedClient.ts'
import { startTestStack, type TestStack } from '../testStack.ts'

interface PipeState {
  state: string
  stateDetail: string
}

export interface PostgresPipe {
  id: string
  get(): Promise<PipeState>
  command(name: 'start' | 'stop' | 'resync'): Promise<unknown>
  change(changes: object): Promise<{ status: number }>
  badRecords(): Promise<BadRecord[]>
  remove(): Promise<unknown>
}

export interface PostgresPipes {
  readonly engine: Engine
  readonly store: Store
  /** The engine's name of the database that pipes write to. */
  readonly database: string
  create(mappings: readonly object[], settings?: object, source?: object): Promise<PostgresPipe>
  /** Rows of a table of the destination, as JSON texts of lists, sorted. */
  rows(table: string, columns: string, final?: 'FINAL' | ''): Promise<string[]>
}

/** The mapping of a table in the schema `public` to one of the same name. */
export const tableMapping = (sourceTable: string, more: object = {}) => ({
  sourceSchemaName: 'public',
  sourceTable,
  targetTable: sourceTable,
  ...more,
})

/** The body that creates a pipe, which changes are applied to every second. */
export function postgresPipeInput(
  port: number,
  tableMappings: readonly object[],
  settings: object = {},
  source: object = {},
): PipeCreate {
  return {
    name: 'Postgres',
    source: {
      postgres: {
        host: '127.0.0.1',
        port,
        database: 'postgres',
        settings: { syncIntervalSeconds: 1, ...settings },
        tableMappings,
        credentials: { username: 'stack', password: '' },
        ...source,
      },
    },
    destination: { database: 'default' },
  } as unknown as PipeCreate // defaults are filled in by the variant
}

export function postgresPipes(postgres: OwnPostgres): PostgresPipes {
  let folder: string
  let engine: Engine
  let stack: TestStack
  let control: ManagedClient
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'postgres-pipes-'))
    engine = await openEngine({ dataDir: folder })
    stack = await startTestStack({ engine })
    control = managedClientOf(stack)
  })
  afterAll(async () => {
    await stack.close()
    await engine.close()
    await rm(folder, { recursive: true, force: true })
  })
  const database = () => databaseOf(stack.identity.serviceId, 'default')
  return {
    get engine() {
      return engine
    },
    get store() {
      return stack.store
    },
    get database() {
      return database()
    },
    async create(...given) {
      const { json, text } = await control.call('POST', '/datapipes', postgresPipeInput(postgres.server.port, ...given))
      const id: unknown = json.result?.id
      if (typeof id !== 'string') throw new Error(text)
      return {
        id,
        get: async () => (await control.call('GET', `/datapipes/${id}`)).json.result,
        command: (name) => control.call('PATCH', `/datapipes/${id}/state`, { command: name }),
        change: (changes) => control.call('PATCH', `/datapipes/${id}`, changes),
        badRecords: async () => (await control.call('GET', `/datapipes/${id}/badRecords`)).json.result,
        remove: () => control.call('DELETE', `/datapipes/${id}`),
      }
    },
    async rows(table, columns, final = 'FINAL') {
      const found = await engine.query<{ row: unknown[] }>(
        `SELECT tuple(${columns}) AS row FROM ${database()}.${table} ${final} ORDER BY row`,
      )
      return found.map(({ row }) => JSON.stringify(row))
    },
  }
}
