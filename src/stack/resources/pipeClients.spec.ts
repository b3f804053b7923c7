/** Data pipes as clients that others wrote create and change them: a provider of a provisioning tool, and a command line. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { namingProfiles } from '#contract/wire/naming.ts'
import { managedClientOf, type ManagedClient, type Kind } from '../testing/managedClient.ts'
import { startTestStack, type TestStack } from '../testing/testStack.ts'

let stack: TestStack
let control: ManagedClient
beforeAll(async () => {
  const names = namingProfiles.clickhouse
  stack = await startTestStack({ names })
  control = managedClientOf(stack, names)
})
afterAll(() => stack.close())

const post = (body: unknown) => control.call('POST', '/datapipes', body)
const patch = (id: string, body: unknown) => control.call('PATCH', `/datapipes/${id}`, body)

/** A table as the command line describes it: columns, and no field mappings. */
const destination = {
  database: 'default',
  table: 'events',
  managedTable: true,
  columns: [{ name: 'id', type: 'UInt64' }],
  tableDefinition: { engine: { type: 'MergeTree', columnIds: [] }, sortingKey: [], partitionBy: '', primaryKey: '' },
}

const sources: Record<Kind, Record<string, unknown>> = {
  kafka: {
    type: 'msk',
    format: 'JSONEachRow',
    brokers: 'broker:9092',
    topics: 'events',
    authentication: 'IAM_ROLE',
    iamRole: 'arn:aws:iam::000000000000:role/reader',
    credentials: null,
    offset: { strategy: 'from_timestamp', timestamp: '2021-01-01T00:00' },
    reversePrivateEndpointIds: [],
    exactlyOnce: true,
  },
  kinesis: {
    format: 'JSONEachRow',
    streamName: 'events',
    region: 'eu-central-1',
    authentication: 'IAM_ROLE',
    iamRole: 'arn:aws:iam::000000000000:role/reader',
    iteratorType: 'TRIM_HORIZON',
  },
  objectStorage: { type: 's3', format: 'JSONEachRow', url: 'https://bucket.example/*.json' },
  postgres: {
    type: 'postgres',
    host: 'db.example',
    port: 5432,
    database: 'shop',
    authentication: 'basic',
    disableTls: false,
    skipCertVerification: false,
    credentials: { username: 'reader', password: 'hush' },
    settings: {
      replicationMode: 'cdc',
      allowNullableColumns: false,
      enableFailoverSlots: false,
      deleteOnMerge: false,
    },
    tableMappings: [
      {
        sourceSchemaName: 'public',
        sourceTable: 'orders',
        targetTable: 'orders',
        excludedColumns: [],
        sortingKeys: [],
        useCustomSortingKey: false,
        tableEngine: 'MergeTree',
        partitionKey: '',
        partitionByExpr: '',
      },
    ],
  },
}

const inputOf = (kind: Kind, more: object = {}) => ({
  name: kind,
  source: { [kind]: { ...sources[kind], ...more } },
  destination: kind === 'postgres' ? { database: 'default' } : destination,
})

async function made(kind: Kind, more: object = {}): Promise<string> {
  const { status, json } = await post(inputOf(kind, more))
  expect({ status, error: json.error }).toEqual({ status: 200, error: undefined })
  return json.result.id
}

describe('new pipe', () => {
  test.each(Object.keys(sources) as Kind[])('of %s is accepted as the command line sends it', async (kind) => {
    const answer = await post(inputOf(kind))
    const { credentials: _, ...shown } = sources[kind]
    expect(answer.json).toMatchObject({ status: 200, result: { source: { [kind]: shown } } })
    expect(answer.text).not.toContain('hush')
    expect(answer.json.result).not.toHaveProperty('fieldMappings')
  })

  test('of Kafka needs no sign-in, and then no credentials', async () => {
    const { authentication: _, iamRole: __, ...open } = sources.kafka
    const answer = await post({ ...inputOf('kafka'), source: { kafka: { ...open, type: 'kafka', credentials: null } } })
    expect(answer.json).toMatchObject({ status: 200 })
    expect(answer.json.result.source.kafka).not.toHaveProperty('authentication')
    const signed = { ...open, credentials: { username: 'reader', password: 'hush' } }
    expect(await post({ ...inputOf('kafka'), source: { kafka: signed } })).toMatchObject({
      status: 400,
      json: { error: expect.stringContaining('source.kafka.credentials: credentials need an authentication') },
    })
  })

  test('is created in the state Stopped if the client asks for it', async () => {
    for (const kind of ['kafka', 'objectStorage'] as const) {
      const { json } = await post({ ...inputOf(kind), startPaused: true })
      expect(json).toMatchObject({ status: 200, result: { state: 'Stopped' } })
      const { id } = json.result
      expect((await control.call('GET', `/datapipes/${id}`)).json.result.state).toBe('Stopped')
      const started = await control.call('PATCH', `/datapipes/${id}/state`, { command: 'start' })
      expect(started.json.result.state).toBe('Provisioning')
    }
    expect((await post({ ...inputOf('postgres'), startPaused: true })).json.error).toContain('request body.startPaused')
  })

  test('keeps the TTL of its table and how tombstones are stored, and does not return its schema', async () => {
    const more = {
      format: 'Protobuf',
      tombstoneMode: 'soft_delete',
      protobufSchema: Buffer.from('syntax = "proto3"; message Event { int64 id = 1; }').toString('base64'),
    }
    const ttl = 'toDateTime(id) + INTERVAL 30 DAY'
    const input = inputOf('kafka', more)
    const tableDefinition = { ...destination.tableDefinition, ttl }
    const answer = await post({ ...input, destination: { ...destination, tableDefinition } })
    expect(answer.json).toMatchObject({
      status: 200,
      result: { destination: { tableDefinition: { ttl } }, source: { kafka: { tombstoneMode: 'soft_delete' } } },
    })
    expect(answer.json.result.source.kafka).not.toHaveProperty('protobufSchema')
    const refused = async (fields: object) => (await post(inputOf('kafka', fields))).json.error
    expect(await refused({ tombstoneMode: 'delete' })).toContain('source.kafka.tombstoneMode: must be soft_delete')
    expect(await refused({ ...more, format: 'JSONEachRow' })).toContain('source.kafka.protobufSchema: ')
    expect(await refused({ ...more, protobufSchema: 'no base64!' })).toContain('source.kafka.protobufSchema: ')
  })

  test('of Kinesis in Protobuf has its schema in the source', async () => {
    const protobufSchema = Buffer.from('syntax = "proto3"; message Event { int64 id = 1; }').toString('base64')
    const answer = await post(inputOf('kinesis', { format: 'Protobuf', protobufSchema }))
    expect(answer.json).toMatchObject({ status: 200, result: { source: { kinesis: { format: 'Protobuf' } } } })
    expect(answer.json.result.source.kinesis).not.toHaveProperty('protobufSchema')
    const refused = async (fields: object) => (await post(inputOf('kinesis', fields))).json.error
    expect(await refused({ format: 'Protobuf' })).toContain('the format Protobuf needs a protobufSchema')
    expect(await refused({ protobufSchema })).toContain('protobufSchema is for the format Protobuf only')
  })

  test('of files may leave out the columns, which are found at its first run', async () => {
    const { columns: _, ...without } = destination
    expect((await post({ ...inputOf('objectStorage'), destination: without })).status).toBe(200)
    const kafka = await post({ ...inputOf('kafka'), destination: without })
    expect(kafka.json.error).toContain('request body.destination.columns: Required')
  })

  test('of Kafka has its isolation in its settings, whether it was set or not', async () => {
    const id = await made('kafka')
    const settings = async () => (await control.call('GET', `/datapipes/${id}/settings`)).json.result
    expect(await settings()).toEqual({ kafka_read_committed: true })
    await control.call('PUT', `/datapipes/${id}/settings`, { kafka_read_committed: false })
    expect(await settings()).toEqual({ kafka_read_committed: false })
    // A provider takes settings of a pipe that nobody set for a change.
    const other = (await control.call('GET', `/datapipes/${await made('kafka')}`)).json.result
    expect(other.settings).toEqual({})
  })

  test('omits what was not sent', async () => {
    const { json } = await post(inputOf('objectStorage'))
    expect(json.result.source.objectStorage).toEqual({ ...sources.objectStorage, isContinuous: false })
  })

  test('does not delete rows of Postgres on merges, whoever created it', async () => {
    const { settings: _, ...without } = sources.postgres
    const { json } = await post({ ...inputOf('postgres'), source: { postgres: without } })
    expect(json.result.source.postgres.settings).toEqual({ deleteOnMerge: false })
  })

  test('accepts null wherever a field may be omitted', async () => {
    const nulls = { iamRole: null, caCertificate: null, schemaRegistry: null, consumerGroup: null }
    const answer = await post({
      ...inputOf('kafka', nulls),
      source: { kafka: { ...sources.kafka, ...nulls }, kinesis: null, postgres: null, objectStorage: null },
      destination: { ...destination, roles: null },
      fieldMappings: null,
      scaling: null,
      settings: null,
    })
    expect(answer.status).toBe(200)
    expect(Object.keys(answer.json.result.source)).toEqual(['kafka'])
    expect(answer.json.result.source.kafka).not.toHaveProperty('consumerGroup')
  })

  test('rejects null where a value is required', async () => {
    const answer = await post(inputOf('kafka', { brokers: null }))
    expect(answer).toMatchObject({
      status: 400,
      json: { error: expect.stringContaining('source.kafka.brokers: Required') },
    })
  })

  test('does not return the roles of its user', async () => {
    const answer = await post({ ...inputOf('kafka'), destination: { ...destination, roles: ['reader'] } })
    expect(answer.json).toMatchObject({ status: 200, result: { destination: { table: 'events' } } })
    expect(answer.json.result.destination).not.toHaveProperty('roles')
  })

  test.each([
    ['epoch seconds', 1_609_459_200],
    ['a minute', '2021-01-01T00:00'],
    ['a date-time with a zone', '2021-01-01T01:00:00+01:00'],
    ['a date-time in UTC', '2021-01-01T00:00:00.000Z'],
  ])('of Kinesis can begin at %s, which is returned as epoch seconds', async (_, timestamp) => {
    const answer = await post(inputOf('kinesis', { iteratorType: 'AT_TIMESTAMP', timestamp }))
    expect(answer.json).toMatchObject({ status: 200, result: { source: { kinesis: { timestamp: 1_609_459_200 } } } })
  })

  test.each(['yesterday', '1609459200', '2021-01-01'])('of Kinesis cannot begin at %j', async (timestamp) => {
    const answer = await post(inputOf('kinesis', { timestamp }))
    expect(answer).toMatchObject({ status: 400, json: { error: expect.stringContaining('a minute in UTC such as') } })
  })

  test.each([
    ['mysql', 'MySQL', 'Kafka topic'],
    ['mongodb', 'MongoDB', 'Kafka topic'],
    ['bigquery', 'BigQuery', 'object storage'],
    ['pubsub', 'Pub/Sub', 'Kinesis stream'],
  ])('of %s are refused with what is supported instead', async (kind, name, instead) => {
    const answer = await post({ ...inputOf('kafka'), source: { [kind]: { host: 'db.example' } } })
    expect(answer.status).toBe(400)
    expect(answer.json.error).toMatch(new RegExp(`source.${kind}: ${name} sources are not supported.*${instead}`))
  })

  test('of Kafka can read only committed records, others reject that setting', async () => {
    const settings = { kafka_read_committed: true }
    const kafka = await post({ ...inputOf('kafka'), settings })
    expect(kafka.json).toMatchObject({ status: 200, result: { settings } })
    expect(await post({ ...inputOf('kinesis'), settings })).toMatchObject({
      status: 400,
      json: { error: expect.stringContaining('settings.kafka_read_committed: Setting is not supported') },
    })
  })

  test.each([
    ['startAfter', { startAfter: 'logs/2026' }, 200],
    ['skipInitialLoad: false', { skipInitialLoad: false }, 200],
    ['skipInitialLoad without a queue', { skipInitialLoad: true }, 400],
    [
      'skipInitialLoad beside startAfter',
      {
        skipInitialLoad: true,
        startAfter: 'a',
        isContinuous: true,
        queueUrl: 'https://q.example',
        authentication: 'IAM_USER',
        accessKey: { accessKeyId: 'a', secretKey: 'b' },
      },
      400,
    ],
  ])('of object storage with %s', async (_, more, status) => {
    expect((await post(inputOf('objectStorage', more))).status).toBe(status)
  })
})

describe('update that repeats immutable fields', () => {
  const repeated: Record<Kind, string[]> = {
    kafka: ['type', 'format', 'brokers', 'topics', 'offset'],
    kinesis: ['format', 'streamName', 'region', 'iteratorType'],
    objectStorage: ['type', 'format', 'url'],
    postgres: ['database', 'settings', 'tableMappings'],
  }
  const pick = (kind: Kind) => Object.fromEntries(repeated[kind].map((field) => [field, sources[kind][field]]))

  test.each(Object.keys(sources) as Kind[])('of %s is accepted if they are unchanged', async (kind) => {
    const id = await made(kind)
    const before = (await control.call('GET', `/datapipes/${id}`)).json.result
    const answer = await patch(id, { name: 'Renamed', source: { [kind]: pick(kind) } })
    expect(answer.json).toMatchObject({ status: 200, result: { name: 'Renamed' } })
    expect(answer.json.result.source).toEqual(before.source)
  })

  test.each<[Kind, string, unknown]>([
    ['kafka', 'topics', 'others'],
    ['kinesis', 'streamName', 'others'],
    ['kinesis', 'format', 'Avro'],
    ['kinesis', 'region', 'us-east-1'],
    ['kinesis', 'useEnhancedFanOut', true],
    ['objectStorage', 'url', 'https://other.example/*.json'],
    ['objectStorage', 'format', 'CSV'],
    ['objectStorage', 'compression', 'gzip'],
    ['objectStorage', 'isContinuous', true],
    ['postgres', 'database', 'other'],
  ])('of %s: another %s is rejected by its name', async (kind, field, value) => {
    const id = await made(kind)
    const answer = await patch(id, { source: { [kind]: { ...pick(kind), [field]: value } } })
    expect(answer).toMatchObject({
      status: 400,
      json: {
        error: expect.stringContaining(`request body.source.${kind}.${field}: cannot be changed`),
        issues: [{ path: ['source', kind, field] }],
      },
    })
  })

  test.each([
    ['replicationMode', 'snapshot'],
    ['allowNullableColumns', true],
    ['enableFailoverSlots', true],
    ['publicationName', 'other'],
  ])('of postgres is rejected with another settings.%s', async (field, value) => {
    const id = await made('postgres')
    const answer = await patch(id, { source: { postgres: { settings: { [field]: value, pullBatchSize: 7 } } } })
    expect(answer.json.error).toContain(`source.postgres.settings.${field}: cannot be changed`)
    const stored = (await control.call('GET', `/datapipes/${id}`)).json.result.source.postgres.settings
    expect(stored).toEqual(sources.postgres['settings'])
  })

  test('of postgres can change the mutable settings beside them', async () => {
    const id = await made('postgres')
    const settings = { ...Object(sources.postgres['settings']), syncIntervalSeconds: 30, pullBatchSize: 10 }
    const answer = await patch(id, { source: { postgres: { host: 'other.example', database: 'shop', settings } } })
    expect(answer.json).toMatchObject({
      status: 200,
      result: { source: { postgres: { host: 'other.example', settings } } },
    })
  })

  test('can add a default that was omitted', async () => {
    const files = await made('objectStorage')
    const usual = { compression: 'auto', isContinuous: false, skipInitialLoad: false }
    const answer = await patch(files, { source: { objectStorage: usual } })
    expect(answer.status).toBe(200)
    expect(answer.json.result.source.objectStorage).not.toHaveProperty('compression')
  })

  test('of a secret does not return it', async () => {
    const id = await made('kafka', {
      schemaRegistry: { url: 'https://r.example', credentials: { username: 'a', password: 'hush' } },
    })
    const schemaRegistry = { url: 'https://r.example', credentials: { username: 'a', password: 'another hush' } }
    const answer = await patch(id, { source: { kafka: { schemaRegistry } } })
    expect(answer).toMatchObject({
      status: 400,
      json: { error: expect.stringContaining('schemaRegistry.credentials') },
    })
    expect(answer.text).not.toContain('hush')
  })
})
