/** Records of a Kafka topic, through kills of the stack and of the broker: each must be in the table once, or be listed as bad. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import * as fc from 'fast-check'
import type { PipeCreate } from '../src/contract/cloud/pipes/pipeInputs.ts'
import { identifier } from '../src/stack/pipes/loads/sqlNames.ts'
import { kafkaClients } from '../src/stack/testing/kafka/kafkaClients.ts'
import { startKafka } from '../src/stack/testing/kafka/kafkaProcess.ts'
import { intoEvents } from '../src/stack/testing/managedClient.ts'
import { pipeDatabase, startPipeProcess, type PipeProcess } from '../src/stack/testing/pipeProcess.ts'
import { typedColumns, typedRecords } from '../src/stack/testing/records/typedValues.ts'

/** `SOAK_KAFKA_RECORDS`; a smaller number for slow machines. */
const count = Number(process.env['SOAK_KAFKA_RECORDS'] ?? 10_000_000)
/** `SOAK_KAFKA_TYPED_RECORDS`: those of all types, which are looked at one by one. */
const typedCount = Number(process.env['SOAK_KAFKA_TYPED_RECORDS'] ?? 2_000_000)
/** Different records of all types, and how many in 100 of them are bad. */
const sampleCount = 4000
const badShare = 5
const partitions = 12
const kills = 10
/** After which kills of the stack the broker is killed as well. */
const brokerKills = [2, 6]
const recordsAtOnce = 100_000
/** Milliseconds without a new row. */
const patienceMs = 180_000
const table = `${pipeDatabase}.events`
const errorTable = `${table}_datapipes_error`

/** The sent records and their expected rows. */
interface Topic {
  columns: readonly { name: string; type: string }[]
  records: number
  valueOf(id: number): string
  /** How many of them are good. */
  good: number
  /** @returns what differs between the topic and the tables */
  differences(pipes: PipeProcess): Promise<string[]>
}

const id = { name: 'id', type: 'UInt64' }

/** Many small records. */
export const kafkaKills = () =>
  throughKills({
    columns: [id, { name: 'text', type: 'String' }],
    records: count,
    valueOf: (at) => `{"id":${at},"text":"record ${at}"}`,
    good: count,
    async differences(pipes) {
      const [found] = await pipes.query<{ sum: string }>(`SELECT sum(cityHash64(id, text)) AS sum FROM ${table}`)
      const [expected] = await pipes.query<{ sum: string }>(
        `SELECT sum(cityHash64(toUInt64(number), concat('record ', toString(number)))) AS sum FROM numbers(${count})`,
      )
      console.log(`checksum ${found?.sum === expected?.sum ? 'equal' : 'different'}`)
      return found?.sum === expected?.sum ? [] : ['the checksum differs']
    },
  })

/** Different records of all types, of which one in twenty is bad. They are sent again and again, with other numbers. */
export function kafkaTypes(): Promise<string[]> {
  const [samples = []] = fc.sample(typedRecords(sampleCount, badShare), { numRuns: 1, seed: 30 })
  const of = (at: number) => samples[at % samples.length]!
  const badIds = Array.from({ length: typedCount }, (_, at) => at).filter((at) => of(at).bad !== null)
  return throughKills({
    columns: [id, ...typedColumns.map(({ name, type }) => ({ name, type }))],
    records: typedCount,
    valueOf: (at) => of(at).json.replace(/^\{"id":\d+/, `{"id":${at}`),
    good: typedCount - badIds.length,
    async differences(pipes) {
      const names = typedColumns.map(({ name }) => name)
      const shown = (name: string) => `ifNull(toString(${identifier(name)}), '\\\\N')`
      const rows = await pipes.query<Record<string, string[] | string>>(
        `SELECT id % ${samples.length} AS sample, ${names.map((name, at) => `groupUniqArray(2)(${shown(name)}) AS c${at}`).join(', ')}
         FROM ${table} GROUP BY sample`,
      )
      const differing = rows.flatMap((row) =>
        Object.entries(of(Number(row['sample'])).stored)
          .filter(([name, value]) => JSON.stringify(row[`c${names.indexOf(name)}`]) !== JSON.stringify([value]))
          .map(([name]) => `${name} of sample ${String(row['sample'])}`),
      )
      const [listed] = await pipes.query<{ rows: string; ids: string; sum: string }>(
        `SELECT count() AS rows, uniqExact(bad) AS ids, sum(bad) AS sum
         FROM (SELECT toUInt64(extract(raw, '^\\{"id":(\\\\d+)')) AS bad FROM ${errorTable} FINAL)`,
      )
      const sum = badIds.reduce((total, at) => total + BigInt(at), 0n)
      const [pipe] = await pipes.states()
      console.log(`bad records ${badIds.length}, listed ${listed?.rows}, different ${listed?.ids}`)
      console.log(`columns ${names.length + 1}, values that differ ${differing.length}, state: ${pipe?.stateDetail}`)
      return [
        ...differing.slice(0, 10),
        ...([listed?.rows, listed?.ids].every((found) => Number(found) === badIds.length)
          ? []
          : [`${listed?.rows} bad records of ${badIds.length} are listed`]),
        ...(listed?.sum === String(sum) ? [] : ['other records are listed as bad']),
        ...(pipe?.stateDetail?.includes(`${badIds.length.toLocaleString('en')} bad records`)
          ? []
          : [`the state does not say how many are bad: ${pipe?.stateDetail}`]),
      ]
    },
  })
}

/** @returns what differs between the topic and the table */
async function throughKills(topic: Topic): Promise<string[]> {
  const begun = performance.now()
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
    await pipes.create(pipeOf(server.brokers, topic.columns))
    const producing = produceAll(kafka.produce, topic)
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
    const found = await settled(pipes, topic)
    const seconds = Math.round((performance.now() - begun) / 1000)
    console.log(
      `${topic.records} records, ${kills} kills of the stack, ${brokerKills.length} of the broker, ${seconds} s`,
    )
    console.log(`rows ${found.rows}, different ${found.ids}`)
    return [
      ...(Number(found.rows) === topic.good ? [] : [`${found.rows} rows of ${topic.good} good records`]),
      ...(Number(found.ids) === topic.good ? [] : [`${found.ids} different records of ${topic.good}`]),
      ...(await topic.differences(pipes)),
    ]
  } finally {
    await pipes?.kill()
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Produces all records, each once although the broker is killed meanwhile. */
async function produceAll(produce: ReturnType<typeof kafkaClients>['produce'], topic: Topic): Promise<void> {
  for (let from = 0; from < topic.records; from += recordsAtOnce) {
    const records = Array.from({ length: Math.min(recordsAtOnce, topic.records - from) }, (_, at) => ({
      partition: (from + at) % partitions,
      value: topic.valueOf(from + at),
    }))
    await produce('soak', records)
  }
}

/** The table, once all records are loaded or no more are. */
async function settled(pipes: PipeProcess, { good, records }: Topic): Promise<{ rows: string; ids: string }> {
  let last = ''
  let since = Date.now()
  for (;;) {
    // On a busy machine, no process may have lived long enough to create it.
    const [found] = await pipes.query<{ rows: string }>(`SELECT count() AS rows FROM ${table}`).catch(() => [])
    const read = (await pipes.position()).partitions.reduce((sum, { offset }) => sum + offset, 0)
    const now = `${found?.rows} ${read}`
    if (now !== last) since = Date.now()
    last = now
    if ((Number(found?.rows) >= good && read >= records) || Date.now() - since > patienceMs) break
    await wait(1000)
  }
  // A row too many would still come.
  await wait(3000)
  const [found] = await pipes.query<{ rows: string; ids: string }>(
    `SELECT count() AS rows, uniqExact(id) AS ids FROM ${table}`,
  )
  return found ?? { rows: '0', ids: '0' }
}

function pipeOf(brokers: string, columns: Topic['columns']): PipeCreate {
  return {
    name: 'Soak',
    source: { kafka: { type: 'kafka', format: 'JSONEachRow', brokers, topics: 'soak', authentication: 'PLAIN' } },
    ...intoEvents(columns),
    scaling: { replicas: 3, replicaCpuMillicores: 2000, replicaMemoryGb: 1 },
  }
}
