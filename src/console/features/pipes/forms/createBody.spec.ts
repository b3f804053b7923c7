import { assert, constantFrom, double, option, property, record, string } from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { kafkaTypeAuthentications } from '#contract/cloud/pipes/pipeAuthentication.ts'
import { pipeScalingBounds } from '#contract/cloud/bounds.ts'
import { pipeCreateStrict } from '#contract/cloud/pipes/pipeInputs.ts'
import { kafkaTypes } from '#contract/cloud/pipes/pipeSources.ts'
import { createBody, createSchema, formPath, leafPaths, fieldErrorOf } from './createBody.ts'
import { emptyForm, creatableKinds, type CreatableKind, type PipeForm } from './pipeForm.ts'
import { reviewRows, withPlaceholders } from './reviewRows.ts'
import { requiredFields } from './sourceBody.ts'

/** A form with the required fields of each source type only. */
function filled(kind: CreatableKind, change: (form: PipeForm) => void = () => {}): PipeForm {
  const form = structuredClone(emptyForm('service-1'))
  form.kind = kind
  form.name = ' Orders '
  const { objectStorage, kafka, kinesis, postgres } = form.source
  objectStorage.url = 'https://bucket.example/*.json'
  Object.assign(kafka, { brokers: 'broker:9092', topics: 'orders' })
  Object.assign(kafka.credentials, { username: 'reader', password: ' kafka-secret ' })
  Object.assign(kinesis, { streamName: 'orders', region: 'eu-central-1', iamRole: 'arn:role' })
  Object.assign(postgres, { host: 'db.example', database: 'shop' })
  postgres.credentials.username = 'reader'
  Object.assign(postgres.tableMappings[0] ?? {}, { sourceTable: 'orders', targetTable: 'orders' })
  form.destination.table = 'orders'
  form.destination.columns = [{ source: '', name: 'id', type: 'UInt64' }]
  change(form)
  return form
}

const faults = (form: PipeForm) => (createSchema.safeParse(form).error?.issues ?? []).map(({ path }) => path.join('.'))

describe.each(creatableKinds)('%s', (kind) => {
  it('creates a body that the contract accepts', () => {
    expect(faults(filled(kind))).toEqual([])
    const body = createBody(filled(kind))
    expect(pipeCreateStrict.safeParse(body).error).toBeUndefined()
    expect(Object.keys(Object(body['source']))).toEqual([kind])
    expect(body['name']).toBe('Orders')
  })

  it('reports each missing value at a form field', () => {
    const form = { ...emptyForm(''), kind }
    const missing = faults(form)
    expect(missing).toEqual(expect.arrayContaining(['name', 'serviceId']))
    const places = new Set(leafPaths(form))
    expect(missing.filter((path) => !places.has(path))).toEqual([])
    expect(new Set(missing).size).toBe(missing.length)
    const column = ['destination.table', 'destination.columns.0.name']
    expect(missing.filter((path) => path.startsWith('destination'))).toEqual(kind === 'postgres' ? [] : column)
  })

  it('shows no secret in the review or the command', () => {
    const form = filled(kind, ({ source }) => {
      source.objectStorage.authentication = 'IAM_USER'
      source.kinesis.authentication = 'IAM_USER'
      const key = { accessKeyId: 'id', secretKey: 'hush-key' }
      Object.assign(source.objectStorage, { accessKey: key })
      Object.assign(source.kinesis, { accessKey: key })
      Object.assign(source.kafka.credentials, { password: 'hush-password' })
      Object.assign(source.postgres.credentials, { password: 'hush-password' })
    })
    const body = createBody(form)
    expect(JSON.stringify(body)).toContain('hush')
    expect(JSON.stringify([withPlaceholders(body), reviewRows(form, body)])).not.toContain('hush')
    expect(pipeCreateStrict.safeParse(withPlaceholders(body)).success).toBe(true)
  })
})

test('for any input, the contract accepts the body or the form reports the invalid field', () => {
  const texts = record({ name: string(), url: string(), table: string(), column: string(), type: string() })
  const numbers = option(double(), { nil: null })
  assert(
    property(texts, numbers, constantFrom(...creatableKinds), (text, number, kind) => {
      const form = filled(kind, (pipeForm) => {
        pipeForm.name = text.name
        pipeForm.source.objectStorage.url = text.url
        pipeForm.source.postgres.port = number
        pipeForm.destination.table = text.table
        pipeForm.destination.columns = [{ source: '', name: text.column, type: text.type }]
        pipeForm.scaling.replicas = number
        pipeForm.scaling.concurrency = number
      })
      const places = new Set(leafPaths(form))
      const wrong = faults(form)
      expect(wrong.filter((path) => !places.has(path))).toEqual([])
      expect(pipeCreateStrict.safeParse(createBody(form)).success || wrong.length > 0).toBe(true)
      if (wrong.length === 0) pipeCreateStrict.parse(createBody(form))
    }),
  )
})

test.each(pipeScalingBounds)('the form checks the bounds of $field', ({ field, min, max, kinds }) => {
  const [kind] = kinds
  const at = (value: number) =>
    faults(
      filled(kind, (form) => {
        form.scaling[field] = value
      }),
    )
  expect([at(min), at(max)]).toEqual([[], []])
  expect([at(min - 1), at(max + 1), at(Number.NaN)]).toEqual(Array.from({ length: 3 }, () => [`scaling.${field}`]))
})

const reviewed = (form: PipeForm) =>
  Object.fromEntries(reviewRows(form, createBody(form)).map(({ label, text }) => [label, text]))

test('the review uses the labels of the form', () => {
  const form = filled('objectStorage', ({ scaling, settings }) => {
    scaling.concurrency = 4
    settings['db_max_threads'] = 2
  })
  expect(reviewed(form)).toMatchObject({
    Name: 'Orders',
    'File URL': 'https://bucket.example/*.json',
    'Continuous ingestion': 'no',
    Columns: 'id UInt64',
    Concurrency: '4',
    db_max_threads: '2',
  })
})

test('parameters that do not apply to the source type are not sent', () => {
  const form = filled('objectStorage', ({ scaling }) => Object.assign(scaling, { replicas: 99, concurrency: 4 }))
  expect(createBody(form)['scaling']).toEqual({ concurrency: 4 })
})

test('secrets are sent as typed; credentials of another authentication are omitted', () => {
  const plain = filled('kafka')
  expect(createBody(plain)['source']).toMatchObject({
    kafka: { credentials: { username: 'reader', password: ' kafka-secret ' } },
  })
  const role = filled('kafka', ({ source }) => {
    Object.assign(source.kafka, { type: 'msk', authentication: 'IAM_ROLE', iamRole: 'arn:role' })
  })
  expect(JSON.stringify(createBody(role))).not.toContain('kafka-secret')
})

test('Kafka without authentication sends none, and no credentials', () => {
  const form = filled('kafka', ({ source }) => {
    Object.assign(source.kafka, { authentication: 'none' })
    Object.assign(source.kafka.credentials, { username: 'left', password: 'over' })
  })
  expect(faults(form)).toEqual([])
  const { kafka } = Object(createBody(form)).source
  expect(kafka).not.toHaveProperty('authentication')
  expect(kafka).not.toHaveProperty('credentials')
})

test('a Protobuf schema is sent as base64, where no registry has it, and is required of Kinesis', () => {
  const proto = 'syntax = "proto3"; // Größe\nmessage Order { string id = 1; }\n'
  const own = filled('kafka', ({ source }) =>
    Object.assign(source.kafka, { format: 'Protobuf', protobufSchema: proto }),
  )
  expect(faults(own)).toEqual([])
  const sent = Object(createBody(own)).source.kafka.protobufSchema
  expect(Buffer.from(sent, 'base64').toString()).toBe(proto.trim())
  expect(reviewed(own)).toMatchObject({ 'Protobuf schema': '2 lines' })
  const { source } = own
  source.kafka.schemaRegistry.url = 'https://registry.example'
  expect(Object(createBody(own)).source.kafka).not.toHaveProperty('protobufSchema')
  source.kafka.schemaRegistry.url = ''
  source.kafka.format = 'JSONEachRow'
  expect(Object(createBody(own)).source.kafka).not.toHaveProperty('protobufSchema')
  const kinesis = filled('kinesis', ({ source: { kinesis: stream } }) => Object.assign(stream, { format: 'Protobuf' }))
  expect(faults(kinesis)).toEqual(['source.kinesis.protobufSchema'])
  kinesis.source.kinesis.protobufSchema = proto
  expect(faults(kinesis)).toEqual([])
})

test('every Kafka provider and authentication requires what it sends', () => {
  for (const type of kafkaTypes) {
    for (const authentication of kafkaTypeAuthentications[type]) {
      const form = filled('kafka', ({ source }) => {
        Object.assign(source.kafka, { type, authentication })
        Object.assign(source.kafka.credentials, { username: '', password: '' })
      })
      const requiredPaths = requiredFields('kafka', form.source)
      expect(requiredPaths.length).toBeGreaterThan(0)
      expect(faults(form)).toEqual(requiredPaths)
    }
  }
})

test('a storage sends the chosen credentials, and a queue only if it is supported', () => {
  const storage = (more: object) => filled('objectStorage', ({ source }) => Object.assign(source.objectStorage, more))
  const sent = (more: object) => Object(createBody(storage(more))['source']).objectStorage
  const role = { authentication: 'IAM_ROLE', iamRole: 'arn:role', queueUrl: 'https://queue.example/1' }
  expect(sent({ ...role, isContinuous: true })).toMatchObject(role)
  expect(faults(storage({ ...role, isContinuous: true }))).toEqual([])
  expect(sent(role)).not.toHaveProperty('queueUrl')
  expect(sent({ ...role, isContinuous: true, type: 'dospaces', authentication: 'IAM_USER' })).not.toHaveProperty(
    'queueUrl',
  )
  const without = sent({ ...role, authentication: 'none', isContinuous: true })
  for (const field of ['authentication', 'iamRole', 'queueUrl', 'accessKey']) expect(without).not.toHaveProperty(field)
  expect(faults(storage({ authentication: 'IAM_ROLE' }))).toEqual(['source.objectStorage.iamRole'])
  expect(faults(storage({ ...role, type: 'gcs' }))).toEqual(['source.objectStorage.authentication'])
})

test('table engines require their columns', () => {
  const engine = (type: string, more: object = {}) =>
    faults(
      filled('objectStorage', ({ destination }) => {
        Object.assign(destination.tableDefinition.engine, { type, ...more })
      }),
    )
  const at = 'destination.tableDefinition'
  expect(engine('ReplacingMergeTree')).toEqual([`${at}.engine.versionColumnId`, `${at}.sortingKey`])
  expect(engine('SummingMergeTree', { columnIds: ['none'] })).toEqual([`${at}.engine.columnIds`])
  expect(engine('MergeTree', { versionColumnId: 'left over' })).toEqual([])
})

test('timestamps are sent in the format of the source type', () => {
  const timestamp = '2026-01-02T03:04:00.000Z'
  const kinesis = filled('kinesis', ({ source }) => {
    Object.assign(source.kinesis, { iteratorType: 'AT_TIMESTAMP', timestamp })
  })
  expect(createBody(kinesis)['source']).toMatchObject({ kinesis: { timestamp: Date.parse(timestamp) / 1000 } })
  const kafka = filled('kafka', ({ source }) => {
    source.kafka.offset = { strategy: 'from_timestamp', timestamp }
  })
  expect(createBody(kafka)['source']).toMatchObject({
    kafka: { offset: { strategy: 'from_timestamp', timestamp: '2026-01-02T03:04' } },
  })
  expect(faults(kafka)).toEqual([])
  for (const form of [kinesis, kafka]) expect(faults(form)).toEqual([])
})

test('rejected values are mapped to their fields', () => {
  expect(formPath('fieldMappings.2.sourceField')).toBe('destination.columns.2.source')
  expect(formPath('fieldMappings.2.destinationField')).toBe('destination.columns.2.name')
  expect(formPath('fieldMappings')).toBe('destination.columns')
  expect(fieldErrorOf('BAD_REQUEST: source.objectStorage.url: the folder of x does not exist')).toEqual({
    path: 'source.objectStorage.url',
    message: 'The folder of x does not exist',
  })
  expect(fieldErrorOf('failed to establish connection: source.kafka: no')).toBeNull()
})
