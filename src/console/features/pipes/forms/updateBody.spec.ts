import { assert, constantFrom, option, property, record, string, uniqueArray } from 'fast-check'
import { expect, test } from 'vitest'
import { pipeUpdateStrict } from '#contract/cloud/pipes/pipeInputs.ts'
import { pipe, type Pipe } from '#contract/cloud/pipes/pipes.ts'
import { creatableKind, readForm, type CreatableKind, type PipeForm } from './pipeForm.ts'
import {
  pipeChanges,
  rowPath,
  updateBody,
  updateSchema,
  editableValues,
  withoutNewSecrets,
  withEditableValues,
} from './updateBody.ts'

const column = record({ name: constantFrom('a', 'b', 'c', 'd'), type: constantFrom('String', 'UInt64', 'odd type') })
const columns = uniqueArray(column, { selector: ({ name }) => name, minLength: 1 })
const mappings = uniqueArray(
  record({
    sourceSchemaName: constantFrom('public', 'shop'),
    sourceTable: constantFrom('one', 'two', 'three'),
    targetTable: string({ minLength: 1 }),
  }),
  { selector: ({ sourceSchemaName, sourceTable }) => `${sourceSchemaName}.${sourceTable}`, minLength: 1 },
)
const sources = {
  objectStorage: record({
    url: string(),
    authentication: constantFrom('IAM_USER', 'IAM_ROLE', 'ODD', null),
    iamRole: option(string()),
  }),
  kafka: record({
    type: constantFrom('kafka', 'msk', 'odd'),
    authentication: constantFrom('PLAIN', 'IAM_ROLE', 'ODD'),
    iamRole: option(string()),
    caCertificate: option(string()),
    reversePrivateEndpointIds: option(uniqueArray(string())),
  }),
  kinesis: record({ authentication: constantFrom('IAM_ROLE', 'IAM_USER', 'ODD'), iamRole: option(string()) }),
  postgres: record({ host: string(), port: constantFrom(5432, 1), tableMappings: mappings }),
}
const kinds = Object.keys(sources) as CreatableKind[] // the record's own keys

const stored = constantFrom(...kinds).chain((kind) =>
  record({ source: sources[kind], columns, name: string() }).map(({ source, columns, name }) =>
    pipe.parse({
      id: 'p',
      name,
      source: { [kind]: source },
      destination: { columns },
      fieldMappings: columns.map(({ name }) => ({ sourceField: name, destinationField: name })),
    }),
  ),
)
const open = (one: Pipe) => readForm(one, creatableKind(one) ?? 'kafka')

test('saving without changes sends nothing, whatever was read', () => {
  assert(
    property(stored, (one) => {
      expect(updateBody(open(one), one)).toEqual({})
      expect(pipeChanges(open(one), one)).toEqual([])
      expect(withEditableValues(open(one), editableValues(open(one)))).toEqual(open(one))
    }),
  )
})

const kafka: Pipe = pipe.parse({
  id: 'p',
  name: 'Clicks',
  source: { kafka: { type: 'msk', authentication: 'SCRAM-SHA-512', caCertificate: 'CA' } },
  destination: { columns: [{ name: 'at', type: 'DateTime', comment: 'theirs' }] },
  fieldMappings: [{ sourceField: 'time', destinationField: 'at' }],
})

const changed = (base: Pipe, change: (form: PipeForm) => void) => {
  const form = structuredClone(open(base))
  change(form)
  return form
}
const faults = (form: PipeForm, base: Pipe) =>
  (updateSchema(base, form.kind).safeParse(form).error?.issues ?? []).map(({ path }) => path.join('.'))

test('only changes are sent, and unknown fields of a column are kept', () => {
  const named = changed(kafka, (form) => {
    form.name = ' Visits '
  })
  expect(updateBody(named, kafka)).toEqual({ name: 'Visits' })
  const wider = changed(kafka, ({ destination }) => {
    destination.columns.push({ source: '', name: 'user', type: 'String' })
  })
  expect(updateBody(wider, kafka)).toEqual({
    destination: {
      columns: [
        { name: 'at', type: 'DateTime', comment: 'theirs' },
        { name: 'user', type: 'String' },
      ],
    },
    fieldMappings: [
      { sourceField: 'time', destinationField: 'at' },
      { sourceField: 'user', destinationField: 'user' },
    ],
  })
  expect(faults(wider, kafka)).toEqual([])
})

test('secrets are kept unless entered, and are sent together', () => {
  const half = changed(kafka, ({ source }) => {
    source.kafka.credentials.username = 'reader'
  })
  expect(faults(half, kafka)).toEqual(['source.kafka.credentials.password'])
  const whole = changed(kafka, ({ source }) => {
    Object.assign(source.kafka.credentials, { username: 'reader', password: 'hush' })
  })
  expect(updateBody(whole, kafka)).toEqual({
    source: { kafka: { credentials: { username: 'reader', password: 'hush' } } },
  })
  expect(JSON.stringify(pipeChanges(whole, kafka))).not.toContain('hush')
  expect(updateBody(withoutNewSecrets(whole), kafka)).toEqual({})
})

test('another authentication requires its secrets; a role clears them', () => {
  const user = changed(kafka, ({ source }) => {
    source.kafka.authentication = 'IAM_USER'
  })
  expect(faults(user, kafka)).toEqual(['source.kafka.credentials.accessKeyId', 'source.kafka.credentials.secretKey'])
  const role = changed(kafka, ({ source }) => {
    Object.assign(source.kafka, { authentication: 'IAM_ROLE', iamRole: 'arn:role' })
  })
  expect(updateBody(role, kafka)).toEqual({
    source: { kafka: { authentication: 'IAM_ROLE', iamRole: 'arn:role', credentials: null } },
  })
  expect(pipeUpdateStrict.safeParse(updateBody(role, kafka)).success).toBe(true)
})

test('brokers without sign-in stay so, and may get one', () => {
  const without: Pipe = { ...kafka, source: { kafka: { type: 'kafka' } } }
  expect(faults(open(without), without)).toEqual([])
  expect(updateBody(open(without), without)).toEqual({})
  const plain = changed(without, ({ source }) => {
    Object.assign(source.kafka, { authentication: 'PLAIN' })
    Object.assign(source.kafka.credentials, { username: 'reader', password: 'hush' })
  })
  expect(updateBody(plain, without)).toEqual({
    source: { kafka: { authentication: 'PLAIN', credentials: { username: 'reader', password: 'hush' } } },
  })
})

test('an emptied certificate is sent empty', () => {
  const bare = changed(kafka, ({ source }) => {
    source.kafka.caCertificate = ''
  })
  expect(updateBody(bare, kafka)).toEqual({ source: { kafka: { caCertificate: '' } } })
})

const postgres: Pipe = pipe.parse({
  id: 'p',
  name: 'Shop',
  state: 'Paused',
  source: {
    postgres: {
      host: 'db.example',
      port: 5432,
      settings: { syncIntervalSeconds: 60, pullBatchSize: 1000 },
      tableMappings: [
        { sourceSchemaName: 'public', sourceTable: 'one', targetTable: 'one' },
        { sourceSchemaName: 'public', sourceTable: 'two', targetTable: 'two' },
      ],
    },
  },
})

test('tables are added and removed, and errors are mapped to their rows', () => {
  const row = { sourceSchemaName: 'public', tableEngine: '', excludedColumns: [], sortingKeys: [] }
  const form = changed(postgres, ({ source }) => {
    source.postgres.tableMappings.shift()
    source.postgres.tableMappings.push({ ...row, sourceTable: 'three', targetTable: '' })
  })
  expect(updateBody(form, postgres)).toEqual({
    source: {
      postgres: {
        tableMappingsToAdd: [{ sourceSchemaName: 'public', sourceTable: 'three' }],
        tableMappingsToRemove: [{ sourceSchemaName: 'public', sourceTable: 'one', targetTable: 'one' }],
      },
    },
  })
  expect(faults(form, postgres)).toEqual(['source.postgres.tableMappings.1.targetTable'])
  const before = open(postgres)
  expect(rowPath('source.postgres.tableMappingsToRemove.0.sourceTable', form, before)).toBe(
    'source.postgres.tableMappings',
  )
})

test('a changed setting is sent alone', () => {
  const form = changed(postgres, ({ source }) => {
    source.postgres.settings.pullBatchSize = 0
  })
  expect(updateBody(form, postgres)).toEqual({ source: { postgres: { settings: { pullBatchSize: 0 } } } })
  expect(faults(form, postgres)).toEqual(['source.postgres.settings.pullBatchSize'])
})
