/** Converts the source part of the form to the request body. Fields that do not apply are omitted. */
import { kafkaCredentialsOf } from '#contract/cloud/pipes/pipeAuthentication.ts'
import { queuedStorageTypes } from '#contract/cloud/pipes/pipeSourceInputs.ts'
import type { CreatableKind, PipeForm, TableRow } from './pipeForm.ts'

type Source = PipeForm['source']
export type Body = Record<string, unknown>

/** Fields whose leading and trailing blanks are kept. */
const verbatim = [
  'password',
  'secretKey',
  'connectionString',
  'delimiter',
  'certificate',
  'privateKey',
  'caCertificate',
]

/** The object without empty texts, empty lists, empty objects and null. */
export function omitEmpty(group: object): Body {
  return Object.fromEntries(
    Object.entries(group).flatMap(([key, value]) => {
      const keepsSecrets = nonEmpty(verbatim.includes(key) || typeof value !== 'string' ? value : value.trim())
      return keepsSecrets === undefined ? [] : [[key, keepsSecrets]]
    }),
  )
}

function nonEmpty(value: unknown): unknown {
  if (value === '' || value === null) return undefined
  if (Array.isArray(value)) return value.length > 0 ? value : undefined
  if (typeof value !== 'object') return value
  const inner = omitEmpty(value ?? {})
  return Object.keys(inner).length > 0 ? inner : undefined
}

const delimitedFormats = ['CSV', 'CSVWithNames', 'TabSeparated', 'TabSeparatedWithNames']

/** Whether the format has a configurable delimiter. */
export const hasDelimiter = (format: string) => delimitedFormats.includes(format)

/** Whether the storage needs no credentials: local files and HTTP of the local stack. */
export const isAnonymous = (type: string) => type === 'file' || type === 'http'

/** The authentication of a storage. Null if there is none. */
const storageAuthentication = ({ type, authentication }: Source['objectStorage']) =>
  isAnonymous(type) || authentication === 'none' ? null : authentication

/** Whether a notification queue can announce new files. */
export const supportsQueue = (storage: Source['objectStorage']) =>
  queuedStorageTypes.includes(storage.type) && storage.isContinuous && storageAuthentication(storage) !== null

/** Whether records of a Kafka source are read with a schema of the pipe, and not of a registry. */
export const hasOwnSchema = ({ format, schemaRegistry }: Pick<Source['kafka'], 'format' | 'schemaRegistry'>) =>
  format === 'Protobuf' && schemaRegistry.url.trim() === ''

/** The parts of the credentials of Kafka brokers; none without sign-in. */
export function kafkaCredentials({ type, authentication }: Pick<Source['kafka'], 'type' | 'authentication'>) {
  return authentication === 'none' ? [] : kafkaCredentialsOf(type, authentication)
}

const bodyBuilders: { [K in CreatableKind]: (source: Source[K]) => Body } = {
  objectStorage: (all) => {
    const { accessKey, authentication: _chosen, iamRole, delimiter, queueUrl, ...rest } = all
    const authentication = storageAuthentication(all)
    return omitEmpty({
      ...rest,
      ...(hasDelimiter(rest.format) && { delimiter }),
      ...(supportsQueue(all) && { queueUrl }),
      authentication,
      ...(authentication === 'IAM_ROLE' && { iamRole }),
      ...(authentication === 'IAM_USER' && { accessKey }),
    })
  },

  kafka: ({ credentials, iamRole, offset, protobufSchema, ...rest }) =>
    omitEmpty({
      ...rest,
      ...(hasOwnSchema(rest) && { protobufSchema: toBase64(protobufSchema) }),
      authentication: rest.authentication === 'none' ? null : rest.authentication,
      ...(rest.authentication === 'IAM_ROLE' && { iamRole }),
      credentials: picked(credentials, kafkaCredentials(rest)),
      ...(offset.strategy !== 'default' && {
        offset: { ...offset, timestamp: offset.strategy === 'from_timestamp' ? toMinute(offset.timestamp) : '' },
      }),
    }),

  kinesis: ({ accessKey, iamRole, timestamp, protobufSchema, ...rest }) =>
    omitEmpty({
      ...rest,
      ...(rest.format === 'Protobuf' && { protobufSchema: toBase64(protobufSchema) }),
      ...(rest.iteratorType === 'AT_TIMESTAMP' && timestamp && { timestamp: Math.floor(Date.parse(timestamp) / 1000) }),
      ...(rest.authentication === 'IAM_ROLE' ? { iamRole } : { accessKey }),
    }),

  postgres: ({ credentials, settings, tableMappings, ...rest }) => ({
    ...omitEmpty({
      ...rest,
      settings: {
        ...settings,
        replicationSlotName: settings.replicationMode === 'cdc_only' ? settings.replicationSlotName : '',
      },
      tableMappings: tableMappings.map(mappingBody),
    }),
    // The password may be empty.
    credentials: { ...omitEmpty({ username: credentials.username }), password: credentials.password },
  }),
}

/** The base64 of a text in UTF-8. */
const toBase64 = (text: string) =>
  btoa(Array.from(new TextEncoder().encode(text.trim()), (byte) => String.fromCharCode(byte)).join(''))

/** An ISO date as UTC time to the minute, without zone. */
const toMinute = (iso: string) => iso.slice(0, 'yyyy-mm-ddThh:mm'.length)

function picked<T extends object>(group: T, fields: readonly (keyof T)[]): Partial<T> {
  // fromEntries forgets the keys.
  return Object.fromEntries(fields.map((field) => [field, group[field]])) as Partial<T>
}

/** A table mapping in the request body. */
export function mappingBody(row: TableRow): Body {
  return omitEmpty({ ...row, ...(row.sortingKeys.length > 0 && { useCustomSortingKey: true }) })
}

/** The source part of the request body. */
export function sourceTypeBody<K extends CreatableKind>(kind: K, source: Source): Body {
  return bodyBuilders[kind](source[kind])
}

/** Fields that are required by the chosen options, beyond the contract's rules. */
export function requiredFields(kind: CreatableKind, source: Source): string[] {
  const { objectStorage, kafka, kinesis } = source
  const under = (fields: readonly string[]) => fields.map((field) => `source.${kind}.${field}`)
  const accessKey = ['accessKey.accessKeyId', 'accessKey.secretKey']
  if (kind === 'objectStorage') {
    const authentication = storageAuthentication(objectStorage)
    return under(authentication === 'IAM_USER' ? accessKey : authentication === 'IAM_ROLE' ? ['iamRole'] : [])
  }
  if (kind === 'kinesis') {
    return under([
      ...(kinesis.authentication === 'IAM_ROLE' ? ['iamRole'] : accessKey),
      ...(kinesis.iteratorType === 'AT_TIMESTAMP' ? ['timestamp'] : []),
      ...(kinesis.format === 'Protobuf' ? ['protobufSchema'] : []),
    ])
  }
  if (kind === 'kafka') {
    const { username, password } = kafka.schemaRegistry.credentials
    return under([
      ...(kafka.authentication === 'IAM_ROLE' ? ['iamRole'] : []),
      ...kafkaCredentials(kafka).map((field) => `credentials.${field}`),
      ...(kafka.offset.strategy === 'from_timestamp' ? ['offset.timestamp'] : []),
      ...(kafka.format === 'AvroConfluent' || username || password ? ['schemaRegistry.url'] : []),
      ...(username || password ? ['schemaRegistry.credentials.username', 'schemaRegistry.credentials.password'] : []),
    ])
  }
  return under(['credentials.username'])
}
