/** How pipes authenticate with their sources: docs/DEPLOYMENTS.md#pipes. */
import type { kafkaAuthentications, kafkaTypes } from './pipeSources.ts'

type KafkaAuthentication = (typeof kafkaAuthentications)[number]

/** The authentication methods of each type of Kafka source. */
export const kafkaTypeAuthentications: Record<(typeof kafkaTypes)[number], readonly KafkaAuthentication[]> = {
  kafka: ['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512', 'MUTUAL_TLS'],
  redpanda: ['SCRAM-SHA-256', 'SCRAM-SHA-512', 'MUTUAL_TLS'],
  msk: ['SCRAM-SHA-512', 'IAM_ROLE', 'IAM_USER', 'MUTUAL_TLS'],
  gcmk: ['PLAIN', 'MUTUAL_TLS'],
  confluent: ['PLAIN', 'MUTUAL_TLS'],
  warpstream: ['PLAIN'],
  azureeventhub: ['PLAIN'],
  dokafka: ['SCRAM-SHA-256', 'MUTUAL_TLS'],
}

/** The types of Kafka sources whose brokers may be open to everybody: those that people run themselves, and MSK. */
export const kafkaTypesWithoutSignIn = [
  'kafka',
  'redpanda',
  'msk',
  'warpstream',
] as const satisfies readonly (typeof kafkaTypes)[number][]

/** A part of `credentials` of a Kafka source. */
const kafkaCredentialFields = [
  'username',
  'password',
  'accessKeyId',
  'secretKey',
  'connectionString',
  'certificate',
  'privateKey',
] as const
type KafkaCredentialField = (typeof kafkaCredentialFields)[number]

/** The parts of `credentials` of an authentication method; none for a role. */
export function kafkaCredentialsOf(type: string, authentication: string): readonly KafkaCredentialField[] {
  if (authentication === 'IAM_ROLE') return []
  if (authentication === 'IAM_USER') return ['accessKeyId', 'secretKey']
  if (authentication === 'MUTUAL_TLS') return ['certificate', 'privateKey']
  return type === 'azureeventhub' ? ['connectionString'] : ['username', 'password']
}
