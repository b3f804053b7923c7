/** A Kafka pipe whose size limits what it loads, and what more of it does. */
import { Admin, Producer } from '@platformatic/kafka'
import { addConnection, pipeAt, plainBroker, sampleNow, test } from '../support/cloud.ts'
import { expect, managed, unique } from '../support/test.ts'

// The pages follow pipes by polling.
test.use({ telemetry: true, polling: true })

const partitions = 4
const recordsAtOnce = 10_000
const produced = 40 * recordsAtOnce
/** Between two points of the chart. */
const bucketSeconds = 5
/** A description of a record, which takes more work than its fields. */
const describing = [
  { name: 'position', type: 'UInt64', field: '_offset' },
  { name: 'partition', type: 'UInt32', field: '_partition' },
  { name: 'sent', type: 'DateTime64(3)', field: '_timestamp' },
  { name: 'raw', type: 'String', field: '_raw_message' },
]

/** Fills a topic faster than the smallest replica loads it: the records of one request, again and again. */
async function fill(topic: string): Promise<void> {
  const client = { clientId: 'e2e', bootstrapBrokers: [await plainBroker()], retries: 20 }
  const producer = new Producer(client)
  const messages = Array.from({ length: recordsAtOnce }, (_, at) => ({
    topic,
    partition: at % partitions,
    value: Buffer.from(`{"at":"2026-01-01 00:00:00.000","event":"order ${at * 7919} of customer ${at * 31} was paid"}`),
  }))
  for (let sent = 0; sent < produced; sent += messages.length) {
    await producer.send({ messages, acks: 1, compression: 'snappy' })
  }
  await producer.close()
}

async function createTopic(topic: string): Promise<void> {
  const admin = new Admin({ clientId: 'e2e', bootstrapBrokers: [await plainBroker()] })
  await admin.createTopics({ topics: [topic], partitions, replicas: 1 })
  await admin.close()
}

test('a pipe that lags catches up after its size was increased', async ({ page, cloud }) => {
  const topic = unique('lag').replace(' ', '_')
  await createTopic(topic)
  const pipe = await cloud.createPipe('kafka', topic, describing)
  const connectionId = await addConnection(page, {})
  await page.goto(pipeAt(pipe, '/scaling').replace(managed, connectionId))
  const group = page.getByRole('region', { name: 'Consumer group' })
  await expect(group).toContainText('Lag: 0 records.')
  await sampleNow(page, connectionId)
  await fill(topic)
  await expect(group).toContainText(/Lag: [1-9][\d,]* records\./)
  const usage = page.getByRole('table', { name: 'Resource utilization' })
  await expect(usage.getByRole('row', { name: /^CPU/ })).toContainText('0.125 vCPU')

  await page.getByRole('slider', { name: 'CPU per replica' }).focus()
  await page.keyboard.press('End')
  await page.getByRole('slider', { name: 'Replicas' }).focus()
  for (let replicas = 1; replicas < partitions; replicas++) await page.keyboard.press('ArrowRight')
  await page.getByRole('button', { name: 'Scale pipe' }).click()
  await expect(page.getByText(/Change applied: .*replicas 1 → 4/)).toBeVisible()
  await expect(group).toContainText('Lag: 0 records.', { timeout: 120_000 })
  expect(await cloud.written(pipe.id)).toBe(produced)

  // The chart has the rates of what was loaded between its samples: together no more than all of it.
  const throughput = page.getByRole('region', { name: 'Throughput' })
  await throughput.getByRole('button', { name: 'Table' }).click()
  await sampleNow(page, connectionId)
  const rates = async () =>
    (await throughput.getByRole('row').allInnerTexts()).map((row) =>
      Number(/([\d,]+) records\/s$/.exec(row)?.[1]?.replaceAll(',', '') ?? 0),
    )
  await expect.poll(async () => (await rates()).filter((rate) => rate > 0).length).toBeGreaterThan(0)
  const drawn = (await rates()).reduce((sum, rate) => sum + rate * bucketSeconds, 0)
  expect(drawn).toBeLessThanOrEqual(produced + bucketSeconds)
})
