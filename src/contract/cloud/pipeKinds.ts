/** The kinds of data pipes, by the field of `source` that is set: docs/DEPLOYMENTS.md#pipes. */

export const pipeKinds = [
  'kafka',
  'kinesis',
  'pubsub',
  'objectStorage',
  'postgres',
  'mysql',
  'mongodb',
  'bigquery',
] as const
export type PipeKind = (typeof pipeKinds)[number]

export type PipeFamily = 'streaming' | 'objectStorage' | 'database'

/** Kinds of one family share scaling parameters, states and metrics. */
export const pipeFamilies: Record<PipeKind, PipeFamily> = {
  kafka: 'streaming',
  kinesis: 'streaming',
  pubsub: 'streaming',
  objectStorage: 'objectStorage',
  postgres: 'database',
  mysql: 'database',
  mongodb: 'database',
  bigquery: 'database',
}

export const pipeKindNames: Record<PipeKind, string> = {
  kafka: 'Kafka',
  kinesis: 'Kinesis',
  pubsub: 'Pub/Sub',
  objectStorage: 'Object storage',
  postgres: 'Postgres',
  mysql: 'MySQL',
  mongodb: 'MongoDB',
  bigquery: 'BigQuery',
}

/** The kind of a pipe; null if it is unknown here. */
export function pipeKind(pipe: { source?: Record<string, unknown> | null | undefined }): PipeKind | null {
  return pipeKinds.find((kind) => pipe.source?.[kind] != null) ?? null
}
