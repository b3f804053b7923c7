/** Charts over four weeks, of a stack that ranks groups and has roll-ups: the others of the tests answer as deployments do. */
import type { Page } from '@playwright/test'
import { temporaryEngine } from '../../src/stack/testing/temporaryEngine.ts'
import { startTestStack, type TestStack } from '../../src/stack/testing/testStack.ts'
import { defaultSources } from '../../src/stack/telemetry/defaultSources.ts'
import type { Engine } from '../../src/stack/telemetry/engine/engine.ts'
import { ensureRollups } from '../../src/stack/telemetry/rollups/ensureRollups.ts'
import { legendOf } from '../support/explorer.ts'
import { now } from '../support/now.ts'
import { send } from '../support/requests.ts'
import { expect, test, unique } from '../support/test.ts'

let engine: Engine
let stack: TestStack
let sourceId: string

test.describe.configure({ mode: 'default' })

/** Logs of 10,000 users over four weeks, 20 of each, and so many more of the first five. A quarter has no plan. */
test.beforeAll(async () => {
  engine = await temporaryEngine()
  await ensureRollups(engine, ['logs.counts', 'logs.values'], 30)
  await engine.command(
    `INSERT INTO otel_logs (Timestamp, ServiceName, Body, LogAttributes)
     SELECT fromUnixTimestamp64Milli({from:Int64} + (number * 7919 % 40000) * 60000),
       'shop', concat('user-', toString(if(number < 200000, number % 10000, intDiv(number - 200000, 20) % 5))),
       if(number % 4 = 0, map(), map('plan', ['free', 'team'][number % 2 + 1]))
     FROM numbers(202000)`,
    { params: { from: now() - 40_320 * 60_000 } },
  )
  // Roll-ups are read of large tables. These records are older than the charts begin.
  await engine.command(
    `INSERT INTO otel_logs (Timestamp, ServiceName) SELECT fromUnixTimestamp64Milli({at:Int64}), 'shop' FROM numbers(1000000)`,
    { params: { at: now() - 40_320 * 60_000 - 36 * 3_600_000 } },
  )
  stack = await startTestStack({ engine, rateLimits: { openSource: 10_000, managed: 10_000 } })
  const logs = defaultSources().find(({ kind }) => kind === 'log')
  const { json } = await stack.openSource('POST', '/sources', { ...logs, connection: stack.identity.connectionId })
  sourceId = json.data.id
})
test.afterAll(async () => {
  await stack.close()
  await engine.close()
})

/** Runs with a connection to the stack. */
async function connected(page: Page, work: (connectionId: string) => Promise<void>): Promise<void> {
  const { url, identity } = stack
  const input = { variant: 'openSource', baseUrl: url, allowPrivate: true, accessKey: identity.personalAccessKey }
  const { id } = await send(page, 'POST', '/api/connections', { name: unique('Many users'), ...input })
  try {
    await work(String(id))
  } finally {
    await send(page, 'DELETE', `/api/connections/${String(id)}`)
  }
}

test('the explorer draws the largest groups of four weeks, and all others as one', async ({ page }) => {
  await connected(page, async (connectionId) => {
    await page.goto(`/c/${connectionId}/explorer?a=count&a.in=${sourceId}&by=Body&from=now-28d`)
    await expect(page.getByText('“Other” is all of 9,000 smaller groups')).toBeVisible()
    await page.getByRole('combobox', { name: 'Groups' }).click()
    await page.getByRole('option', { name: 'Top 5', exact: true }).click()
    const legend = legendOf(page).getByRole('button')
    await expect(legend.filter({ hasText: /^Other \(9,995 values\)$/ })).toBeVisible()
    await expect(legend.filter({ hasText: /^user-[0-4]$/ })).toHaveCount(5)
    await expect(legend.filter({ hasText: /^user-/ })).toHaveCount(5)
    await page.getByRole('button', { name: 'Table', exact: true }).click()
    await expect(page.getByRole('main').getByRole('table').first()).toContainText('Other (9,995 values)')
  })
})

test('a tile has them with their own average', async ({ page }) => {
  const select = [{ aggFn: 'avg', valueExpression: 'toUInt32(substring(Body, 6))' }]
  const config = { displayType: 'bar', sourceId, select, groupBy: 'Body', limit: 2 }
  const tiles = [{ name: 'Users', x: 0, y: 0, w: 12, h: 6, config }]
  const { json } = await stack.openSource('POST', '/dashboards', { name: 'Users', tiles })
  await connected(page, async (connectionId) => {
    await page.goto(`/c/${connectionId}/dashboards/${json.data.id}?from=now-28d`)
    const bars = page.getByRole('list', { name: 'Users' }).getByRole('listitem')
    await expect(bars).toHaveText([/^user-9999.*9,999$/, /^user-9998.*9,998$/, /^Other \(9,998 values\)/])
  })
})

test('the explorer says which roll-up a chart was read from', async ({ page }) => {
  await connected(page, async (connectionId) => {
    const note = page.getByText('Read from otel_logs_rollup_15m (materialized view).')
    const path = `/c/${connectionId}/explorer?a=count&a.in=${sourceId}&from=now-28d`
    await page.goto(`${path}&by=ServiceName`)
    await expect(note).toBeVisible()
    await expect(legendOf(page).getByRole('button', { name: 'shop', exact: true })).toBeVisible()
    // The roll-up has no bodies.
    await page.goto(`${path}&by=Body`)
    await expect(page.getByText('“Other” is all of 9,000 smaller groups')).toBeVisible()
    await expect(note).toBeHidden()
  })
})

test('values of an attribute are read from their roll-up, with the rows that have none', async ({ page }) => {
  await connected(page, async (connectionId) => {
    const plan = encodeURIComponent("LogAttributes['plan']")
    await page.goto(`/c/${connectionId}/explorer?a=count&a.in=${sourceId}&from=now-28d&by=${plan}`)
    await expect(page.getByText('Read from otel_logs_kv_rollup_15m (materialized view).')).toBeVisible()
    await expect(legendOf(page).getByRole('button', { name: 'team', exact: true })).toBeVisible()
    // All records are in the range but those that are older than 28 days.
    await page.goto(`/c/${connectionId}/search?source=${sourceId}&from=now-29d&facets=${plan}`)
    const facets = page.getByRole('region', { name: 'Facets' })
    await expect(
      facets.getByRole('button', { name: /LogAttributes\['plan'\] team, 101000 rows/ }).first(),
    ).toBeVisible()
    await expect(facets.getByRole('button', { name: /LogAttributes\['plan'\] free, 50500 rows/ }).first()).toBeVisible()
  })
})
