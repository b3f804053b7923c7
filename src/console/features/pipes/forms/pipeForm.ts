/** The form of a data pipe. It mirrors the request body; empty texts and lists are omitted there. */
import { pipeKind } from '#contract/cloud/pipeKinds.ts'
import type { Pipe } from '#contract/cloud/pipes/pipes.ts'
import { readSettings, settingsFor, type SettingsForm } from '../settings/settingsForm.ts'

/** The source types that can be created and edited: those with a schema in the contract. */
export const creatableKinds = ['objectStorage', 'kafka', 'kinesis', 'postgres'] as const
export type CreatableKind = (typeof creatableKinds)[number]

/** A destination column and its source field. An empty source field means the same name. */
export interface ColumnRow {
  source: string
  name: string
  type: string
}

export interface TableRow {
  sourceSchemaName: string
  sourceTable: string
  targetTable: string
  tableEngine: string
  excludedColumns: string[]
  sortingKeys: string[]
}

const accessKey = { accessKeyId: '', secretKey: '' }

const emptySource = {
  objectStorage: {
    type: 's3',
    format: 'JSONEachRow',
    url: '',
    delimiter: '',
    compression: 'auto',
    isContinuous: false,
    queueUrl: '',
    /** `none` means public objects. */
    authentication: 'none',
    iamRole: '',
    accessKey,
  },
  kafka: {
    type: 'kafka',
    format: 'JSONEachRow',
    brokers: '',
    topics: '',
    consumerGroup: '',
    /** `none` means brokers without sign-in. */
    authentication: 'SCRAM-SHA-512',
    iamRole: '',
    credentials: {
      ...accessKey,
      username: '',
      password: '',
      connectionString: '',
      certificate: '',
      privateKey: '',
    },
    /** The start position. The timestamp is an ISO date, sent to the minute. */
    offset: { strategy: 'default', timestamp: '' },
    /** The text of a .proto file, sent as base64. */
    protobufSchema: '',
    schemaRegistry: { url: '', caCertificate: '', credentials: { username: '', password: '' } },
    caCertificate: '',
    reversePrivateEndpointIds: [] as string[],
  },
  kinesis: {
    format: 'JSONEachRow',
    /** The text of a .proto file, sent as base64. */
    protobufSchema: '',
    streamName: '',
    region: '',
    useEnhancedFanOut: false,
    iteratorType: 'TRIM_HORIZON',
    /** An ISO date, sent as epoch seconds. */
    timestamp: '',
    authentication: 'IAM_ROLE',
    iamRole: '',
    accessKey,
  },
  postgres: {
    type: 'postgres',
    host: '',
    port: 5432 as number | null,
    database: '',
    credentials: { username: '', password: '' },
    settings: {
      replicationMode: 'cdc',
      syncIntervalSeconds: null as number | null,
      pullBatchSize: null as number | null,
      initialLoadParallelism: null as number | null,
      snapshotNumRowsPerPartition: null as number | null,
      snapshotNumberOfParallelTables: null as number | null,
      publicationName: '',
      replicationSlotName: '',
      allowNullableColumns: false,
      enableFailoverSlots: false,
    },
    tableMappings: [] as TableRow[],
  },
}

export interface PipeForm {
  name: string
  serviceId: string
  kind: CreatableKind
  source: typeof emptySource
  destination: {
    database: string
    table: string
    managedTable: boolean
    tableDefinition: {
      engine: { type: string; versionColumnId: string; columnIds: string[] }
      sortingKey: string[]
      partitionBy: string
      primaryKey: string
    }
    columns: ColumnRow[]
  }
  /** Null is the deployment's default. */
  scaling: Record<'replicas' | 'replicaCpuMillicores' | 'replicaMemoryGb' | 'concurrency', number | null>
  settings: SettingsForm
}

export const emptyColumn: ColumnRow = { source: '', name: '', type: 'String' }
export const emptyTable: TableRow = {
  sourceSchemaName: 'public',
  sourceTable: '',
  targetTable: '',
  tableEngine: 'ReplacingMergeTree',
  excludedColumns: [],
  sortingKeys: [],
}

/** @param serviceId the preselected service */
export function emptyForm(serviceId: string): PipeForm {
  return {
    name: '',
    serviceId,
    kind: 'objectStorage',
    source: { ...emptySource, postgres: { ...emptySource.postgres, tableMappings: [emptyTable] } },
    destination: {
      database: 'default',
      table: '',
      managedTable: true,
      tableDefinition: {
        engine: { type: 'MergeTree', versionColumnId: '', columnIds: [] },
        sortingKey: [],
        partitionBy: '',
        primaryKey: '',
      },
      columns: [emptyColumn],
    },
    scaling: { replicas: null, replicaCpuMillicores: null, replicaMemoryGb: null, concurrency: null },
    settings: readSettings(settingsFor(null), {}),
  }
}

/** The source type of a pipe. Null if the console cannot edit it. */
export function creatableKind(pipe: Pipe): CreatableKind | null {
  const kind = pipeKind(pipe)
  return creatableKinds.find((candidate) => candidate === kind) ?? null
}

/** The editable fields of a pipe. Secret fields are empty because the API does not return secrets. */
export function readForm(pipe: Pipe, kind: CreatableKind): PipeForm {
  const empty = emptyForm(pipe.serviceId ?? '')
  const { objectStorage, kafka, kinesis, postgres } = pipe.source ?? {}
  const { source } = empty
  const mapped = new Map(pipe.fieldMappings?.map((mapping) => [mapping.destinationField, mapping.sourceField ?? '']))
  return {
    ...empty,
    kind,
    name: pipe.name ?? '',
    source: {
      objectStorage: {
        ...source.objectStorage,
        type: objectStorage?.type ?? 's3',
        authentication: objectStorage?.authentication ?? 'none',
        iamRole: objectStorage?.iamRole ?? '',
      },
      kafka: {
        ...source.kafka,
        type: kafka?.type ?? 'kafka',
        authentication: kafka?.authentication ?? 'none',
        iamRole: kafka?.iamRole ?? '',
        caCertificate: kafka?.caCertificate ?? '',
        reversePrivateEndpointIds: kafka?.reversePrivateEndpointIds ?? [],
      },
      kinesis: {
        ...source.kinesis,
        authentication: kinesis?.authentication ?? '',
        iamRole: kinesis?.iamRole ?? '',
      },
      postgres: {
        ...source.postgres,
        host: postgres?.host ?? '',
        port: numberOf(postgres?.port),
        settings: {
          ...source.postgres.settings,
          syncIntervalSeconds: numberOf(postgres?.settings?.syncIntervalSeconds),
          pullBatchSize: numberOf(postgres?.settings?.pullBatchSize),
        },
        tableMappings: (postgres?.tableMappings ?? []).map((mapping) => ({
          sourceSchemaName: mapping.sourceSchemaName,
          sourceTable: mapping.sourceTable,
          targetTable: mapping.targetTable,
          tableEngine: mapping.tableEngine ?? '',
          excludedColumns: mapping.excludedColumns ?? [],
          sortingKeys: mapping.sortingKeys ?? [],
        })),
      },
    },
    destination: {
      ...empty.destination,
      columns: (pipe.destination?.columns ?? []).map(({ name, type = '' }) => ({
        source: mapped.get(name) ?? '',
        name,
        type,
      })),
    },
  }
}

const numberOf = (value: unknown) => (typeof value === 'number' ? value : null)
