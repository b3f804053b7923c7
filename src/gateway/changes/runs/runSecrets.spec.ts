/** Credentials of webhooks pass through plans, runs and the history, and are shown nowhere. */
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { TargetPlan } from '#contract/console/runs.ts'
import { currentIsoTime } from '#node/clock/wallClock.ts'
import { storedBytes } from '../../testing/testDatabase.ts'
import { startMemoryUpstream, type MemoryUpstream } from '../../testing/memoryUpstream.ts'
import { generousBudgetsFor, startTestGateway, openSourceSeed } from '../../testing/testGateway.ts'

const [from, to] = [await startMemoryUpstream('f'), await startMemoryUpstream('t')]
const connection = (id: string, { url }: MemoryUpstream) => openSourceSeed(id, url)
const gateway = await startTestGateway(from, {
  seeds: [connection('from', from), connection('to', to)],
  budgets: generousBudgetsFor(from.url, to.url),
})
afterAll(async () => {
  await gateway.close()
  await Promise.all([from, to].map((one) => one.close()))
})

/** Everything that the browser was sent. */
const seen: string[] = []
async function call(method: string, path: string, body?: unknown) {
  const reply = await gateway.call(method, path, body)
  seen.push(`${method} ${path} ${JSON.stringify([...reply.headers])} ${reply.text}`)
  return reply.json
}

const [first, second, header] = ['T0PATH1SEEDED', 'T0PATH2SEEDED', 'H3ADERSEEDED']
const urlOf = (secret: string) => `https://hooks.example/services/${secret}?token=Q${secret}`

async function promoted(id: string, entered = {}) {
  const input = { from: 'from', records: [{ kind: 'webhooks', id }], targets: [{ connectionId: 'to', entered }] }
  const { targets } = await call('POST', '/api/promotions/plan', input)
  const [plan] = targets as TargetPlan[]
  const { runs } = await call('POST', '/api/promotions', { ...input, digests: { to: plan?.digest } })
  const [run] = runs as string[]
  await expect.poll(async () => (await call('GET', `/api/runs/${run}`)).state).not.toMatch(/running|stopping/)
  return String(run)
}

test('neither a response, nor a line of the log, nor a file has a credential', async () => {
  const { id } = Object(
    await from.records.create('webhooks', { name: 'On call', service: 'generic', url: urlOf(first) }),
  )
  const run = await promoted(id, { 'webhooks/On call': { headers: { authorization: header } } })
  await from.records.update('webhooks', id, { name: 'On call', service: 'generic', url: urlOf(second) })
  // A deployment whose errors quote what it was sent.
  const { onRequest } = to.records
  to.records.onRequest = (request) => {
    if (request === 'update webhooks') throw new Error('refused')
  }
  const failed = await promoted(id)
  to.records.onRequest = onRequest
  await call('POST', `/api/runs/${failed}/resume`)
  await expect.poll(async () => (await call('GET', `/api/runs/${failed}`)).state).toBe('done')
  await call('GET', '/api/runs')
  await call('GET', '/api/c/to/stack/webhooks')
  const changes = await call('GET', '/api/connections/to/history')
  expect(changes.items).toHaveLength(3)
  for (const { before, after } of changes.items as { before?: string; after?: string }[])
    for (const version of [before, after].filter((version) => version !== undefined))
      await call('GET', `/api/connections/to/history/versions/${version}`)
  await call('GET', '/api/connections/to/comparison?baseline=from')
  await call('GET', '/api/connections/to/comparison/fields?baseline=from&kind=webhooks&name=On%20call')
  await call('POST', `/api/runs/${run}/undo/plan`, {})
  const [target = ''] = to.records.records.webhooks.keys()
  await call('DELETE', `/api/c/to/stack/webhooks/${target}`)
  const deleted = await call('GET', '/api/connections/to/history/deleted')
  expect(deleted).toHaveLength(1)
  await call('GET', `/api/connections/to/history/records/webhooks/${target}`)
  await call('POST', '/api/connections/to/restores/plan', { time: currentIsoTime() })
  await call('GET', '/api/record-search?q=call')
  const bytes = await storedBytes(join(gateway.folder, 'data'))
  for (const secret of [first, second, header]) {
    for (const text of seen) expect(text).not.toContain(secret)
    expect(gateway.log.join('')).not.toContain(secret)
    expect(bytes).not.toContain(secret)
  }
})

test('the version of a webhook cannot be restored as a dashboard, which would show its URL', async () => {
  const { id } = Object(await to.records.create('webhooks', { name: 'Pager', service: 'generic', url: urlOf(first) }))
  const board = Object(await to.records.create('dashboards', { name: 'Shop', tags: [], tiles: [] }))
  await call('POST', '/api/connections/to/history/snapshot', {})
  const [version] = (await call('GET', `/api/connections/to/history/records/webhooks/${id}`)) as unknown as {
    version: string
  }[]
  const disguised = { versions: [{ kind: 'dashboards', id: board.id, version: version?.version }] }
  const plan = await gateway.call('POST', '/api/connections/to/restores/plan', disguised)
  expect(plan.text).not.toContain(first)
  expect(plan.code).toBe('notFound')
})
