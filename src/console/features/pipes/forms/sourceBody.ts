/** The arm of `source` that a form sends: what does not go with its choices is left out. */
import { kafkaCredentialsOf } from '#contract/pipeAuthentication.ts'
import { queuedStorageTypes } from '#contract/pipeSourceInputs.ts'
import type { CreatableKind, PipeForm, TableRow } from './pipeForm.ts'

type Source = PipeForm['source']
export type Body = Record<string, unknown>

/** Texts in which blanks at the ends belong to the value. */
const verbatim = [
  'password',
  'secretKey',
  'connectionString',
  'delimiter',
  'certificate',
  'privateKey',
  'caCertificate',
]

/** Without what nothing was said about: empty texts, lists and groups, and null. */
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

/** Whether the format has a delimiter that can be another one. */
export const hasDelimiter = (format: string) => delimitedFormats.includes(format)

/** Whether files of a storage are read without signing in: the local stack's own. */
export const isAnonymous = (type: string) => type === 'file' || type === 'http'

/** How the pipe signs in at a storage; null where it does not. */
const storageAuthentication = ({ type, authentication }: Source['objectStorage']) =>
  isAnonymous(type) || authentication === 'none' ? null : authentication

/** Whether a queue may tell of new files. */
export const supportsQueue = (storage: Source['objectStorage']) =>
  queuedStorageTypes.includes(storage.type) && storage.isContinuous && storageAuthentication(storage) !== null

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

  kafka: ({ credentials, iamRole, offset, ...rest }) =>
    omitEmpty({
      ...rest,
      ...(rest.authentication === 'IAM_ROLE' && { iamRole }),
      credentials: picked(credentials, kafkaCredentialsOf(rest.type, rest.authentication)),
      ...(offset.strategy !== 'default' && {
        offset: { ...offset, timestamp: offset.strategy === 'from_timestamp' ? toMinute(offset.timestamp) : '' },
      }),
    }),

  kinesis: ({ accessKey, iamRole, timestamp, ...rest }) =>
    omitEmpty({
      ...rest,
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
    // A password may be empty.
    credentials: { ...omitEmpty({ username: credentials.username }), password: credentials.password },
  }),
}

/** An ISO date as a minute in UTC, without seconds and zone. */
const toMinute = (iso: string) => iso.slice(0, 'yyyy-mm-ddThh:mm'.length)

function picked<T extends object>(group: T, fields: readonly (keyof T)[]): Partial<T> {
  // Entries forget whose keys they are.
  return Object.fromEntries(fields.map((field) => [field, group[field]])) as Partial<T>
}

/** A mapping as create and update take it. */
export function mappingBody(row: TableRow): Body {
  return omitEmpty({ ...row, ...(row.sortingKeys.length > 0 && { useCustomSortingKey: true }) })
}

/** What is sent of the source of a kind. */
export function sourceTypeBody<K extends CreatableKind>(kind: K, source: Source): Body {
  return bodyBuilders[kind](source[kind])
}

/** Fields that the choices of a source make necessary, whatever the contract leaves to the deployment. */
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
    ])
  }
  if (kind === 'kafka') {
    const { username, password } = kafka.schemaRegistry.credentials
    return under([
      ...(kafka.authentication === 'IAM_ROLE' ? ['iamRole'] : []),
      ...kafkaCredentialsOf(kafka.type, kafka.authentication).map((field) => `credentials.${field}`),
      ...(kafka.offset.strategy === 'from_timestamp' ? ['offset.timestamp'] : []),
      ...(kafka.format === 'AvroConfluent' || username || password ? ['schemaRegistry.url'] : []),
      ...(username || password ? ['schemaRegistry.credentials.username', 'schemaRegistry.credentials.password'] : []),
    ])
  }
  return under(['credentials.username'])
}
