/** Records of a Kafka topic, through kills of the stack and of the broker: each must be in the table once. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { PipeCreate } from '../src/contract/pipeInputs.ts'
import { kafkaClients } from '../src/stack/testing/kafka/kafkaClients.ts'
import { startKafka } from '../src/stack/testing/kafka/kafkaProcess.ts'
import { intoEvents } from '../src/stack/testing/managedClient.ts'
import { pipeDatabase, startPipeProcess, type PipeProcess } from '../src/stack/testing/pipeProcess.ts'

/** `SOAK_KAFKA_RECORDS`; a smaller number for slow machines. */
const count = Number(process.env['SOAK_KAFKA_RECORDS'] ?? 10_000_000)
const partitions = 12
const kills = 10
/** After which kills of the stack the broker is killed as well. */
const brokerKills = [2, 6]
const recordsAtOnce = 100_000
/** Milliseconds without a new row. */
const patienceMs = 180_000

const columns = [
  { name: 'id', type: 'UInt64' },
  { name: 'text', type: 'String' },
]

/** @returns what differs between the topic and the table */
export async function kafkaKills(): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'soak-kafka-'))
  const files = join(folder, 'files')
  await mkdir(files)
  await mkdir(join(folder, 'broker'))
  const server = await startKafka(join(folder, 'broker'))
  const kafka = kafkaClients(() => server)
  let pipes: PipeProcess | undefined
  try {
    await kafka.createTopic('soak', partitions)
    pipes = await startPipeProcess(folder, files)
    await pipes.create(pipeOf(server.brokers))
    const producing = produceAll(kafka.produce)
    for (let kill = 0; kill < kills; kill++) {
      await wait(1000 + Math.random() * 8000)
      await pipes.kill()
      if (brokerKills.includes(kill)) {
        await server.kill()
        await server.start()
      }
      pipes = await startPipeProcess(folder, files)
    }
    await producing
    const found = await settled(pipes, count)
    const [expected] = await pipes.query<{ sum: string }>(
      `SELECT sum(cityHash64(toUInt64(number), concat('record ', toString(number)))) AS sum FROM numbers(${count})`,
    )
    console.log(`${count} records, ${kills} kills of the stack, ${brokerKills.length} of the broker`)
    console.log(
      `rows ${found.rows}, different ${found.ids}, checksum ${found.sum === expected?.sum ? 'equal' : 'different'}`,
    )
    return [
      ...(Number(found.rows) === count ? [] : [`${found.rows} rows of ${count} records`]),
      ...(Number(found.ids) === count ? [] : [`${found.ids} different records of ${count}`]),
      ...(found.sum === expected?.sum ? [] : ['the checksum differs']),
    ]
  } finally {
    await pipes?.kill()
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Produces all records, each once although the broker is killed meanwhile. */
async function produceAll(produce: ReturnType<typeof kafkaClients>['produce']): Promise<void> {
  for (let from = 0; from < count; from += recordsAtOnce) {
    const records = Array.from({ length: Math.min(recordsAtOnce, count - from) }, (_, at) => ({
      partition: (from + at) % partitions,
      value: `{"id":${from + at},"text":"record ${from + at}"}`,
    }))
    await produce('soak', records)
  }
}

interface Found {
  rows: string
  ids: string
  sum: string
}

/** The table, once it has all rows or gets no more. */
async function settled(pipes: PipeProcess, rows: number): Promise<Found> {
  const sql = `SELECT count() AS rows, uniqExact(id) AS ids, sum(cityHash64(id, text)) AS sum FROM ${pipeDatabase}.events`
  let last = ''
  let since = Date.now()
  for (;;) {
    const [found] = await pipes.query<{ rows: string }>(`SELECT count() AS rows FROM ${pipeDatabase}.events`)
    if (found?.rows !== last) since = Date.now()
    last = found?.rows ?? ''
    if (Number(last) >= rows || Date.now() - since > patienceMs) break
    await wait(1000)
  }
  // A row too many would still come.
  await wait(3000)
  const [found] = await pipes.query<Found>(sql)
  return found ?? { rows: '0', ids: '0', sum: '0' }
}

function pipeOf(brokers: string): PipeCreate {
  return {
    name: 'Soak',
    source: { kafka: { type: 'kafka', format: 'JSONEachRow', brokers, topics: 'soak', authentication: 'PLAIN' } },
    ...intoEvents(columns),
    scaling: { replicas: 3, replicaCpuMillicores: 2000, replicaMemoryGb: 1 },
  }
}
