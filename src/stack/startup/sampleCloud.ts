/**
 * The sample content of the cloud on a first start: services in different states, and one data pipe of each source type,
 * one of them over generated files. Created once: what is deleted later stays deleted.
 */
import { randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { z } from 'zod'
import { writeAtomically } from '#node/files/atomicFile.ts'
import { currentIsoTime, currentTime } from '#node/clock/wallClock.ts'
import type { PipeCreate } from '#contract/cloud/pipes/pipeInputs.ts'
import type { Identity } from '../store/identity.ts'
import { newPipe } from '../pipes/model/newPipe.ts'
import type { ServiceDocument } from '../documents/serviceDocument.ts'
import { serviceRows } from '../documents/serviceRows.ts'
import { pipeRows } from '../pipes/model/pipeRows.ts'
import { readSetting, writeSetting } from '../store/storeSettings.ts'
import type { Queries, Store } from '../store/store.ts'

const settingName = 'sampleCloud'

/** @param folder for the files of the object storage pipe */
export async function addSampleCloud(store: Store, identity: Identity, folder: string): Promise<void> {
  if (await readSetting(store, settingName, z.boolean())) return
  await writeOrders(folder)
  await store.write(async (transaction) => {
    // Another stack may have been faster.
    if (await readSetting(transaction, settingName, z.boolean())) return
    const own = await serviceRows.get(transaction, identity.serviceId)
    for (const service of own ? otherServices(own) : []) await serviceRows.insert(transaction, service)
    await addPipes(transaction, identity.serviceId, folder)
    await writeSetting(transaction, settingName, true)
  })
}

/** Two more services: one idle, one stopped. */
function otherServices(own: ServiceDocument): ServiceDocument[] {
  const small = {
    tier: 'development',
    minReplicaMemoryGb: 8,
    maxReplicaMemoryGb: 8,
    numReplicas: 1,
    releaseChannel: 'default',
  }
  const of = (name: string, state: string, fields: Partial<ServiceDocument>): ServiceDocument => {
    const id = randomUUID()
    return { ...own, id, dataWarehouseId: id, name, state, ...fields }
  }
  return [
    of('Sample analytics', 'idle', {
      ...small,
      ipAccessList: [{ source: '10.0.0.0/8', description: 'office network' }],
    }),
    of('Sample archive', 'stopped', {
      releaseChannel: 'slow',
      hasTransparentDataEncryption: true,
      transparentDataEncryptionKeyId: 'sample-key-1',
      availablePrivateEndpointIds: ['vpce-0123456789abcdef0'],
    }),
  ]
}

async function addPipes(queries: Queries, serviceId: string, folder: string): Promise<void> {
  const ready = currentIsoTime()
  for (const input of [ordersPipe(folder), clicksPipe, paymentsPipe]) {
    await pipeRows.insert(queries, newPipe(serviceId, input, ready, true))
  }
  const customers = newPipe(serviceId, customersPipe, ready)
  await pipeRows.insert(queries, {
    ...customers,
    state: 'Paused',
    stateDetail: 'paused: an example, with no PostgreSQL server behind it',
    internal: {},
  })
}

const orderColumns = [
  { name: 'id', type: 'UInt64' },
  { name: 'at', type: 'DateTime' },
  { name: 'customer', type: 'LowCardinality(String)' },
  { name: 'country', type: 'LowCardinality(String)' },
  { name: 'amount', type: 'Decimal(10, 2)' },
]

const sameNames = (columns: readonly { name: string }[]) =>
  columns.map(({ name }) => ({ sourceField: name, destinationField: name }))

function ordersPipe(folder: string): PipeCreate {
  return {
    name: 'Sample: orders from files',
    source: {
      objectStorage: {
        type: 'file',
        format: 'JSONEachRow',
        url: `${pathToFileURL(folder).href}/*.jsonl.gz`,
        compression: 'auto',
        isContinuous: true,
      },
    },
    destination: {
      database: 'default',
      table: 'orders',
      managedTable: true,
      tableDefinition: { engine: { type: 'MergeTree' }, sortingKey: ['at', 'id'] },
      columns: orderColumns,
    },
    fieldMappings: sameNames(orderColumns),
    settings: { object_storage_polling_interval_ms: 5000 },
  }
}

const eventColumns = [
  { name: 'at', type: 'DateTime64(3)' },
  { name: 'session', type: 'String' },
  { name: 'event', type: 'LowCardinality(String)' },
]

const eventsInto = (table: string) => ({
  destination: {
    database: 'default',
    table,
    managedTable: true,
    tableDefinition: { engine: { type: 'MergeTree' as const }, sortingKey: ['at'] },
    columns: eventColumns,
  },
  fieldMappings: sameNames(eventColumns),
})

const clicksPipe: PipeCreate = {
  name: 'Sample: clicks from Kafka',
  source: {
    kafka: {
      type: 'kafka',
      format: 'JSONEachRow',
      brokers: 'broker-1.example:9092,broker-2.example:9092',
      topics: 'clicks',
      consumerGroup: 'sample-clicks',
      authentication: 'SCRAM-SHA-512',
    },
  },
  ...eventsInto('clicks'),
}

const paymentsPipe: PipeCreate = {
  name: 'Sample: payments from Kinesis',
  source: {
    kinesis: {
      format: 'JSONEachRow',
      streamName: 'payments',
      region: 'eu-central-1',
      iteratorType: 'TRIM_HORIZON',
      authentication: 'IAM_ROLE',
      iamRole: 'arn:aws:iam::000000000000:role/sample',
    },
  },
  scaling: { replicas: 2, replicaCpuMillicores: 250, replicaMemoryGb: 1 },
  ...eventsInto('payments'),
}

const customersPipe: PipeCreate = {
  name: 'Sample: customers from Postgres',
  source: {
    postgres: {
      type: 'postgres',
      host: '127.0.0.1',
      port: 5432,
      database: 'shop',
      settings: { syncIntervalSeconds: 60, pullBatchSize: 100_000 },
      tableMappings: [{ sourceSchemaName: 'public', sourceTable: 'customers', targetTable: 'customers' }],
      credentials: { username: 'sample', password: '' },
    },
  },
  destination: { database: 'default' },
}

const fileCount = 6
const rowsPerFile = 500
const countries = ['DE', 'FR', 'IT', 'ES', 'PL', 'NL']

/** Small files with the orders of the last days. Only their dates differ between runs. */
async function writeOrders(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const today = Math.floor(currentTime() / 86_400_000) * 86_400
  for (let file = 0; file < fileCount; file++) {
    const rows = Array.from({ length: rowsPerFile }, (_, row) => order(file * rowsPerFile + row, today))
    const path = join(folder, `orders-${file + 1}.jsonl.gz`)
    // A pipe must not read an incomplete file.
    writeAtomically(path, gzipSync(rows.map((row) => `${JSON.stringify(row)}\n`).join('')))
  }
}

function order(id: number, today: number) {
  const chance = (id * 2_654_435_761) % 4_294_967_296
  return {
    id,
    at: today - Math.floor(((fileCount * rowsPerFile - id) / rowsPerFile) * 86_400),
    customer: `customer-${chance % 97}`,
    country: countries[chance % countries.length],
    amount: ((chance % 20_000) + 500) / 100,
  }
}
