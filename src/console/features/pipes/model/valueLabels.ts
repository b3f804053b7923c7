/** The values of a pipe's fields, as forms and pages name them. */
import type { readableStorageTypes } from '#contract/cloud/pipes/pipeSourceInputs.ts'
import type { kafkaOffsets, kafkaTypes, kinesisIterators, replicationModes } from '#contract/cloud/pipes/pipeSources.ts'

/** Providers of Kafka. */
export const kafkaTypeLabels: Record<(typeof kafkaTypes)[number], string> = {
  kafka: 'Apache Kafka',
  redpanda: 'Redpanda',
  msk: 'Amazon MSK',
  gcmk: 'Google Managed Kafka',
  confluent: 'Confluent Cloud',
  warpstream: 'WarpStream',
  azureeventhub: 'Azure Event Hubs',
  dokafka: 'DigitalOcean Kafka',
}

/** Names of object storages, with the detail that forms add. */
export const storageLabels: Record<(typeof readableStorageTypes)[number], [label: string, detail?: string]> = {
  s3: ['Amazon S3', 'or S3-compatible storage'],
  gcs: ['Google Cloud Storage'],
  dospaces: ['DigitalOcean Spaces'],
  cloudflarer2: ['Cloudflare R2'],
  ovhobjectstorage: ['OVH Object Storage'],
  file: ['Local files', 'a folder that the local stack can read'],
  http: ['HTTP', 'HTTP or HTTPS URLs, local stack only'],
}

/** Replication modes of Postgres, with their effect. */
export const replicationModeLabels: Record<(typeof replicationModes)[number], [label: string, detail: string]> = {
  cdc: ['Initial load and CDC', 'loads existing rows, then replicates changes'],
  snapshot: ['Initial load only', 'loads existing rows once'],
  cdc_only: ['CDC only', 'replicates changes from an existing replication slot'],
}

/** Where reading of a Kafka topic begins. */
export const offsetLabels: Record<(typeof kafkaOffsets)[number], string> = {
  from_beginning: 'Earliest',
  from_latest: 'Latest',
  from_timestamp: 'From a timestamp',
}

/** Where reading of a Kinesis stream begins. */
export const startPositionLabels: Record<(typeof kinesisIterators)[number], string> = {
  TRIM_HORIZON: 'Oldest record',
  LATEST: 'Latest record',
  AT_TIMESTAMP: 'From a timestamp',
}

const authenticationLabels = { IAM_ROLE: 'IAM role', IAM_USER: 'Access key' }

const labelsOnly = (
  labels: Record<string, readonly [label: string, detail?: string]>,
): Partial<Record<string, string>> =>
  Object.fromEntries(Object.entries(labels).map(([value, [label]]) => [value, label]))

const labelsByPath: Partial<Record<string, Partial<Record<string, string>>>> = {
  'source.kafka.type': kafkaTypeLabels,
  'source.kafka.offset.strategy': offsetLabels,
  'source.kinesis.iteratorType': startPositionLabels,
  'source.kinesis.authentication': authenticationLabels,
  'source.objectStorage.authentication': authenticationLabels,
  'source.objectStorage.type': labelsOnly(storageLabels),
  'source.postgres.settings.replicationMode': labelsOnly(replicationModeLabels),
}

/** The value of a field, by its path in the form; one that is not known is shown as it is reported. */
export const valueLabel = (path: string, value: string): string => {
  const labels = labelsByPath[path] ?? {}
  return (Object.hasOwn(labels, value) ? labels[value] : undefined) ?? value
}
