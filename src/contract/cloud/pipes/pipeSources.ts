/** The sources of data pipes in responses, one schema for each source type: docs/DEPLOYMENTS.md#pipes. */
import { z } from 'zod'
import { openEnum, wireNumber } from '../../wire/kernel.ts'

export const kafkaTypes = [
  'kafka',
  'redpanda',
  'msk',
  'gcmk',
  'confluent',
  'warpstream',
  'azureeventhub',
  'dokafka',
] as const
export const kafkaFormats = ['JSONEachRow', 'Avro', 'AvroConfluent', 'Protobuf'] as const
export const kafkaAuthentications = [
  'PLAIN',
  'SCRAM-SHA-256',
  'SCRAM-SHA-512',
  'IAM_ROLE',
  'IAM_USER',
  'MUTUAL_TLS',
] as const
export const kafkaOffsets = ['from_beginning', 'from_latest', 'from_timestamp'] as const

export const kinesisFormats = ['JSONEachRow', 'Avro', 'AvroConfluent'] as const
/** The formats of deployments, and one that only the stack has. */
export const allKinesisFormats = [...kinesisFormats, 'Protobuf'] as const
export const kinesisIterators = ['TRIM_HORIZON', 'LATEST', 'AT_TIMESTAMP'] as const
export const kinesisAuthentications = ['IAM_ROLE', 'IAM_USER'] as const

/** `file` and `http` are extensions of the stack: a folder on its machine, and plain addresses. */
const objectStorageTypes = [
  's3',
  'gcs',
  'dospaces',
  'azureblobstorage',
  'cloudflarer2',
  'ovhobjectstorage',
  'file',
  'http',
] as const
export const objectStorageFormats = [
  'JSONEachRow',
  'JSONAsObject',
  'CSV',
  'CSVWithNames',
  'TabSeparated',
  'TabSeparatedWithNames',
  'Parquet',
  'Avro',
] as const
export const compressions = ['none', 'gzip', 'gz', 'brotli', 'br', 'xz', 'LZMA', 'zstd', 'auto'] as const
export const objectStorageAuthentications = ['IAM_ROLE', 'IAM_USER', 'CONNECTION_STRING', 'SERVICE_ACCOUNT'] as const

export const postgresTypes = [
  'postgres',
  'supabase',
  'neon',
  'alloydb',
  'planetscale',
  'rdspostgres',
  'aurorapostgres',
  'cloudsqlpostgres',
  'azurepostgres',
  'crunchybridge',
  'tigerdata',
] as const
export const postgresAuthentications = ['basic', 'IAM_ROLE'] as const
export const replicationModes = ['cdc', 'snapshot', 'cdc_only'] as const
export const databaseTableEngines = ['MergeTree', 'ReplacingMergeTree', 'Null'] as const

const texts = z.array(z.string()).nullish()
const text = z.string().nullish()
const flag = z.boolean().nullish()
const number = wireNumber.nullish()

const kafkaSource = z.looseObject({
  type: openEnum(kafkaTypes).nullish(),
  format: openEnum(kafkaFormats).nullish(),
  brokers: text,
  topics: text,
  consumerGroup: text,
  authentication: openEnum(kafkaAuthentications).nullish(),
  iamRole: text,
  offset: z.looseObject({ strategy: openEnum(kafkaOffsets).nullish(), timestamp: text }).nullish(),
  schemaRegistry: z.looseObject({ url: text, authentication: text, caCertificate: text }).nullish(),
  caCertificate: text,
  reversePrivateEndpointIds: texts,
  exactlyOnce: flag,
  tombstoneMode: text,
})

const kinesisSource = z.looseObject({
  format: openEnum(allKinesisFormats).nullish(),
  streamName: text,
  region: text,
  useEnhancedFanOut: flag,
  iteratorType: openEnum(kinesisIterators).nullish(),
  /** Epoch seconds. */
  timestamp: number,
  authentication: openEnum(kinesisAuthentications).nullish(),
  iamRole: text,
})

const objectStorageSource = z.looseObject({
  type: openEnum(objectStorageTypes).nullish(),
  format: openEnum(objectStorageFormats).nullish(),
  /** May contain wildcards. */
  url: text,
  delimiter: text,
  compression: openEnum(compressions).nullish(),
  isContinuous: flag,
  queueUrl: text,
  skipInitialLoad: flag,
  /** Only objects with a later key are read. */
  startAfter: text,
  authentication: openEnum(objectStorageAuthentications).nullish(),
  iamRole: text,
  /** Contains a secret. */
  connectionString: text,
  /** May contain wildcards. */
  path: text,
  azureContainerName: text,
})

export const tableMapping = z.looseObject({
  sourceSchemaName: z.string(),
  sourceTable: z.string(),
  targetTable: z.string(),
  excludedColumns: texts,
  useCustomSortingKey: flag,
  sortingKeys: texts,
  tableEngine: openEnum(databaseTableEngines).nullish(),
  /** The column that divides the initial load. */
  partitionKey: text,
  /** How the target table is partitioned. */
  partitionByExpr: text,
})
export type TableMapping = z.infer<typeof tableMapping>

const postgresSource = z.looseObject({
  type: openEnum(postgresTypes).nullish(),
  host: text,
  port: number,
  database: text,
  authentication: openEnum(postgresAuthentications).nullish(),
  iamRole: text,
  tlsHost: text,
  caCertificate: text,
  disableTls: flag,
  skipCertVerification: flag,
  settings: z
    .looseObject({
      syncIntervalSeconds: number,
      pullBatchSize: number,
      initialLoadParallelism: number,
      snapshotNumRowsPerPartition: number,
      snapshotNumberOfParallelTables: number,
      publicationName: text,
      replicationSlotName: text,
      replicationMode: openEnum(replicationModes).nullish(),
      allowNullableColumns: flag,
      enableFailoverSlots: flag,
      deleteOnMerge: flag,
    })
    .nullish(),
  tableMappings: z.array(tableMapping).nullish(),
})

/** One field is set; the others are null or absent. Unknown source types pass through. */
export const pipeSource = z.looseObject({
  kafka: kafkaSource.nullish(),
  kinesis: kinesisSource.nullish(),
  objectStorage: objectStorageSource.nullish(),
  postgres: postgresSource.nullish(),
})
export type PipeSource = z.infer<typeof pipeSource>
