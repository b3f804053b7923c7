/** Promotions between two real stacks, on both variants: copied once, then updated, with what the target changed. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RunDetail, TargetPlan } from '#contract/console/runs.ts'
import type { TestStack } from '#stack/testing/testStack.ts'
import { startEnvironments, type Environments } from './testing/environments.ts'

interface Row {
  id: string
  name: string
  tiles: { id: string; name: string }[]
  threshold: number
  interval: string
  dashboardId: string
  tileId: string
}

const dashboardCount = 20
const alertCount = 30

async function list(stack: TestStack, path: string): Promise<Row[]> {
  return (await stack.openSource('GET', path)).json.data as Row[] // the records that the test created
}

/** 20 dashboards of three tiles, and 30 alerts on them. */
async function fill({ openSource, sourceIds, webhookId }: TestStack): Promise<void> {
  for (let at = 0; at < dashboardCount; at++) {
    const tiles = ['Errors', 'Errors', 'Slow'].map((name, y) => ({
      name,
      x: 0,
      y: y * 3,
      w: 12,
      h: 3,
      config: { displayType: 'line', sourceId: sourceIds['log'], select: [{ aggFn: 'count', where: `n:${at}` }] },
    }))
    const filters = [
      { type: 'QUERY_EXPRESSION', name: 'Service', expression: 'ServiceName', sourceId: sourceIds['log'] },
    ]
    const created = await openSource('POST', '/dashboards', { name: `Board ${at}`, tiles, filters, tags: ['shop'] })
    expect(created.status, created.text).toBe(200)
    const dashboard = created.json.data as Row
    for (let alert = 0; alert < (at % 2 === 0 ? 2 : 1); alert++) {
      const body = {
        source: 'tile',
        dashboardId: dashboard.id,
        tileId: dashboard.tiles[alert]?.id,
        name: `Alert ${at}.${alert}`,
        threshold: at,
        thresholdType: 'above',
        interval: '5m',
        channel: { type: 'webhook', webhookId },
      }
      const answer = await openSource('POST', '/alerts', body)
      expect(answer.status, answer.text).toBe(200)
    }
  }
}

async function settled({ call }: Environments, id: string): Promise<RunDetail> {
  for (;;) {
    const { json } = await call('GET', `/api/runs/${id}`)
    if (json.state !== 'running' && json.state !== 'stopping') return json as RunDetail // the gateway's own response
    await new Promise((next) => setTimeout(next, 20))
  }
}

describe.each([
  ['open source', 'production', 'neutral'],
  ['managed, with the names of real deployments', 'cloud', 'clickhouse'],
] as const)('to %s', (_, to, spelling) => {
  let environments: Environments
  beforeAll(async () => {
    environments = await startEnvironments(spelling)
    await fill(environments.staging)
  })
  afterAll(() => environments.close())

  async function chosen() {
    const alerts = await list(environments.staging, '/alerts')
    return alerts.map(({ id }) => ({ kind: 'alerts', id }))
  }

  async function plan(sides = {}): Promise<TargetPlan> {
    const input = { from: 'staging', records: await chosen(), targets: [{ connectionId: to, sides }] }
    const { status, json } = await environments.call('POST', '/api/promotions/plan', input)
    expect(status, JSON.stringify(json)).toBe(200)
    return json.targets[0]
  }

  async function promote(sides = {}): Promise<RunDetail> {
    const { digest } = await plan(sides)
    const input = { from: 'staging', records: await chosen(), targets: [{ connectionId: to, sides }] }
    const { json } = await environments.call('POST', '/api/promotions', { ...input, digests: { [to]: digest } })
    expect(json.runs, JSON.stringify(json)).toHaveLength(1)
    return settled(environments, json.runs[0])
  }

  test('20 dashboards come with 30 alerts', { timeout: 60_000 }, async () => {
    const planned = await plan()
    expect(planned).toMatchObject({ ready: true, requests: 50, counts: { create: dashboardCount + alertCount } })
    expect(planned.mapping.map(({ kind, by }) => [kind, by])).toEqual([
      ['sources', 'name'],
      ['webhooks', 'name'],
    ])
    const run = await promote()
    expect(run).toMatchObject({ state: 'done', counts: { done: 50, failed: 0 } })
    const alerts = await list(environments.production, '/alerts')
    const dashboards = await list(environments.production, '/dashboards')
    expect(alerts).toHaveLength(alertCount)
    // The stack's first dashboard is on both sides.
    expect(dashboards).toHaveLength(dashboardCount + 1)
    for (const { name, dashboardId, tileId } of alerts) {
      const [board, alert] = name.replace('Alert ', '').split('.').map(Number)
      const dashboard = dashboards.find(({ id }) => id === dashboardId)
      expect(dashboard?.name).toBe(`Board ${board}`)
      // Two tiles have the same name: the place among them decides.
      expect(dashboard?.tiles.findIndex(({ id }) => id === tileId)).toBe(alert)
    }
  })

  test('promoted again, there is nothing to do', async () => {
    expect((await plan()).counts).toEqual({ create: 0, update: 0, delete: 0, same: dashboardCount + alertCount })
  })

  test('changes of the target stay, and conflicts are decided', async () => {
    const { staging, production } = environments
    const [mine] = await list(staging, '/alerts')
    const theirs = (await list(production, '/alerts')).find(({ name }) => name === mine?.name)
    await staging.openSource('PUT', `/alerts/${mine?.id}`, { ...mine, threshold: 500 })
    await production.openSource('PUT', `/alerts/${theirs?.id}`, { ...theirs, threshold: 400, interval: '1h' })
    const open = await plan()
    expect(open).toMatchObject({ ready: false, counts: { update: 1 } })
    const step = open.steps.find(({ action }) => action === 'update')
    expect(step).toMatchObject({ undecided: 1, kept: 1, conflicts: [{ mine: 500, theirs: 400 }] })
    const key = step?.key ?? ''
    const run = await promote({ [key]: { [step?.conflicts[0]?.key ?? '']: 'mine' } })
    expect(run).toMatchObject({ state: 'done', counts: { steps: 1 } })
    const after = (await list(production, '/alerts')).find(({ id }) => id === theirs?.id)
    expect(after).toMatchObject({ threshold: 500, interval: '1h' })
    // The target's own change is not taken back by the next promotion either.
    expect((await plan()).counts).toMatchObject({ update: 0, create: 0 })
  })

  test('a plan that no longer holds is not started', async () => {
    const { staging } = environments
    const [mine] = await list(staging, '/alerts')
    const { digest } = await plan()
    await staging.openSource('PUT', `/alerts/${mine?.id}`, { ...mine, threshold: 501 })
    const input = {
      from: 'staging',
      records: await chosen(),
      targets: [{ connectionId: to }],
      digests: { [to]: digest },
    }
    expect(await environments.call('POST', '/api/promotions', input)).toMatchObject({
      status: 409,
      json: { code: 'conflict' },
    })
  })

  test('everything is taken back with one request, also after a restart', { timeout: 60_000 }, async () => {
    await environments.restart()
    const { call, production } = environments
    const runs = (await call('GET', '/api/runs')).json as RunDetail[]
    for (const { id } of runs) {
      const { json: undo } = await call('POST', `/api/runs/${id}/undo/plan`)
      const { json } = await call('POST', `/api/runs/${id}/undo`, { digest: undo.digest })
      expect(json.runs, JSON.stringify(json)).toHaveLength(1)
      expect(await settled(environments, json.runs[0])).toMatchObject({ state: 'done' })
    }
    expect(await list(production, '/alerts')).toEqual([])
    expect(await list(production, '/dashboards')).toHaveLength(1)
    expect((await call('GET', `/api/runs/${runs[0]?.id}`)).json.undoneBy).toBeDefined()
  })
})
