/** Where a pipe that is made or changed reads: what the stack takes of each kind, managed reference 5.1 to 5.3. */
import { z } from 'zod'
import {
  compressions,
  databaseTableEngines,
  kafkaAuthentications,
  kafkaFormats,
  kafkaOffsets,
  kafkaTypes,
  kinesisAuthentications,
  kinesisFormats,
  kinesisIterators,
  type objectStorageAuthentications,
  objectStorageFormats,
  postgresTypes,
  replicationModes,
} from './pipeSources.ts'
import { names, text, unique, uniqueNames } from './pipeTexts.ts'

/** A moment in UTC to the minute, without seconds and zone (spec 2.5). */
const minuteError = 'must be a minute in UTC such as 2026-01-02T03:04'
const minute = z.iso.datetime({ precision: -1, local: true, error: minuteError }).length(16, minuteError)

const accessKey = z.strictObject({ accessKeyId: text, secretKey: text })

const kafka = z.strictObject({
  type: z.enum(kafkaTypes).default('kafka'),
  format: z.enum(kafkaFormats),
  brokers: text,
  topics: text,
  consumerGroup: text.optional(),
  authentication: z.enum(kafkaAuthentications),
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
  credentials: z.record(z.string(), z.string()).nullable().optional(),
})

const kinesis = z.strictObject({
  format: z.enum(kinesisFormats),
  streamName: text,
  region: text,
  useEnhancedFanOut: z.boolean().optional(),
  iteratorType: z.enum(kinesisIterators).default('TRIM_HORIZON'),
  timestamp: z.int().min(0).optional(),
  authentication: z.enum(kinesisAuthentications),
  iamRole: text.optional(),
  accessKey: accessKey.optional(),
})

/** Ways to sign in at a storage that need no account of another kind. */
const storageAuthentications = [
  'IAM_USER',
  'IAM_ROLE',
] as const satisfies readonly (typeof objectStorageAuthentications)[number][]

/** Azure's storage is not among them: the stack does not read it. */
export const readableStorageTypes = [
  's3',
  'gcs',
  'dospaces',
  'cloudflarer2',
  'ovhobjectstorage',
  'file',
  'http',
] as const

/** Storages that can tell a queue of new files. */
export const queuedStorageTypes: readonly string[] = ['s3', 'gcs']

const objectStorage = z
  .strictObject({
    type: z.enum(readableStorageTypes).optional(),
    format: z.enum(objectStorageFormats),
    url: text,
    delimiter: z.string().length(1).optional(),
    compression: z.enum(compressions).default('auto'),
    isContinuous: z.boolean().default(false),
    /** Tells of new files, so that nothing has to look for them. */
    queueUrl: text.optional(),
    /** None means that the objects are public. */
    authentication: z.enum(storageAuthentications).optional(),
    iamRole: text.optional(),
    accessKey: accessKey.optional(),
  })
  .superRefine(({ type, authentication, iamRole, queueUrl, isContinuous }, context) => {
    const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
    if (authentication === 'IAM_ROLE' && type !== 's3') refuse('authentication', 'IAM_ROLE is for the type s3 only')
    if (authentication === 'IAM_ROLE' && iamRole === undefined) refuse('iamRole', 'IAM_ROLE needs an iamRole')
    if (queueUrl === undefined) return
    if (!isContinuous) refuse('queueUrl', 'a queue is for pipes that go on watching (isContinuous)')
    if (!queuedStorageTypes.includes(type ?? '')) refuse('queueUrl', 'a queue is for the types s3 and gcs only')
    if (authentication === undefined)
      refuse('queueUrl', 'a queue is not for public objects: it needs an authentication')
  })

const tableMappingInput = z
  .strictObject({
    sourceSchemaName: text,
    sourceTable: text,
    targetTable: text,
    excludedColumns: uniqueNames.optional(),
    useCustomSortingKey: z.boolean().optional(),
    sortingKeys: uniqueNames.optional(),
    tableEngine: z.enum(databaseTableEngines).optional(),
  })
  .refine((mapping) => !mapping.useCustomSortingKey || (mapping.sortingKeys?.length ?? 0) > 0, {
    path: ['sortingKeys'],
    message: 'useCustomSortingKey needs sortingKeys',
  })

const mappings = z
  .array(tableMappingInput)
  .min(1)
  .max(1000)
  .refine((list) => unique(list.map((mapping) => mapping.targetTable)), 'targetTable must be unique')

const credentials = z.strictObject({ username: text, password: z.string().max(4096) })
const sync = { syncIntervalSeconds: z.int().min(1), pullBatchSize: z.int().min(1) }

const postgres = z.strictObject({
  type: z.enum(postgresTypes).default('postgres'),
  host: text,
  port: z.int().min(1).max(65_535).default(5432),
  database: text,
  settings: z
    .strictObject({
      ...sync,
      initialLoadParallelism: z.int().min(1),
      snapshotNumRowsPerPartition: z.int().min(1000),
      snapshotNumberOfParallelTables: z.int().min(1),
      publicationName: text,
      replicationSlotName: text,
      replicationMode: z.enum(replicationModes),
      allowNullableColumns: z.boolean(),
      enableFailoverSlots: z.boolean(),
    })
    .partial()
    .optional(),
  tableMappings: mappings,
  credentials,
})

const arms = { kafka, kinesis, objectStorage, postgres }
const oneArm = (source: Record<string, unknown>) => Object.values(source).filter((arm) => arm != null).length === 1
const armMessage = `exactly one of ${Object.keys(arms).join(', ')} must be given`

/** The source of a new pipe: one kind. */
export const sourceInput = z
  .strictObject({
    kafka: kafka.nullish(),
    kinesis: kinesis.nullish(),
    objectStorage: objectStorage.nullish(),
    postgres: postgres.nullish(),
    validateSamples: z.boolean().optional(),
  })
  .refine(
    ({ kafka, kinesis, objectStorage, postgres }) => oneArm({ kafka, kinesis, objectStorage, postgres }),
    armMessage,
  )

const postgresUpdate = z
  .strictObject({
    host: text.optional(),
    port: z.int().min(1).max(65_535).optional(),
    credentials: credentials.optional(),
    settings: z.strictObject(sync).partial().optional(),
    tableMappingsToAdd: z.array(tableMappingInput).max(1000).optional(),
    tableMappingsToRemove: z.array(tableMappingInput).max(1000).optional(),
  })
  .superRefine((input, context) => {
    const key = (mapping: z.infer<typeof tableMappingInput>) => `${mapping.sourceSchemaName}.${mapping.sourceTable}`
    const removed = new Set(input.tableMappingsToRemove?.map(key))
    const both = input.tableMappingsToAdd?.map(key).find((table) => removed.has(table))
    if (both) {
      context.addIssue({
        code: 'custom',
        path: ['tableMappingsToAdd'],
        message: `${both} is added and removed at once`,
      })
    }
  })

/** What may change of the source of a pipe that is there, by kind. */
export const sourceUpdate = z
  .strictObject({
    kafka: kafka
      .pick({
        iamRole: true,
        caCertificate: true,
        reversePrivateEndpointIds: true,
        credentials: true,
      })
      .extend({ authentication: z.enum(kafkaAuthentications).optional() })
      .nullish(),
    kinesis: z
      .strictObject({
        authentication: z.enum(kinesisAuthentications).optional(),
        iamRole: text.optional(),
        accessKey: accessKey.optional(),
      })
      .nullish(),
    objectStorage: z
      .strictObject({
        authentication: z.enum(storageAuthentications).optional(),
        iamRole: text.optional(),
        accessKey: accessKey.optional(),
      })
      .nullish(),
    postgres: postgresUpdate.nullish(),
  })
  .refine(oneArm, armMessage)
