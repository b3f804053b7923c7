/** Links that show a dashboard or a chart to people without an account. */
import type { Page } from '@playwright/test'
import { expectNoViolations } from '../support/axe.ts'
import { drawnTiles, fromMenu, listOf, sources, sqlTiles, stack } from '../support/dashboards.ts'
import { sendLogs } from '../support/explorer.ts'
import { sendMessages, sendSpans } from '../support/sendTelemetry.ts'
import { dashboard } from '../../src/contract/stack/dashboards/dashboards.ts'
import { expect, managed, openSource, test, unique } from '../support/test.ts'

test.use({ telemetry: true })

/** Opens the dialog, chooses a range, and returns the address of the new link. */
async function share(page: Page, range?: RegExp): Promise<string> {
  const dialog = page.getByRole('dialog')
  if (range) {
    await dialog.getByRole('combobox', { name: 'Time range' }).click()
    await page.getByRole('option', { name: range }).click()
  }
  await dialog.getByRole('button', { name: 'Create link' }).click()
  await expect(dialog.getByText('The address is shown only now.')).toBeVisible()
  return (await dialog.locator('code').first().textContent()) ?? ''
}

test('shows a dashboard to a visitor without an account, until the link is revoked', async ({ page, otherBrowser }) => {
  const { id, name, tiles } = await drawnTiles()
  const text = {
    name: 'Note',
    x: 0,
    y: 6,
    w: 12,
    h: 3,
    config: { displayType: 'markdown', markdown: '**Hello** <img src=x onerror=alert(1)>' },
  }
  await stack(dashboard, 'PUT', `/dashboards/${id}`, { name, tiles: [...tiles, text] })
  await page.goto(`${listOf(openSource)}/${id}?from=now-1h`)
  await fromMenu(page, 'this dashboard', 'Public link…')
  await expectNoViolations(page, 'the dialog of public links')
  const address = await share(page)
  expect(address).toMatch(/\/shared#scl_[\w-]{43}$/)
  await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click()

  const visitor = await (await otherBrowser()).newPage()
  const sent: string[] = []
  visitor.on('request', (request) => sent.push(request.url()))
  await visitor.goto(address)
  await expect(visitor.getByRole('heading', { level: 1, name })).toBeVisible()
  await expect(visitor.getByText('Last 1 hour')).toBeVisible()
  await expect(visitor.getByText(/^As of /)).toBeVisible()
  await expect(visitor.getByText(/^Times in \w+/)).toBeVisible()
  await expect(visitor.getByRole('region', { name: 'Left' }).getByRole('group', { name: 'Legend' })).toContainText(
    'checkout',
  )
  const note = visitor.getByRole('region', { name: 'Note' })
  await expect(note.getByText('Hello')).toBeVisible()
  await expect(note.locator('img')).toHaveCount(0)
  // Nothing but what is shown: no navigation, no actions, and no request that needs a session.
  await expect(visitor.getByRole('navigation')).toHaveCount(0)
  await expect(visitor.getByRole('button', { name: /Actions/ })).toHaveCount(0)
  expect(sent.filter((url) => url.includes('/api/')).map((url) => new URL(url).pathname)).toEqual(['/api/shared-view'])
  expect(sent.filter((url) => url.includes('scl_')).length).toBeLessThanOrEqual(1)
  await expectNoViolations(visitor, 'a shared dashboard')
  await visitor.getByRole('button', { name: 'Show Left as table' }).click()
  await expect(visitor.getByRole('region', { name: 'Left' }).getByRole('table')).toBeVisible()

  await fromMenu(page, 'this dashboard', 'Public link…')
  const row = page.getByRole('row').filter({ hasText: name })
  await expect(row).toContainText('1 time')
  await row.getByRole('button', { name: 'Revoke' }).click()
  await page.getByRole('button', { name: 'Revoke link' }).click()
  await expect(row).toHaveCount(0)
  await visitor.reload()
  await expect(visitor.getByRole('heading', { name: 'This link is not valid any more' })).toBeVisible()
  await expect(visitor.getByText(name)).toHaveCount(0)
})

test('keeps a snapshot, and shares a chart of the explorer', async ({ page, otherBrowser }) => {
  const { id, name } = await drawnTiles()
  await page.goto(`${listOf(openSource)}/${id}?from=now-1h`)
  await fromMenu(page, 'this dashboard', 'Public link…')
  const snapshot = await share(page, /^Snapshot/)
  const visitor = await (await otherBrowser()).newPage()
  await visitor.goto(snapshot)
  await expect(visitor.getByText(/^Snapshot of /)).toBeVisible()
  await expect(visitor.getByRole('region', { name: 'Right' }).getByRole('group', { name: 'Legend' })).toBeVisible()
  await stack(dashboard, 'PUT', `/dashboards/${id}`, { name, tiles: [] })
  await visitor.reload()
  await expect(visitor.getByRole('region', { name: 'Right' }).getByRole('group', { name: 'Legend' })).toBeVisible()

  await page.goto(`/c/${openSource}/explorer`)
  await page.getByRole('button', { name: 'Share' }).click()
  await page.getByRole('menuitem', { name: /^Public link/ }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Title' }).fill('Rows of all')
  const chart = await share(page, /^\d{4}-/)
  await visitor.goto(chart)
  await expect(visitor.getByRole('heading', { level: 1, name: 'Rows of all' })).toBeVisible()
  await expect(visitor.getByRole('region')).toHaveCount(1)
})

test('shares a dashboard of a managed connection, also as a snapshot, until it is revoked', async ({
  page,
  otherBrowser,
}) => {
  const { id, name } = await drawnTiles()
  const openDialog = async () => {
    await page.goto(`${listOf(managed)}/${id}?from=now-1h`)
    await expect(page.getByRole('region', { name: 'Left' }).getByRole('application')).toBeVisible()
    await fromMenu(page, 'this dashboard', 'Public link…')
  }
  await openDialog()
  await expect(page.getByRole('dialog')).toContainText('2 tiles of Local (open source)')
  const address = await share(page)
  await openDialog()
  const snapshot = await share(page, /^Snapshot/)
  const visitor = await (await otherBrowser()).newPage()
  const left = visitor.getByRole('region', { name: 'Left' })
  for (const [shown, time] of [
    [address, /^As of /],
    [snapshot, /^Snapshot of /],
  ] as const) {
    await visitor.goto('about:blank')
    await visitor.goto(shown)
    await expect(visitor.getByText(time)).toBeVisible()
    await expect(left.getByRole('group', { name: 'Legend' })).toContainText('checkout')
    await visitor.getByRole('button', { name: 'Show Left as table' }).press('Enter')
    await expect(left.getByRole('table')).toContainText('checkout')
  }

  await openDialog()
  const rows = page.getByRole('dialog').getByRole('row').filter({ hasText: name })
  await expect(rows).toHaveCount(2)
  for (const left of [1, 0]) {
    await rows.first().getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('button', { name: 'Revoke link' }).click()
    await expect(rows).toHaveCount(left)
  }
  await visitor.reload()
  await expect(visitor.getByRole('heading', { name: 'This link is not valid any more' })).toBeVisible()
})

test('draws heatmaps and patterns, without the messages of which these are', async ({ page, otherBrowser }) => {
  const service = unique('rows').replace(' ', '-')
  const orders = Array.from({ length: 30 }, (_, at) => `order ${at} placed`)
  await Promise.all([sendMessages(service, [...orders, 'disk is full']), sendSpans(service, [1, 2, 3, 3, 3, 40, 5000])])
  const known = await sources()
  const of = (kind: string) => ({
    sourceId: known.find((candidate) => candidate.kind === kind)?.id,
    where: `ServiceName:"${service}"`,
    whereLanguage: 'lucene',
  })
  const select = [{ valueExpression: 'Duration' }]
  const { id, name } = await stack(dashboard, 'POST', '/dashboards', {
    name: unique('Rows'),
    tiles: [
      { name: 'Latency', x: 0, y: 0, w: 12, h: 8, config: { displayType: 'heatmap', select, ...of('trace') } },
      { name: 'Messages', x: 12, y: 0, w: 12, h: 8, config: { displayType: 'event_patterns', ...of('log') } },
    ],
  })
  await page.goto(`${listOf(openSource)}/${id}?from=now-1h`)
  await fromMenu(page, 'this dashboard', 'Public link…')
  const address = await share(page, /^\d{4}-/)

  const visitor = await (await otherBrowser()).newPage()
  const views: string[] = []
  visitor.on('response', (response) => {
    if (response.url().endsWith('/api/shared-view')) void response.text().then((text) => views.push(text))
  })
  await visitor.goto(address)
  await expect(visitor.getByRole('heading', { level: 1, name })).toBeVisible()
  const latency = visitor.getByRole('region', { name: 'Latency', exact: true })
  await expect(latency.getByRole('img', { name: 'Latency: values from 1 ms to 5 s' })).toBeVisible()
  const messages = visitor.getByRole('region', { name: 'Messages', exact: true })
  await expect(messages.getByRole('row', { name: 'order <*> placed' })).toContainText('30')
  await expect(messages.getByRole('row')).toHaveCount(3)
  await expectNoViolations(visitor, 'a shared heatmap')
  await latency.getByRole('button', { name: 'Show Latency as table' }).press('Enter')
  await expect(latency.getByRole('row').last()).toContainText('1 ms')
  await expect.poll(() => views.length).toBeGreaterThan(0)
  expect(views.join()).not.toMatch(/order 7 placed|Duration|ServiceName/)
})

test('says that a link does not exist, and nothing else', async ({ otherBrowser }) => {
  const visitor = await (await otherBrowser()).newPage()
  for (const address of ['/shared', '/shared#scl_0', `/shared#${'../'.repeat(20)}etc`]) {
    await visitor.goto('about:blank')
    await visitor.goto(address)
    await expect(visitor.getByRole('heading', { name: 'This link does not exist' })).toBeVisible()
  }
})

test('shows Raw SQL tiles with the filters of the time, and not their statements', async ({ page, otherBrowser }) => {
  const service = unique('public').replaceAll(/\W/g, '-').toLowerCase()
  await Promise.all([sendLogs(`${service}-a`, 7), sendLogs(`${service}-b`, 4)])
  const rows = `FROM $__sourceTable WHERE $__timeFilter(Timestamp) AND startsWith(ServiceName, '${service}') AND $__filters`
  const sourceId = (await sources()).find(({ kind }) => kind === 'log')?.id
  const tile = (sqlTemplate: string, displayType: string) => ({ displayType, sourceId, sqlTemplate })
  const { id, name, tiles } = await sqlTiles({
    Lines: tile(
      `SELECT $__timeInterval(Timestamp) AS ts, ServiceName, count() AS n ${rows} GROUP BY ts, ServiceName`,
      'line',
    ),
    Number: tile(`SELECT count() AS n ${rows}`, 'number'),
    Table: tile(`SELECT ServiceName AS name, count() AS n ${rows} GROUP BY name ORDER BY name`, 'table'),
    Wrong: tile('SELECT nothing FROM $__sourceTable', 'table'),
    Unknown: tile('SELECT $__nothing', 'table'),
  })
  const filter = { id: 'f1', type: 'QUERY_EXPRESSION', name: 'Service', expression: 'ServiceName', sourceId }
  const { filters } = await stack(dashboard, 'PUT', `/dashboards/${id}`, { name, tiles, filters: [filter] })
  const chosen = `f.${filters[0]?.id}=${encodeURIComponent(`["${service}-a"]`)}`
  await page.goto(`${listOf(openSource)}/${id}?from=now-1h&${chosen}`)
  await expect(page.getByRole('region', { name: 'Number', exact: true }).first()).toContainText('7')
  await fromMenu(page, 'this dashboard', 'Public link…')
  // A moving range ends where the last interval ended.
  const address = await share(page, /^\d{4}-/)

  const visitor = await (await otherBrowser()).newPage()
  const views: string[] = []
  visitor.on('response', (response) => {
    if (response.url().endsWith('/api/shared-view')) void response.text().then((text) => views.push(text))
  })
  await visitor.goto(address)
  const shown = (title: string) => visitor.getByRole('region', { name: title, exact: true }).first()
  await expect(shown('Number')).toContainText('7')
  await expect(shown('Table').locator('tbody tr')).toHaveText([`${service}-a7`])
  await expect(shown('Lines').locator('svg, canvas').first()).toBeVisible()
  await expect(shown('Wrong')).toContainText('The deployment refused the query.')
  await expect(shown('Unknown')).toContainText('Its SQL cannot be run.')
  await expectNoViolations(visitor, 'Raw SQL tiles of a shared link')
  await visitor.getByRole('button', { name: 'Show Lines as table' }).press('Enter')
  await expect(shown('Lines').getByRole('table')).toBeVisible()
  await expect.poll(() => views.length).toBeGreaterThan(0)
  expect(views.join()).not.toMatch(/SELECT|startsWith|otel_logs|__filters/)
})
