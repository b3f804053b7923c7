/** Bad records of a real broker that the pipe reads again, or that nobody can read any more: none vanishes, none is loaded twice. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pipeDatabase, startPipeProcess, type PipeProcess } from '../../testing/pipeProcess.ts'
import { pipeInputs } from '../../testing/managedClient.ts'
import { sharedKafka } from '../../testing/kafka/testKafka.ts'

const kafka = sharedKafka()
let dataDir: string
let pipes: PipeProcess
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'pipes-'))
  await mkdir(join(dataDir, 'files'))
  pipes = await startPipeProcess(dataDir, join(dataDir, 'files'))
}, 60_000)
afterAll(async () => {
  await pipes.kill()
  await rm(dataDir, { recursive: true, force: true })
})

const tableOf = (topic: string) => `${pipeDatabase}.${topic}`
const rows = (sql: string) => expect.poll(() => pipes.query(sql).catch(() => []), { timeout: 30_000, interval: 100 })
const bad = (topic: string, reason = '1') =>
  `SELECT topic, offset, reason FROM ${tableOf(`${topic}_datapipes_error`)} FINAL WHERE ${reason} ORDER BY topic, offset`

/** A pipe that has loaded a topic of one partition, with nulls as bad values. */
async function loadedPipe(topic: string, values: readonly string[]): Promise<string> {
  await kafka.createTopic(topic, 1)
  await kafka.produce(
    topic,
    values.map((value) => ({ partition: 0, value })),
  )
  const { brokers } = kafka.server
  const pipe = await pipes.create({
    ...pipeInputs.kafka,
    destination: { ...pipeInputs.kafka.destination, table: topic },
    source: { kafka: { type: 'kafka', format: 'JSONEachRow', brokers, topics: topic, authentication: 'PLAIN' } },
    settings: { streaming_max_insert_wait_ms: 500, reject_null_values: true },
  })
  await expect
    .poll(async () => (await pipes.position(pipe)).partitions[0]?.offset, { timeout: 30_000 })
    .toBe(values.length)
  return pipe
}

const reset = (pipe: string) =>
  expect
    .poll(() => pipes.offsets({ strategy: 'from_beginning' }, 'reset', pipe).catch(() => null), { timeout: 30_000 })
    .not.toBe(null)

test(
  'after a reset, what the broker lost stays listed, what is bad again replaces its row, and the rest is loaded once',
  { timeout: 120_000 },
  async () => {
    const nothing = '"text":null'
    const pipe = await loadedPipe('trimmed', [
      '{"id":0,"text":"a"}',
      `{"id":1,${nothing}}`,
      '{"id":2,"text":"c"}',
      'not json',
      `{"id":4,${nothing}}`,
      '{"id":5,"text":"f"}',
    ])
    await rows(bad('trimmed')).toMatchObject([{ offset: '1' }, { offset: '3' }, { offset: '4' }])
    await pipes.state('Stopped', pipe)
    await reset(pipe)
    await kafka.deleteRecords('trimmed', 2)
    await pipes.command(`ALTER TABLE ${tableOf('trimmed')} MODIFY COLUMN text DEFAULT 'none'`)
    // Where the topic does not end yet, as if the load of a later record had not been completed.
    await pipes.command(
      `INSERT INTO ${tableOf('trimmed_datapipes_error')} (pipe_id, topic, partition, offset, reason) VALUES ('${pipe}', 'trimmed', 0, 99, 'later')`,
    )
    await pipes.state('Running', pipe)
    const later = { offset: '99', reason: 'later. Its load was not completed, so the pipe reads it again' }
    await rows(bad('trimmed')).toMatchObject([{ offset: '1' }, { offset: '3', reason: /^[^.]*$/ }, later].map(asMatch))
    // It is read by a start that comes after the loss.
    await pipes.state('Stopped', pipe)
    await expect.poll(async () => (await pipes.position(pipe)).consumers, { timeout: 30_000 }).toBe(0)
    await pipes.state('Running', pipe)
    await expect.poll(async () => (await pipes.position(pipe)).consumers, { timeout: 30_000 }).toBe(1)
    await pipes.resend(pipe)
    await rows(bad('trimmed')).toMatchObject(
      [
        { offset: '1', reason: /^[^.]+\. It cannot be read from the topic again$/ },
        { offset: '3', reason: /not a JSON object/ },
        later,
      ].map(asMatch),
    )
    await rows(`SELECT id, count() AS times FROM ${tableOf('trimmed')} GROUP BY id ORDER BY id`).toEqual(
      // Records from before the reset are there twice.
      [
        ['0', '1'],
        ['2', '2'],
        ['4', '1'],
        ['5', '2'],
      ].map(([id, times]) => ({ id, times })),
    )
  },
)

test(
  'bad records of a topic that was created again are kept apart from those of the new one',
  { timeout: 120_000 },
  async () => {
    const pipe = await loadedPipe('again', ['{"id":0,"text":"a"}', 'not json', 'nor this'])
    await rows(bad('again')).toMatchObject([{ offset: '1' }, { offset: '2' }])
    await pipes.state('Stopped', pipe)
    await kafka.admin((admin) => admin.deleteTopics({ topics: ['again'] }))
    await expect
      .poll(
        () =>
          kafka.createTopic('again', 1).then(
            () => true,
            () => false,
          ),
        { timeout: 30_000 },
      )
      .toBe(true)
    await kafka.produce(
      'again',
      ['{"id":10,"text":"b"}', '{"id":11,"text":"c"}', 'bad in the new one'].map((value) => ({ partition: 0, value })),
    )
    await reset(pipe)
    await pipes.state('Running', pipe)
    const all = [
      { topic: 'again', offset: '2', reason: /not a JSON object$/ },
      {
        topic: /^again \(deleted before 20.*Z\)$/,
        offset: '1',
        reason: /object\. It was in a topic that was deleted$/,
      },
      {
        topic: /^again \(deleted before 20.*Z\)$/,
        offset: '2',
        reason: /object\. It was in a topic that was deleted$/,
      },
    ].map(asMatch)
    await rows(bad('again')).toMatchObject(all)
    // A request is about what was loaded, which it is once the offset is stored.
    await expect.poll(async () => (await pipes.position(pipe)).partitions[0]?.offset, { timeout: 30_000 }).toBe(3)
    const [before] = await pipes.query<{ at: string }>(`SELECT max(at) AS at FROM ${tableOf('again_datapipes_error')}`)
    await pipes.resend(pipe)
    await rows(bad('again', `at > '${before?.at}'`)).toHaveLength(1)
    await rows(bad('again')).toMatchObject(all)
    await rows(`SELECT id FROM ${tableOf('again')} ORDER BY id`).toEqual([{ id: '0' }, { id: '10' }, { id: '11' }])
  },
)

/** With patterns as what a text must match. */
function asMatch(row: Readonly<Record<string, string | RegExp | undefined>>): object {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, value instanceof RegExp ? expect.stringMatching(value) : value]),
  )
}
