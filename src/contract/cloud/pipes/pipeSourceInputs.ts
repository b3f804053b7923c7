/** The source of a new pipe, as the stack accepts it: docs/DEPLOYMENTS.md#pipes. */
import { z } from 'zod'
import { pipeKindNames, type PipeKind } from '../pipeKinds.ts'
import {
  compressions,
  databaseTableEngines,
  kafkaAuthentications,
  kafkaFormats,
  kafkaOffsets,
  kafkaTypes,
  allKinesisFormats,
  kinesisAuthentications,
  kinesisIterators,
  type objectStorageAuthentications,
  objectStorageFormats,
  postgresAuthentications,
  postgresTypes,
  replicationModes,
} from './pipeSources.ts'
import { names, text, unique, uniqueNames } from './pipeTexts.ts'

/** A moment in UTC to the minute, without seconds and zone. */
const minuteError = 'must be a minute in UTC such as 2026-01-02T03:04'
export const minute = z.iso.datetime({ precision: -1, local: true, error: minuteError }).length(16, minuteError)

const momentError = 'must be epoch seconds, a minute in UTC such as 2026-01-02T03:04, or a date-time with a zone'
/** Epoch seconds, or the text that some clients send, which is stored as epoch seconds. */
const epochSeconds = z.union(
  [
    z.int().min(0),
    minute.transform((text) => Date.parse(`${text}Z`) / 1000),
    z.iso.datetime({ offset: true }).transform((text) => Math.floor(Date.parse(text) / 1000)),
  ],
  momentError,
)

const accessKey = z.strictObject({ accessKeyId: text, secretKey: text })

/** The base64 of a .proto file with the message of the values, or of a serialized FileDescriptorSet. Never returned. */
const protobufSchema = z.base64().min(1).max(1_048_576)
const schemaOfOther = 'protobufSchema is for the format Protobuf only'

export const kafka = z.strictObject({
  type: z.enum(kafkaTypes).optional(),
  format: z.enum(kafkaFormats),
  brokers: text,
  topics: text,
  consumerGroup: text.optional(),
  /** Absent for brokers without sign-in. */
  authentication: z.enum(kafkaAuthentications).optional(),
  iamRole: text.optional(),
  offset: z
    .strictObject({ strategy: z.enum(kafkaOffsets), timestamp: minute.optional() })
    .refine(
      (offset) => offset.strategy !== 'from_timestamp' || offset.timestamp !== undefined,
      'from_timestamp needs a timestamp',
    )
    .optional(),
  schemaRegistry: z
    .strictObject({
      url: text,
      authentication: z.enum(['PLAIN']).optional(),
      caCertificate: z.string().optional(),
      credentials: z.strictObject({ username: text, password: text }).optional(),
    })
    .optional(),
  caCertificate: z.string().optional(),
  reversePrivateEndpointIds: names.optional(),
  credentials: z.record(z.string(), z.string()).optional(),
  exactlyOnce: z.boolean().optional(),
  /** The handling of records without a value. Default: they are skipped. */
  tombstoneMode: z.enum(['soft_delete'], 'must be soft_delete: this stack appends rows and deletes none').optional(),
  protobufSchema: protobufSchema.optional(),
})

/** The rules between the fields of a Kafka source. */
function kafkaRules(source: z.output<typeof kafka>, context: z.core.$RefinementCtx): void {
  const refuse = (field: keyof typeof source, message: string) =>
    context.addIssue({ code: 'custom', path: [field], message })
  const { authentication, credentials, format, protobufSchema: schema, schemaRegistry } = source
  if (credentials && !authentication) refuse('credentials', 'credentials need an authentication')
  if (schema === undefined) return
  if (format !== 'Protobuf') refuse('protobufSchema', schemaOfOther)
  if (schemaRegistry) refuse('protobufSchema', 'protobufSchema excludes schemaRegistry')
}

export const kinesis = z.strictObject({
  format: z.enum(allKinesisFormats),
  streamName: text,
  region: text,
  useEnhancedFanOut: z.boolean().optional(),
  iteratorType: z.enum(kinesisIterators).optional(),
  timestamp: epochSeconds.optional(),
  authentication: z.enum(kinesisAuthentications),
  iamRole: text.optional(),
  accessKey: accessKey.optional(),
  protobufSchema: protobufSchema.optional(),
})

/** A stream has no registry: its schema is in the source. */
function kinesisRules(
  { format, protobufSchema: schema }: z.output<typeof kinesis>,
  context: z.core.$RefinementCtx,
): void {
  if ((format === 'Protobuf') === (schema !== undefined)) return
  const message = schema === undefined ? 'the format Protobuf needs a protobufSchema' : schemaOfOther
  context.addIssue({ code: 'custom', path: ['protobufSchema'], message })
}

/** The authentication methods of a storage that require no account of another provider. */
const storageAuthentications = [
  'IAM_USER',
  'IAM_ROLE',
] as const satisfies readonly (typeof objectStorageAuthentications)[number][]

/** Without Azure, which the stack does not read. */
export const readableStorageTypes = [
  's3',
  'gcs',
  'dospaces',
  'cloudflarer2',
  'ovhobjectstorage',
  'file',
  'http',
] as const

/** Storages with a queue of notifications about new files. */
export const queuedStorageTypes: readonly string[] = ['s3', 'gcs']

export const objectStorage = z.strictObject({
  type: z.enum(readableStorageTypes).optional(),
  format: z.enum(objectStorageFormats),
  url: text,
  delimiter: z.string().length(1).optional(),
  compression: z.enum(compressions).optional(),
  isContinuous: z.boolean().optional(),
  /** Notifies about new files, so that the storage need not be listed. */
  queueUrl: text.optional(),
  skipInitialLoad: z.boolean().optional(),
  startAfter: text.optional(),
  /** Null means that the objects are public. */
  authentication: z.enum(storageAuthentications).optional(),
  iamRole: text.optional(),
  accessKey: accessKey.optional(),
})

/** The rules between the fields of an object storage source, for a new pipe or after an update. */
export function objectStorageProblems(source: z.output<typeof objectStorage>): { field: string; message: string }[] {
  const { type, authentication, iamRole, queueUrl, isContinuous, skipInitialLoad, startAfter } = source
  const problems: { field: string; message: string }[] = []
  const refuse = (field: string, message: string) => problems.push({ field, message })
  if (authentication === 'IAM_ROLE' && type !== 's3') refuse('authentication', 'IAM_ROLE is for the type s3 only')
  if (authentication === 'IAM_ROLE' && iamRole === undefined) refuse('iamRole', 'IAM_ROLE needs an iamRole')
  if (skipInitialLoad && queueUrl === undefined) refuse('skipInitialLoad', 'skipInitialLoad needs a queueUrl')
  if (skipInitialLoad && startAfter !== undefined) refuse('startAfter', 'startAfter excludes skipInitialLoad')
  if (queueUrl === undefined) return problems
  if (!isContinuous) refuse('queueUrl', 'a queue is for pipes that go on watching (isContinuous)')
  if (!queuedStorageTypes.includes(type ?? '')) refuse('queueUrl', 'a queue is for the types s3 and gcs only')
  if (authentication === undefined) refuse('queueUrl', 'a queue is not for public objects: it needs an authentication')
  return problems
}

export const tableMappingInput = z
  .strictObject({
    sourceSchemaName: text,
    sourceTable: text,
    targetTable: text,
    excludedColumns: uniqueNames.optional(),
    useCustomSortingKey: z.boolean().optional(),
    sortingKeys: uniqueNames.optional(),
    tableEngine: z.enum(databaseTableEngines).optional(),
    /** Empty means none, as some clients send it; likewise for the expression. */
    partitionKey: z.string().max(255).optional(),
    partitionByExpr: z.string().max(1000).optional(),
  })
  .refine((mapping) => !mapping.useCustomSortingKey || (mapping.sortingKeys?.length ?? 0) > 0, {
    path: ['sortingKeys'],
    message: 'useCustomSortingKey needs sortingKeys',
  })

/** The position of a pipe in a table is stored under the table's name, so a table cannot be mapped twice. */
export const mappedTwice = 'a table of the source can be mapped once. Use another pipe for another target'

/** A key for the source table of a mapping: its schema and name. */
export function sourceTableKey(mapping: { sourceSchemaName: string; sourceTable: string }): string {
  return JSON.stringify([mapping.sourceSchemaName, mapping.sourceTable])
}

const mappings = z
  .array(tableMappingInput)
  .min(1)
  .max(1000)
  .refine((list) => unique(list.map((mapping) => mapping.targetTable)), 'targetTable must be unique')
  .refine((list) => unique(list.map(sourceTableKey)), mappedTwice)

const postgresSettings = z
  .strictObject({
    syncIntervalSeconds: z.int().min(1),
    pullBatchSize: z.int().min(1),
    initialLoadParallelism: z.int().min(1),
    snapshotNumRowsPerPartition: z.int().min(1000),
    snapshotNumberOfParallelTables: z.int().min(1),
    publicationName: text,
    replicationSlotName: text,
    replicationMode: z.enum(replicationModes),
    allowNullableColumns: z.boolean(),
    enableFailoverSlots: z.boolean(),
    deleteOnMerge: z.boolean(),
  })
  .partial()

export const postgres = z.strictObject({
  type: z.enum(postgresTypes).optional(),
  host: text,
  port: z.int().min(1).max(65_535).optional(),
  database: text,
  authentication: z.enum(postgresAuthentications).optional(),
  iamRole: text.optional(),
  tlsHost: text.optional(),
  caCertificate: text.optional(),
  disableTls: z.boolean().optional(),
  skipCertVerification: z.boolean().optional(),
  settings: postgresSettings.optional(),
  tableMappings: mappings,
  credentials: z.strictObject({ username: text, password: z.string().max(4096) }),
})

/** Defaults of a new pipe, which an update may repeat. */
const sourceDefaults = {
  kafka: { type: 'kafka' },
  kinesis: { iteratorType: 'TRIM_HORIZON' },
  objectStorage: { isContinuous: false },
  postgres: { type: 'postgres', port: 5432 },
} as const

const kinds = ['kafka', 'kinesis', 'objectStorage', 'postgres'] as const
export const oneKind = (source: Record<string, unknown>) => kinds.filter((kind) => source[kind] != null).length === 1
export const oneKindMessage = `exactly one of ${kinds.join(', ')} is required`

/** The advice, for a kind that the stack does not read. */
const instead = {
  mysql: 'Send its changes to a Kafka topic, or export its tables to object storage',
  mongodb: 'Send its changes to a Kafka topic, or export its collections to object storage',
  bigquery: 'Export its tables to object storage',
  pubsub: 'Send its messages to a Kafka topic or a Kinesis stream',
} as const satisfies Record<Exclude<PipeKind, (typeof kinds)[number]>, string>

const supportedKinds = new Intl.ListFormat('en').format(kinds.map((kind) => pipeKindNames[kind]))
const notRead = (kind: keyof typeof instead) =>
  z
    .never(`${pipeKindNames[kind]} sources are not supported. Supported are ${supportedKinds}. ${instead[kind]}`)
    .optional()

const withDefaults = <Source extends object>(source: Source) => ({ ...sourceDefaults.postgres, ...source })

const sources = {
  kafka: kafka
    .superRefine(kafkaRules)
    .transform((source) => ({ ...sourceDefaults.kafka, ...source }))
    .optional(),
  kinesis: kinesis
    .superRefine(kinesisRules)
    .transform((source) => ({ ...sourceDefaults.kinesis, ...source }))
    .optional(),
  objectStorage: objectStorage
    .superRefine((source, context) => {
      for (const { field, message } of objectStorageProblems(source)) {
        context.addIssue({ code: 'custom', path: [field], message })
      }
    })
    .transform((source) => ({ ...sourceDefaults.objectStorage, ...source }))
    .optional(),
  postgres: postgres.transform(withDefaults).optional(),
  mysql: notRead('mysql'),
  mongodb: notRead('mongodb'),
  bigquery: notRead('bigquery'),
  pubsub: notRead('pubsub'),
  validateSamples: z.boolean().optional(),
}

/** The source of a new pipe: exactly one source type. */
export const sourceInput = z.strictObject(sources).refine(oneKind, oneKindMessage)

/** A source that is tested before its pipe is created: the tables of a database need not be chosen yet. */
export const testedSourceInput = z
  .strictObject({
    ...sources,
    postgres: postgres
      .extend({ tableMappings: z.array(tableMappingInput).max(1000).default([]) })
      .transform(withDefaults)
      .optional(),
  })
  .refine(oneKind, oneKindMessage)
