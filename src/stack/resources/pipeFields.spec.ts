/**
 * Every field of the published API that the stack accepts is returned as it was sent, in every response with a pipe, with both
 * sets of names.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { namingProfileNames, namingProfiles, toWire } from '#contract/wire/naming.ts'
import type { PipeCreate } from '#contract/cloud/pipes/pipeInputs.ts'
import { managedClientOf, pipeInputs, type ManagedClient, type Kind } from '../testing/managedClient.ts'
import { startTestStack, type TestStack } from '../testing/testStack.ts'

const sources = {
  kafka: {
    ...pipeInputs.kafka.source.kafka,
    consumerGroup: 'group',
    offset: { strategy: 'from_timestamp', timestamp: '2026-01-02T03:04' },
    schemaRegistry: { url: 'https://registry.example', authentication: 'PLAIN', caCertificate: 'pem' },
    caCertificate: 'pem',
    reversePrivateEndpointIds: ['vpce-1', 'vpce-2'],
  },
  kinesis: {
    ...pipeInputs.kinesis.source.kinesis,
    useEnhancedFanOut: true,
    iteratorType: 'AT_TIMESTAMP',
    timestamp: 1_767_225_600,
  },
  objectStorage: {
    ...pipeInputs.objectStorage.source.objectStorage,
    url: 'in/*.csv',
    format: 'CSV',
    delimiter: ';',
    compression: 'gzip',
    isContinuous: true,
    type: 's3',
    authentication: 'IAM_ROLE',
    iamRole: 'arn:aws:iam::000000000000:role/reader',
    queueUrl: 'https://queue.example/1',
  },
  postgres: {
    ...pipeInputs.postgres.source.postgres,
    settings: {
      syncIntervalSeconds: 5,
      pullBatchSize: 10,
      initialLoadParallelism: 2,
      snapshotNumRowsPerPartition: 1000,
      snapshotNumberOfParallelTables: 3,
      publicationName: 'changes',
      replicationSlotName: 'slot',
      allowNullableColumns: true,
      enableFailoverSlots: false,
      deleteOnMerge: false,
    },
    tableMappings: [
      {
        sourceSchemaName: 'public',
        sourceTable: 'orders',
        targetTable: 'orders',
        excludedColumns: ['note'],
        useCustomSortingKey: true,
        sortingKeys: ['id'],
      },
    ],
  },
} as const

const table = {
  tableDefinition: {
    engine: { type: 'ReplacingMergeTree', versionColumnId: 'id' },
    sortingKey: ['id'],
    partitionBy: 'id',
    primaryKey: 'id',
  },
}
const settings = {
  object_storage_concurrency: 2,
  object_storage_polling_interval_ms: 100,
  object_storage_max_insert_bytes: 10_485_760,
  object_storage_max_file_count: 7,
  db_max_threads: 3,
  db_max_insert_threads: 2,
  db_min_insert_block_size_bytes: 0,
  db_max_download_threads: 1,
  db_parallel_distributed_insert_select: 0,
  object_storage_use_cluster_function: false,
  db_parallel_view_processing: true,
}

function inputOf(kind: Kind): PipeCreate {
  const input = pipeInputs[kind]
  const isDatabase = kind === 'postgres'
  return {
    ...input,
    source: { [kind]: sources[kind] },
    destination: { ...input.destination, ...(!isDatabase && table) },
    ...(kind === 'objectStorage' && { settings }),
  } as PipeCreate // every field of its kind
}

describe.each(namingProfileNames)('under %s names', (naming) => {
  const names = namingProfiles[naming]
  let stack: TestStack
  let control: ManagedClient
  beforeAll(async () => {
    stack = await startTestStack({ names })
    control = managedClientOf(stack, names)
  })
  afterAll(() => stack.close())

  test.each(Object.keys(sources) as Kind[])('%s', async (kind) => {
    const input = inputOf(kind)
    const id = await control.plant(input, 'Stopped')
    const { credentials: _login, accessKey: _key, ...source } = { credentials: null, accessKey: null, ...sources[kind] }
    const expected = {
      id,
      serviceId: stack.identity.serviceId,
      name: input.name,
      state: 'Stopped',
      source: { [kind]: source },
      destination: input.destination,
      ...(input.fieldMappings && { fieldMappings: input.fieldMappings }),
      ...(input.settings && { settings: toWire(input.settings, names) }),
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    }
    const got = await control.call('GET', `/datapipes/${id}`)
    expect(got.json).toEqual({
      status: 200,
      requestId: expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/),
      result: expect.objectContaining(expected),
    })
    if (kind === 'postgres') return
    const parameter = kind === 'objectStorage' ? { concurrency: 3 } : { replicas: 2 }
    const scaled = await control.call('PATCH', `/datapipes/${id}/scaling`, parameter)
    expect(scaled.json.result).toMatchObject(expected)
    expect(Object.values(scaled.json.result.scaling).every((value) => typeof value === 'number')).toBe(true)
  })

  test.each([
    ['kafka', { credentials: 'hush' }],
    ['kinesis', { accessKey: 'hush' }],
    ['objectStorage', { connectionString: 'hush'.repeat(5000) }],
    ['postgres', { credentials: { username: 'u', password: 'hush'.repeat(5000) } }],
  ] as const)('an error about a secret of a %s pipe does not quote it', async (kind, secret) => {
    const input = inputOf(kind)
    const answer = await control.call('POST', '/datapipes', {
      ...input,
      source: { [kind]: { ...sources[kind], ...secret } },
    })
    expect(answer.status).toBe(400)
    expect(JSON.stringify(answer.json)).toContain(Object.keys(secret).join())
    expect(JSON.stringify(answer.json)).not.toContain('hush')
  })

  test.each([
    ['PATCH', 'scaling'],
    ['PUT', 'settings'],
    ['PATCH', 'state'],
  ])('rejects %s %s without an object', async (method, path) => {
    const id = await control.plant(pipeInputs.objectStorage, 'Stopped')
    for (const body of [undefined, null, [], [{ concurrency: 2 }], 'concurrency', 3, {}]) {
      const { status, json } = await control.call(method, `/datapipes/${id}/${path}`, body)
      expect({ body, status, error: json.error }).toEqual({
        body,
        status: 400,
        error: expect.stringMatching(/^BAD_REQUEST/),
      })
    }
  })

  test.each(['object_storage_use_cluster_function', 'db_parallel_view_processing'])('%s is a boolean', async (key) => {
    const id = await control.plant(pipeInputs.objectStorage, 'Stopped')
    const put = (value: unknown) => control.call('PUT', `/datapipes/${id}/settings`, toWire({ [key]: value }, names))
    for (const value of [true, false, null]) expect((await put(value)).status).toBe(200)
    for (const value of [0, 1, 'true', []]) expect((await put(value)).status).toBe(400)
  })

  test.each([
    ['not-a-uuid', 400],
    ['00000000-0000-4000-8000-000000000000', 404],
  ])('pipe %s returns %i', async (id, status) => {
    expect((await control.call('GET', `/datapipes/${id}`)).status).toBe(status)
    expect((await control.call('PATCH', `/datapipes/${id}/scaling`, { replicas: 2 })).status).toBe(status)
  })
})
