/** How settings and scaling of an object-storage pipe affect its loads. */
import type { Pipe } from '#contract/cloud/pipes/pipes.ts'
import type { BatchLimits } from './sourceFiles.ts'
import type { PipeDocument } from '../model/pipeDocument.ts'
import { literal } from '../loads/sqlNames.ts'

/** The automatic concurrency (0) on one machine. */
const automaticConcurrency = 4

/** How many files are read at a time: the setting if it is set, else the scaling. 0 is automatic. */
function concurrencyOf(pipe: Pick<Pipe, 'scaling' | 'settings'>): number {
  const set = pipe.settings?.['object_storage_concurrency']
  if (typeof set === 'number') return set
  return pipe.scaling?.concurrency || automaticConcurrency
}

/** Threads of a load. */
export function threadsOf(pipe: PipeDocument): number {
  const threads = setting(pipe, 'db_max_threads', 0)
  const concurrency = concurrencyOf(pipe)
  return threads === 0 ? concurrency : Math.min(threads, concurrency)
}

export function limitsOf(pipe: PipeDocument): BatchLimits {
  return {
    files: setting(pipe, 'object_storage_max_file_count', 100),
    bytes: setting(pipe, 'object_storage_max_insert_bytes', 10_737_418_240),
  }
}

export function setting(pipe: PipeDocument, key: string, defaultValue: number): number {
  const value = pipe.settings?.[key]
  return typeof value === 'number' ? value : defaultValue
}

/** A block size for small machines. The documented default is for servers. */
const blockBytes = 64 * 1024 ** 2

/** Settings of statements that load files. */
export function statementSettings(pipe: PipeDocument): string[] {
  return [
    'insert_allow_materialized_columns = 1',
    `max_insert_threads = ${setting(pipe, 'db_max_insert_threads', 1)}`,
    `min_insert_block_size_bytes = ${setting(pipe, 'db_min_insert_block_size_bytes', blockBytes)}`,
    `parallel_view_processing = ${pipe.settings?.['db_parallel_view_processing'] === true ? 1 : 0}`,
    'insert_null_as_default = 1',
    ...readingSettings(pipe),
  ]
}

/** Settings of statements that read files. */
export function readingSettings(pipe: PipeDocument): string[] {
  const delimiter = pipe.source?.objectStorage?.delimiter
  return [
    `max_threads = ${threadsOf(pipe)}`,
    `max_download_threads = ${setting(pipe, 'db_max_download_threads', 4)}`,
    'input_format_skip_unknown_fields = 1',
    'input_format_avro_allow_missing_fields = 1',
    "date_time_input_format = 'best_effort'",
    "date_time_overflow_behavior = 'throw'",
    ...(delimiter ? [`format_csv_delimiter = ${literal(delimiter)}`] : []),
  ]
}
