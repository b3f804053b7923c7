/** Metrics at the real variant. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseExposition, type Sample } from '#domain/exposition.ts'
import { metricNames } from '#contract/cloud/prometheus.ts'
import { pipeRows } from '../pipes/model/pipeRows.ts'
import { managedClientOf, pipeInputs, type ManagedClient } from '../testing/managedClient.ts'
import { temporaryEngine } from '../testing/temporaryEngine.ts'
import { basic, startTestStack, type TestStack } from '../testing/testStack.ts'
import { serviceRows } from '../documents/serviceRows.ts'

let stack: TestStack
let control: ManagedClient
beforeAll(async () => {
  stack = await startTestStack()
  control = managedClientOf(stack)
})
afterAll(() => stack.close())

const scrape = async (): Promise<Sample[]> => parseExposition((await control.call('GET', '/prometheus')).text)
const value = (samples: Sample[], name: string, id: string) =>
  samples.find((sample) => sample.name === name && sample.labels['clickpipe_id'] === id)?.value

test('is plain text, for a service and for the organization', async () => {
  const answer = await control.call('GET', '/prometheus?filtered_metrics=true')
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  const { organizationId, serviceId, keyId, keySecret } = stack.identity
  const all = await stack.send('GET', `/v1/organizations/${organizationId}/prometheus`, {
    headers: { authorization: basic(keyId, keySecret) },
  })
  expect(parseExposition(all.text)).toContainEqual({
    name: metricNames.serviceInfo,
    value: 1,
    labels: expect.objectContaining({
      clickhouse_org: organizationId,
      clickhouse_service: serviceId,
      clickhouse_cluster_status: 'running',
      scrape: 'full',
    }),
  })
  expect((await control.call('GET', '/prometheus?filtered_metrics=maybe')).status).toBe(400)
})

test('an idle service reports only itself', async () => {
  await control.plant(pipeInputs.kafka)
  const service = (await serviceRows.all(stack.store))[0]!
  await serviceRows.update(stack.store, { ...service, state: 'idle' })
  const samples = await scrape()
  await serviceRows.update(stack.store, service)
  expect(samples).toMatchObject([
    { name: metricNames.serviceInfo, labels: { scrape: 'partial', clickhouse_cluster_status: 'idle' } },
  ])
})

test('a simulated pipe follows its state and size, and continues after a restart', async () => {
  const id = await control.plant(pipeInputs.kafka)
  const limits = async () => {
    const samples = await scrape()
    return [value(samples, metricNames.cpuLimit, id), value(samples, metricNames.memoryLimit, id)]
  }
  expect(await limits()).toEqual([125, 0.5 * 2 ** 30])
  await expect.poll(async () => value(await scrape(), metricNames.sentEvents, id) ?? 0).toBeGreaterThan(100)
  await control.call('PATCH', `/datapipes/${id}/scaling`, { replicaCpuMillicores: 1000, replicaMemoryGb: 4 })
  await expect.poll(limits).toEqual([1000, 4 * 2 ** 30])

  const before = value(await scrape(), metricNames.sentBytes, id) ?? 0
  await control.call('PATCH', `/datapipes/${id}/state`, { command: 'stop' })
  await expect
    .poll(
      async () =>
        (await scrape()).find((sample) => sample.name === metricNames.pipeInfo && sample.labels['clickpipe_id'] === id)
          ?.labels['clickpipe_state'],
    )
    .toBe('Stopped')
  const [first, second] = [await scrape(), await scrape()].map((samples) => value(samples, metricNames.sentBytes, id))
  expect(first).toBeGreaterThanOrEqual(before)
  expect(second).toBe(first)
  expect(value(await scrape(), metricNames.cpuUsage, id)).toBe(0)
})

test('counters never decrease, whatever is changed in between', async () => {
  const id = await control.plant(pipeInputs.kinesis)
  let last = 0
  for (const change of [
    { replicas: 3 },
    { replicas: 1 },
    { replicaCpuMillicores: 2000 },
    { replicaCpuMillicores: 125 },
  ]) {
    await control.call('PATCH', `/datapipes/${id}/scaling`, change)
    for (let reading = 0; reading < 5; reading++) {
      const now = value(await scrape(), metricNames.sentBytes, id) ?? -1
      expect(now).toBeGreaterThanOrEqual(last)
      last = now
    }
  }
  expect((await pipeRows.get(stack.store, id))?.internal.model?.at).toBeGreaterThan(0)
})

test('database pipes share their limits', async () => {
  await control.plant(pipeInputs.postgres, 'Paused')
  const samples = await scrape()
  expect(samples.filter((sample) => sample.name === metricNames.cdcCpuLimit)).toMatchObject([{ value: 2000 }])
  expect(samples.filter((sample) => sample.name === metricNames.cdcMemoryLimit)).toMatchObject([{ value: 8 * 2 ** 30 }])
})

test('the engine of the stack itself is measured, also in a filtered scrape; other services report their state only', async () => {
  const engine = await temporaryEngine()
  const measured = await startTestStack({ engine })
  const { organizationId, serviceId, keyId, keySecret } = measured.identity
  const own = (await serviceRows.get(measured.store, serviceId))!
  const other = { ...own, id: '11111111-1111-4111-8111-111111111111', name: 'Other' }
  await serviceRows.insert(measured.store, other)
  const url = `/v1/organizations/${organizationId}/prometheus?filtered_metrics=true`
  const samples = async () =>
    parseExposition((await measured.send('GET', url, { headers: { authorization: basic(keyId, keySecret) } })).text)
  const of = async (id: string, name: string) =>
    (await samples()).find((sample) => sample.name === name && sample.labels['clickhouse_service'] === id)?.value
  const before = (await of(serviceId, metricNames.queries)) ?? 0
  await engine.query('SELECT 1')
  expect(await of(serviceId, metricNames.queries)).toBeGreaterThan(before)
  expect(await of(serviceId, metricNames.engineMemory)).toBeGreaterThan(0)
  expect(await of(other.id, metricNames.serviceInfo)).toBe(1)
  expect(await of(other.id, metricNames.queries)).toBeUndefined()
  expect((await samples()).map(({ name }) => name)).not.toContain('ClickHouseProfileEvents_FileOpen')
  await measured.close()
  await engine.close()
})
