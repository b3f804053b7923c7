/** Tuning of one pipe: docs/DEPLOYMENTS.md#settings-of-pipes. */
import { z } from 'zod'
import { boundSchema, type Bound } from '../bounds.ts'
import { wireNumber } from '../../wire/kernel.ts'
import type { PipeKind } from '../pipeKinds.ts'

export interface PipeSetting {
  key: string
  type: 'integer' | 'boolean'
  /** The smallest value of an integer. */
  min?: number
  max?: number
  /** Null if none is documented. */
  default: number | boolean | null
  unit?: string
  meaning: string
  kinds: readonly PipeKind[]
  /** Beyond the specification: deployments do not know it. */
  ofStack?: true
}

const streaming = ['kafka', 'kinesis', 'pubsub'] as const
const objectStorage = ['objectStorage'] as const
const ofRecords = ['kafka', 'kinesis', 'objectStorage'] as const

export const pipeSettingTable = [
  {
    key: 'streaming_max_insert_wait_ms',
    type: 'integer',
    min: 500,
    max: 60_000,
    default: 5000,
    unit: 'ms',
    meaning: 'Maximum time to buffer records before an insert',
    kinds: streaming,
  },
  {
    key: 'kafka_read_committed',
    type: 'boolean',
    default: null,
    meaning: 'Read only records of committed transactions',
    kinds: ['kafka'],
  },
  {
    key: 'object_storage_concurrency',
    type: 'integer',
    min: 1,
    max: 35,
    default: null,
    unit: 'files',
    meaning: 'Number of files to read in parallel',
    kinds: objectStorage,
  },
  {
    key: 'object_storage_polling_interval_ms',
    type: 'integer',
    min: 100,
    max: 3_600_000,
    default: 30_000,
    unit: 'ms',
    meaning: 'Polling interval for new files with continuous ingestion',
    kinds: objectStorage,
  },
  {
    key: 'object_storage_max_insert_bytes',
    type: 'integer',
    min: 10_485_760,
    max: 53_687_091_200,
    default: 10_737_418_240,
    unit: 'bytes',
    meaning: 'Maximum size of the files in one insert',
    kinds: objectStorage,
  },
  {
    key: 'object_storage_max_file_count',
    type: 'integer',
    min: 1,
    max: 10_000,
    default: 100,
    unit: 'files',
    meaning: 'Maximum number of files in one insert',
    kinds: objectStorage,
  },
  {
    key: 'db_max_threads',
    type: 'integer',
    min: 0,
    max: 64,
    default: 0,
    unit: 'threads',
    meaning: 'Threads for reading and parsing; 0 is automatic',
    kinds: objectStorage,
  },
  {
    key: 'db_max_insert_threads',
    type: 'integer',
    min: 0,
    max: 16,
    default: 1,
    unit: 'threads',
    meaning: 'Threads for inserts',
    kinds: objectStorage,
  },
  {
    key: 'db_min_insert_block_size_bytes',
    type: 'integer',
    min: 0,
    max: 10_737_418_240,
    default: 1_073_741_824,
    unit: 'bytes',
    meaning: 'Minimum block size for inserts',
    kinds: objectStorage,
  },
  {
    key: 'db_max_download_threads',
    type: 'integer',
    min: 0,
    max: 32,
    default: 4,
    unit: 'threads',
    meaning: 'Threads for downloading one file',
    kinds: objectStorage,
  },
  {
    key: 'db_parallel_distributed_insert_select',
    type: 'integer',
    min: 0,
    max: 2,
    default: 2,
    meaning: 'Distribute inserts across the nodes of a cluster: 0 off, 1 reads, 2 reads and writes',
    kinds: objectStorage,
  },
  {
    key: 'object_storage_use_cluster_function',
    type: 'boolean',
    default: true,
    meaning: 'Read with all nodes of a cluster',
    kinds: objectStorage,
  },
  {
    key: 'db_parallel_view_processing',
    type: 'boolean',
    default: false,
    meaning: 'Update materialized views in parallel',
    kinds: objectStorage,
  },
  {
    key: 'reject_null_values',
    type: 'boolean',
    default: false,
    meaning: 'Treat null for a column that is neither Nullable nor has a DEFAULT as a bad record',
    kinds: ofRecords,
    ofStack: true,
  },
] as const satisfies readonly PipeSetting[]

export type PipeSettingKey = (typeof pipeSettingTable)[number]['key']

/** The bounds of the settings that are numbers. */
export const pipeSettingBounds: readonly Bound[] = pipeSettingTable.flatMap((setting) =>
  setting.type === 'integer'
    ? [
        {
          field: setting.key,
          min: setting.min,
          max: setting.max,
          integer: true,
          nullable: true,
          kinds: setting.kinds,
          ...('unit' in setting && { unit: setting.unit }),
        },
      ]
    : [],
)

/** Settings in responses. Deployments may return further keys. */
export const pipeSettings = z.record(z.string(), z.union([wireNumber, z.boolean(), z.string(), z.null()]))
export type PipeSettings = z.infer<typeof pipeSettings>

const shape = Object.fromEntries(
  pipeSettingTable.map((setting) => [
    setting.key,
    setting.type === 'boolean'
      ? z.boolean().nullish()
      : boundSchema({
          field: setting.key,
          min: setting.min,
          max: setting.max,
          integer: true,
          nullable: true,
        }).optional(),
  ]),
) as unknown as Record<PipeSettingKey, z.ZodOptional<z.ZodType<number | boolean | null, number | boolean | null>>> // fromEntries loses the keys

/** The settings that the stack accepts. A PUT merges them: omitted keys stay unchanged, null restores the default. */
export const pipeSettingsStrict = z.strictObject(shape)

/** The settings that clients can send. Keys that only the deployment knows pass through. */
export const pipeSettingsInput = pipeSettings.refine(
  (settings) => Object.keys(settings).length > 0,
  'at least one setting is required',
)

/** Whether a setting works for a source type. Unknown keys and source types may work. */
export function settingApplies(key: string, kind: PipeKind | null): boolean {
  const setting: PipeSetting | undefined = pipeSettingTable.find((candidate) => candidate.key === key)
  return kind === null || !setting || setting.kinds.includes(kind)
}
