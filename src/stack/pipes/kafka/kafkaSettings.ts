/** The cluster settings in the document of a Kafka pipe: docs/DEPLOYMENTS.md#pipes. */
import type { Broker, SASLMechanismValue } from '@platformatic/kafka'
import { z } from 'zod'
import { refuse } from '../../refusal.ts'
import { defaultPipeSize } from '#domain/sizing/pipePrices.ts'
import { protobufSchemaOf } from '../model/pipeSecrets.ts'
import { sizeOf, type PipeDocument } from '../model/pipeDocument.ts'
import { framedValues, type FramedValues } from '../schemas/framedValues.ts'
import { plainProtobuf } from '../schemas/plainProtobuf.ts'
import type { RegistryOptions, SchemaRegistry } from '../schemas/schemaRegistry.ts'
import type { Security } from './brokerConnections.ts'
import { earliest, latest, type Isolation } from './cluster.ts'

export interface KafkaSettings {
  brokers: Broker[]
  topic: string
  groupId: string
  security: Security
  /** Where to begin: epoch milliseconds, or one of the special times. */
  begin: number
  /** Committed transactions only, unless the settings say otherwise. */
  isolation: Isolation
  replicas: number
  /** Where the schemas of the values are; null for JSON, and for values of one schema. */
  registry: RegistryOptions | null
  /** The Protobuf schema of all values, without a registry: a .proto file or a serialized FileDescriptorSet. */
  protobufSchema: Buffer | null
  /** Whether a record without a value becomes a row that is marked as deleted. */
  keepsTombstones: boolean
  limits: BatchLimits
}

/** When the batch of a replica is complete: docs/DEPLOYMENTS.md#scaling-of-pipes. */
export interface BatchLimits {
  rows: number
  bytes: number
  waitMs: number
  /** A larger record is bad. */
  recordBytes: number
  /** The largest response. */
  fetchBytes: number
  /** The largest batch of records, when decompressed. */
  unpackedBytes: number
}

const megabyte = 1_000_000
const mebibyte = 1024 ** 2

/**
 * @param pipeWord the deployment's word for pipes, such as `datapipes`
 * @throws Refusal 400 for what this stack does not support
 */
export function kafkaSettings(pipe: PipeDocument, pipeWord: string): KafkaSettings {
  const source = pipe.source?.kafka
  if (!source) throw new TypeError('not a Kafka pipe')
  const { brokers, usesTls } = parseBrokers(source.brokers ?? '')
  const { replicas, replicaMemoryGb } = sizeOf(pipe)
  const wait = pipe.settings?.['streaming_max_insert_wait_ms']
  const isSmallest = replicaMemoryGb <= defaultPipeSize.replicaMemoryGb
  const bytes = 32 * megabyte * replicaMemoryGb
  const recordBytes = (isSmallest ? 16 : 32) * mebibyte
  return {
    brokers,
    topic: parseTopic(source.topics ?? ''),
    groupId: source.consumerGroup || `${pipeWord}-${pipe.id}`,
    security: securityOf(pipe, usesTls),
    begin: beginOf(pipe),
    isolation: pipe.settings?.['kafka_read_committed'] === false ? 'uncommitted' : 'committed',
    replicas,
    registry: registryOf(pipe),
    protobufSchema: protobufSchemaOf(pipe),
    keepsTombstones: source.tombstoneMode === 'soft_delete',
    limits: {
      rows: 100_000,
      bytes,
      waitMs: typeof wait === 'number' ? wait : 5000,
      recordBytes,
      fetchBytes: Math.min(8 * mebibyte, Math.floor(bytes / 2)),
      unpackedBytes: recordBytes * 2,
    },
  }
}

const maxBrokers = 100
const brokerPattern = /^(?:(?<protocol>[A-Z_]+):\/\/)?(?<host>[\w.-]+|\[[0-9a-fA-F:.]+\])(?::(?<port>\d{1,5}))?$/
const protocols: Record<string, { usesTls: boolean }> = {
  PLAINTEXT: { usesTls: false },
  SASL_PLAINTEXT: { usesTls: false },
  SSL: { usesTls: true },
  SASL_SSL: { usesTls: true },
}

/** Brokers separated by commas. As on deployments, connections use TLS; only a protocol in front changes that. */
function parseBrokers(text: string): { brokers: Broker[]; usesTls: boolean } {
  const parts = text.split(',').map((part) => part.trim())
  if (parts.length > maxBrokers) throw refuse(`source.kafka.brokers: at most ${maxBrokers} brokers`)
  const parsed = parts.map((part) => {
    const { protocol = 'SASL_SSL', host = '', port = '9092' } = brokerPattern.exec(part)?.groups ?? {}
    const known = protocols[protocol]
    if (host === '' || !known || Number(port) < 1 || Number(port) > 65_535) {
      throw refuse(`source.kafka.brokers: "${part.slice(0, 100)}" is not a broker such as broker.example.com:9092`)
    }
    return { broker: { host: host.replaceAll(/[[\]]/g, ''), port: Number(port) }, ...known }
  })
  const usesTls = parsed[0]?.usesTls ?? true
  if (parsed.some((address) => address.usesTls !== usesTls)) {
    throw refuse('source.kafka.brokers: all brokers must have the same protocol')
  }
  return { brokers: parsed.map(({ broker }) => broker), usesTls }
}

function parseTopic(text: string): string {
  const topic = text.trim()
  if (topic.includes(',')) throw refuse('source.kafka.topics: a pipe reads one topic. Create a pipe for each topic')
  if (!/^[\w.-]{1,249}$/.test(topic))
    throw refuse(`source.kafka.topics: "${topic.slice(0, 100)}" is not a name of a topic`)
  return topic
}

const userPassword = z.object({ username: z.string().min(1), password: z.string() })
const certificate = z.object({ certificate: z.string().min(1), privateKey: z.string().min(1) })
const connectionString = z.object({ connectionString: z.string().min(1) })

function securityOf(pipe: PipeDocument, usesTls: boolean): Security {
  const { authentication, caCertificate, reversePrivateEndpointIds } = pipe.source?.kafka ?? {}
  const credentials = pipe.internal.secrets?.['credentials']
  const field = 'source.kafka.authentication'
  if (reversePrivateEndpointIds?.length) {
    throw refuse('source.kafka.reversePrivateEndpointIds: this stack has no private network. Leave it out')
  }
  const tls = usesTls ? { ...(caCertificate && { ca: caCertificate }) } : undefined
  switch (authentication) {
    case undefined:
    case null:
      return tls ? { tls } : {}
    case 'MUTUAL_TLS': {
      const { data } = certificate.safeParse(credentials)
      if (!data) throw refuse(`${field}: MUTUAL_TLS needs credentials with certificate and privateKey`)
      if (!tls) throw refuse(`${field}: MUTUAL_TLS needs TLS. Leave the protocol of the brokers out`)
      return { tls: { ...tls, cert: data.certificate, key: data.privateKey } }
    }
    case 'PLAIN':
    case 'SCRAM-SHA-256':
    case 'SCRAM-SHA-512': {
      // A cluster without sign-in has no credentials.
      if (credentials === undefined) return tls ? { tls } : {}
      const shared = connectionString.safeParse(credentials).data
      const data = shared
        ? { username: '$ConnectionString', password: shared.connectionString }
        : userPassword.safeParse(credentials).data
      if (!data) throw refuse(`${field}: ${authentication} needs credentials with username and password`)
      return { ...(tls && { tls }), sasl: { mechanism: authentication as SASLMechanismValue, ...data } }
    }
    default:
      throw refuse(
        `${field}: this stack has no access to roles and keys of a cloud provider. Use PLAIN, SCRAM or MUTUAL_TLS`,
      )
  }
}

/** @throws Refusal 400 for a format that needs a registry, without one */
function registryOf(pipe: PipeDocument): RegistryOptions | null {
  const { format, schemaRegistry } = pipe.source?.kafka ?? {}
  if (format === 'JSONEachRow' || pipe.internal.secrets?.['protobufSchema'] !== undefined) return null
  const url = schemaRegistry?.url ?? ''
  const field = 'source.kafka.schemaRegistry'
  if (url === '') throw refuse(`${field}: the format ${format} needs a schema registry`)
  const parsed = URL.canParse(url) ? new URL(url) : null
  if (!parsed || !/^https?:$/.test(parsed.protocol) || parsed.username !== '') {
    throw refuse(`${field}.url: must be an http or https URL without user name and password`)
  }
  const { data: credentials } = userPassword.safeParse(pipe.internal.secrets?.['schemaRegistry'])
  return { url, credentials, caCertificate: schemaRegistry?.caCertificate ?? undefined }
}

function beginOf(pipe: PipeDocument): number {
  const { strategy, timestamp } = pipe.source?.kafka?.offset ?? {}
  if (strategy === 'from_latest') return latest
  // Without a strategy, as in the published API, a timestamp says where to begin.
  if (timestamp && (strategy === 'from_timestamp' || strategy == null)) return Date.parse(`${timestamp}Z`)
  return earliest
}

/** How the values of a pipe are decoded. @returns null for JSON, which is not decoded */
export function valuesOf(
  { protobufSchema }: Pick<KafkaSettings, 'protobufSchema'>,
  registry: SchemaRegistry | null,
): FramedValues | null {
  if (registry) return framedValues(registry)
  return protobufSchema === null ? null : plainProtobuf(protobufSchema)
}
