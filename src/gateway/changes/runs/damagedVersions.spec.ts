/** A restore beside a damaged version: only the record whose version it is cannot be restored. */
import { afterAll, expect, test } from 'vitest'
import type { ChangePage } from '#contract/console/history.ts'
import type { RunDetail } from '#contract/console/runs.ts'
import { currentIsoTime, currentTime } from '#node/clock/wallClock.ts'
import { startMemoryUpstream } from '../../testing/memoryUpstream.ts'
import { openTestDatabase } from '../../testing/testDatabase.ts'
import { generousBudgetsFor, secrets, startTestGateway } from '../../testing/testGateway.ts'

const target = await startMemoryUpstream('t')
const gateway = await startTestGateway(target, {
  seeds: [
    {
      id: 'to',
      name: 'to',
      variant: 'openSource',
      baseUrl: target.url,
      allowPrivate: true,
      accessKey: secrets.accessKey,
    },
  ],
  budgets: generousBudgetsFor(target.url),
})
afterAll(async () => {
  await gateway.close()
  await target.close()
})

const dashboards = '/api/c/to/stack/dashboards'
const restores = '/api/connections/to/restores'
const board = (name: string) => ({ name, tags: [], tiles: [] })
const names = () => [...target.records.records.dashboards.values()].map(({ name }) => name)

async function created(name: string): Promise<string> {
  const { json, text } = await gateway.call('POST', dashboards, board(name))
  const { id } = Object(json['result'])
  expect(id, text).toBeTypeOf('string')
  return id
}

test('others are restored, and the one whose version is damaged stays as it is', async () => {
  const [sound, damaged] = [await created('Sound'), await created('Damaged')]
  const time = currentIsoTime()
  // A restore to a time includes changes of the same millisecond.
  await expect.poll(() => currentTime(), { interval: 1 }).toBeGreaterThan(Date.parse(time))
  for (const id of [sound, damaged]) await gateway.call('PUT', `${dashboards}/${id}`, board(`Changed ${id}`))
  const { items } = (await gateway.call('GET', '/api/connections/to/history')).json as unknown as ChangePage
  const version = items.find(({ recordId, action }) => recordId === damaged && action === 'created')?.after
  const database = await openTestDatabase(`${gateway.folder}/data`)
  await database.write({
    sql: 'UPDATE versions SET bytes = substr(bytes, 1, 20) WHERE hash = ?',
    args: [version ?? ''],
  })
  await database.close()

  const of = (...ids: string[]) => ids.map((id) => ({ kind: 'dashboards', id }))
  for (const input of [
    { time },
    { time, records: of(sound, damaged) },
    { versions: of(damaged).map((one) => ({ ...one, version })) },
  ]) {
    const refused = await gateway.call('POST', `${restores}/plan`, input)
    const message = expect.stringContaining(`The version of the dashboard ${damaged} is damaged and cannot be read.`)
    expect(refused).toMatchObject({ status: 500, json: { code: 'failed', message } })
  }

  const input = { time, records: of(sound) }
  const plan = await gateway.call('POST', `${restores}/plan`, input)
  expect(plan.json, plan.text).toMatchObject({ ready: true })
  const started = await gateway.call('POST', restores, { ...input, digests: { to: plan.json['digest'] } })
  const runId = String(Object(started.json['runs'])[0])
  const run = async () => (await gateway.call('GET', `/api/runs/${runId}`)).json as unknown as RunDetail
  await expect.poll(async () => (await run()).state, { timeout: 60_000 }).toBe('done')
  expect(names()).toEqual(['Sound', `Changed ${damaged}`])
})
