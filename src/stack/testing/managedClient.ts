/** A client of the managed variant for tests, for each naming profile. */
import { namingProfiles, type WireNames } from '#contract/wire/naming.ts'
import type { PipeCreate } from '#contract/cloud/pipes/pipeInputs.ts'
import { currentIsoTime } from '#node/clock/wallClock.ts'
import { newPipe } from '../pipes/model/newPipe.ts'
import { pipeRows } from '../pipes/model/pipeRows.ts'
import { basic, type Answer, type TestStack } from './testStack.ts'

export interface ManagedClient {
  /** A call to a path below the service; `datapipes` in it is spelled as the stack spells it. */
  call(method: string, path: string, body?: unknown): Promise<Answer>
  /** Puts a pipe in place without asking the variant, in the state given. @returns its id */
  plant(input: PipeCreate, state?: string): Promise<string>
}

export function managedClientOf(stack: TestStack, names: WireNames = namingProfiles.neutral): ManagedClient {
  const { organizationId, serviceId, keyId, keySecret } = stack.identity
  return {
    call: (method, path, body) =>
      stack.send(
        method,
        `/v1/organizations/${organizationId}/services/${serviceId}${path.replace('datapipes', names.pipes)}`,
        { body, headers: { authorization: basic(keyId, keySecret) } },
      ),
    async plant(input, state = 'Running') {
      const pipe = { ...newPipe(serviceId, input, currentIsoTime(), true), state }
      const { change: _ready, ...internal } = pipe.internal
      await pipeRows.insert(stack.store, { ...pipe, internal })
      return pipe.id
    },
  }
}

interface Column {
  name: string
  type: string
}

/** The table of a pipe, with columns that are named like the fields. The first one sorts it. */
export function intoEvents(columns: readonly Column[]) {
  return {
    destination: {
      database: 'default',
      table: 'events',
      managedTable: true,
      tableDefinition: {
        engine: { type: 'MergeTree' as const },
        sortingKey: columns.slice(0, 1).map(({ name }) => name),
      },
      columns: [...columns],
    },
    fieldMappings: columns.map(({ name }) => ({ sourceField: name, destinationField: name })),
  }
}

const tableInto = intoEvents([
  { name: 'id', type: 'UInt64' },
  { name: 'text', type: 'String' },
])

export type Kind = 'kafka' | 'kinesis' | 'objectStorage' | 'postgres'

/** One pipe of each kind, as a client would make it. */
export const pipeInputs: Record<Kind, PipeCreate> = {
  kafka: {
    name: 'Kafka',
    source: {
      kafka: {
        type: 'kafka',
        format: 'JSONEachRow',
        brokers: 'broker:9092',
        topics: 'events',
        authentication: 'PLAIN',
        credentials: { username: 'reader', password: 'kafka-secret' },
      },
    },
    ...tableInto,
  },
  kinesis: {
    name: 'Kinesis',
    source: {
      kinesis: {
        format: 'JSONEachRow',
        streamName: 'events',
        region: 'eu-central-1',
        iteratorType: 'LATEST',
        authentication: 'IAM_USER',
        accessKey: { accessKeyId: 'id', secretKey: 'kinesis-secret' },
      },
    },
    ...tableInto,
  },
  objectStorage: {
    name: 'Files',
    source: {
      objectStorage: { type: 'file', format: 'JSONEachRow', url: '*.jsonl', compression: 'auto', isContinuous: false },
    },
    ...tableInto,
  },
  postgres: {
    name: 'Postgres',
    source: {
      postgres: {
        type: 'postgres',
        host: '127.0.0.1',
        port: 5432,
        database: 'shop',
        tableMappings: [{ sourceSchemaName: 'public', sourceTable: 'orders', targetTable: 'orders' }],
        credentials: { username: 'reader', password: 'postgres-secret' },
      },
    },
    destination: { database: 'default' },
  },
}
