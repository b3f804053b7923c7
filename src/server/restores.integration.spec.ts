/** A connection is given back what it had: all of it, one record, or what somebody deleted. */
import * as fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import type { Change, ChangePage, DeletedRecord } from '#contract/console/history.ts'
import type { RunDetail, TargetPlan } from '#contract/console/runs.ts'
import { currentIsoTime } from '#node/clock/wallClock.ts'
import { startEnvironments, type Environments } from './testing/environments.ts'

let environments: Environments
afterEach(() => environments.close())

const line = (sourceId: unknown, where: string) => ({
  displayType: 'line',
  sourceId,
  select: [{ aggFn: 'count', where }],
})
const tile = (name: string, y: number, config: object) => ({ name, x: 0, y, w: 6, h: 3, config })

async function through(method: string, path: string, body?: unknown) {
  const { status, json } = await environments.call(method, `/api/c/production/stack${path}`, body)
  expect(status, `${method} ${path} ${JSON.stringify(json)}`).toBe(200)
  return json.result
}

async function changes(): Promise<Change[]> {
  const { json } = await environments.call('GET', '/api/connections/production/history')
  return (json as ChangePage).items // the gateway's own response
}

async function settled(id: string): Promise<RunDetail> {
  for (;;) {
    const { json } = await environments.call('GET', `/api/runs/${id}`)
    if (json.state !== 'running') return json as RunDetail // the gateway's own response
    await new Promise((next) => setTimeout(next, 10))
  }
}

async function restore(input: object): Promise<{ plan: TargetPlan; run: RunDetail }> {
  const { json: plan } = await environments.call('POST', '/api/connections/production/restores/plan', input)
  expect(plan.ready, JSON.stringify(plan)).toBe(true)
  const digests = { production: plan.digest }
  const { json } = await environments.call('POST', '/api/connections/production/restores', { ...input, digests })
  return { plan, run: await settled(json.runs[0]) }
}

async function snapshot(): Promise<void> {
  await environments.call('POST', '/api/connections/production/history/snapshot')
}

/** The records of production, without ids and times: names in their place. */
async function content(): Promise<unknown> {
  const kinds = ['/sources', '/webhooks', '/saved-searches', '/dashboards', '/alerts']
  const lists = await Promise.all(kinds.map((path) => environments.production.openSource('GET', path)))
  const rows = lists.map(
    ({ json }) => json.data as { id: string; name: string; tiles?: { id: string; name: string }[] }[],
  )
  const names = new Map(
    rows
      .flat()
      .flatMap(({ id, name, tiles = [] }) => [
        [id, name] as const,
        ...tiles.map(({ id, name }) => [id, name] as const),
      ]),
  )
  const plain = (value: unknown): unknown => {
    if (typeof value === 'string') return names.get(value) ?? value
    if (Array.isArray(value)) return value.map(plain)
    if (value === null || typeof value !== 'object') return value
    const kept = Object.entries(value).filter(([key]) => !['updatedAt', 'createdAt', 'state'].includes(key))
    const sorted = kept.toSorted(([a], [b]) => (a < b ? -1 : 1))
    return Object.fromEntries(sorted.map(([key, item]) => [key, plain(item)]))
  }
  return rows.map((list) => list.map((row) => JSON.stringify(plain(row))).toSorted())
}

test('a record gets an earlier version back', async () => {
  environments = await startEnvironments()
  const { id } = await through('POST', '/dashboards', {
    name: 'Shop',
    tiles: [tile('One', 0, { displayType: 'markdown' })],
  })
  await through('PUT', `/dashboards/${id}`, { name: 'Broken', tiles: [] })
  const [, created] = await changes()
  const { run } = await restore({ versions: [{ kind: 'dashboards', id, version: created?.after }] })
  expect(run).toMatchObject({ state: 'done', kind: 'restore', counts: { steps: 1 } })
  expect(await through('GET', `/dashboards/${id}`)).toMatchObject({ name: 'Shop', tiles: [{ name: 'One' }] })
  expect(await changes()).toHaveLength(3)
  expect((await changes())[0]).toMatchObject({ cause: 'restore', run: run.id, outcome: 'done' })
})

test('a deleted dashboard comes back with its alerts, which get its new id', async () => {
  environments = await startEnvironments()
  const { sourceIds, webhookId, openSource } = environments.production
  const board = {
    name: 'Payment pool',
    tiles: [tile('Errors', 0, line(sourceIds['log'], 'a')), tile('Pool', 3, line(sourceIds['log'], 'b'))],
  }
  const { id, tiles } = await through('POST', '/dashboards', board)
  const channel = { type: 'webhook', webhookId }
  const alert = { source: 'tile', dashboardId: id, tileId: tiles[1].id, name: 'Pool exhausted', threshold: 4 }
  await through('POST', '/alerts', { ...alert, thresholdType: 'above', interval: '1m', channel })
  await snapshot()
  const before = await content()
  await openSource('DELETE', `/dashboards/${id}`)
  await snapshot()
  const { json } = await environments.call('GET', '/api/connections/production/history/deleted')
  const deleted = (json as DeletedRecord[]).find(({ kind }) => kind === 'dashboards')
  expect(deleted).toMatchObject({ name: 'Payment pool', cause: 'outside' })
  const time = new Date(Date.parse(deleted?.at ?? '') - 1).toISOString()
  const { plan } = await restore({ time, records: [{ kind: 'dashboards', id }] })
  expect(plan.steps.map(({ key, action }) => [key, action])).toEqual([
    ['dashboards/Payment pool', 'create'],
    ['alerts/Pool exhausted', 'create'],
  ])
  expect(await content()).toEqual(before)
  const [restored] = (await openSource('GET', '/alerts')).json.data
  expect(restored.dashboardId).not.toBe(id)
})

test('a source that comes back is carried into the dashboards that name it', async () => {
  environments = await startEnvironments()
  const { openSource, identity } = environments.production
  const { id } = await through('POST', '/sources', {
    name: 'Payments',
    kind: 'log',
    connection: identity.connectionId,
    from: { databaseName: 'default', tableName: 'payments' },
    timestampValueExpression: 'Timestamp',
    defaultTableSelectExpression: 'Body',
  })
  await through('POST', '/dashboards', { name: 'Shop', tiles: [tile('Errors', 0, line(id, 'a'))] })
  await snapshot()
  const before = await content()
  await openSource('DELETE', `/sources/${id}`)
  await snapshot()
  const { json } = await environments.call('GET', '/api/connections/production/history/deleted')
  const time = new Date(Date.parse((json as DeletedRecord[])[0]?.at ?? '') - 1).toISOString()
  const { plan } = await restore({ time, records: [{ kind: 'sources', id }] })
  expect(plan.steps.map(({ key, action }) => [key, action])).toEqual([
    ['sources/Payments', 'create'],
    ['dashboards/Shop', 'update'],
  ])
  expect(await content()).toEqual(before)
})

test('after 200 random changes by anybody, the connection is as it was', { timeout: 120_000 }, async () => {
  environments = await startEnvironments()
  const { openSource, sourceIds, webhookId } = environments.production
  const channel = { type: 'webhook', webhookId }
  const pick = <T>(rows: T[], at: number): T | undefined => rows[at % Math.max(rows.length, 1)]
  const rows = async (path: string) =>
    (await openSource('GET', path)).json.data as { id: string; tiles: { id: string }[] }[]
  /** One change, through the console or past it. */
  async function change(kind: number, at: number, outside: boolean): Promise<void> {
    const call = (method: string, path: string, body?: unknown) =>
      outside ? openSource(method, path, body) : environments.call(method, `/api/c/production/stack${path}`, body)
    const dashboards = await rows('/dashboards')
    const dashboard = pick(dashboards, at)
    const tiles = Array.from({ length: (at % 3) + 1 }, (_, y) => {
      const kept = dashboard?.tiles[y]?.id
      return {
        ...(kept && at % 2 === 0 && { id: kept }),
        ...tile(`Tile ${(at + y) % 4}`, y * 3, line(sourceIds['log'], `n:${at}`)),
      }
    })
    const watched = dashboard?.tiles[0]?.id
    const alert = {
      source: 'tile',
      dashboardId: dashboard?.id,
      tileId: watched,
      thresholdType: 'above',
      interval: '5m',
      channel,
    }
    switch (kind) {
      case 0:
        return void (await call('POST', '/dashboards', {
          name: `Board ${at}`,
          tiles: tiles.map(({ id: _id, ...one }) => one),
        }))
      case 1:
        return void (dashboard && (await call('PUT', `/dashboards/${dashboard.id}`, { name: `Board ${at}`, tiles })))
      case 2:
        return void (dashboard && (await call('DELETE', `/dashboards/${dashboard.id}`)))
      case 3:
        return void (watched && (await call('POST', '/alerts', { ...alert, name: `Alert ${at}`, threshold: at })))
      case 4: {
        const old = pick(await rows('/alerts'), at)
        return void (old && (await call('PUT', `/alerts/${old.id}`, { ...old, threshold: at + 1 })))
      }
      case 5:
        return void (await call('POST', '/saved-searches', {
          name: `Search ${at}`,
          sourceId: sourceIds['log'],
          where: 'a',
        }))
      default: {
        const old = pick(await rows('/saved-searches'), at)
        return void (old && (await call('DELETE', `/saved-searches/${old.id}`)))
      }
    }
  }
  const steps = fc.sample(fc.tuple(fc.nat(6), fc.nat(30), fc.boolean()), { numRuns: 230, seed: 13 })
  for (const step of steps.slice(0, 30)) await change(...step)
  await snapshot()
  const before = await content()
  await new Promise((next) => setTimeout(next, 5))
  const time = currentIsoTime()
  await new Promise((next) => setTimeout(next, 5))
  for (const step of steps.slice(30)) await change(...step)
  const after = await content()
  expect(after).not.toEqual(before)
  const { run } = await restore({ time })
  expect(run.state, JSON.stringify(run.steps.filter(({ state }) => state !== 'done'))).toBe('done')
  expect(await content()).toEqual(before)
  // And one click back.
  const { json: undo } = await environments.call('POST', `/api/runs/${run.id}/undo/plan`)
  const { json } = await environments.call('POST', `/api/runs/${run.id}/undo`, { digest: undo.digest })
  expect(await settled(json.runs[0])).toMatchObject({ state: 'done' })
  expect(await content()).toEqual(after)
})
