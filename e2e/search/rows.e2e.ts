/** The rows of a search: facets, patterns, details of a row, columns, export and live tail. */
import type { Locator } from '@playwright/test'
import { violations } from '../support/axe.ts'
import { exported, sendLogs } from '../support/explorer.ts'
import { now } from '../support/now.ts'
import { details, openSearch, rowsOf, status } from './searchPage.ts'
import { sendTelemetry } from '../support/sendTelemetry.ts'
import { expect, managed, openSource, test, unique } from '../support/test.ts'

test.use({ telemetry: true })

test('narrows rows by a facet, opens one by keyboard, and filters by an attribute of it', async ({ page }) => {
  const service = await openSearch(page)
  await expect(status(page)).toContainText('40 rows · 40 loaded')
  await page.getByRole('button', { name: 'Filter by SeverityText ERROR, 10 rows' }).click()
  await expect(status(page)).toContainText('10 rows · 10 loaded')
  await expect(page.getByRole('combobox', { name: 'Condition' })).toHaveValue(
    `ServiceName:"${service}" AND SeverityText:"ERROR"`,
  )

  await page.keyboard.press('Escape')
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.keyboard.press('o')
  await expect(details(page)).toContainText('order 4')
  await expect(details(page)).toContainText('service.name')
  expect(await violations(page)).toEqual([])
  // The row that is open is part of the URL.
  await page.reload()
  await expect(details(page)).toContainText('order 4')
  await page.keyboard.press('k')
  await expect(details(page)).toContainText('order 0')
  await details(page).getByRole('button', { name: 'Exclude SeverityText' }).click()
  await expect(page.getByRole('combobox', { name: 'Condition' })).toHaveValue(
    `ServiceName:"${service}" AND NOT SeverityText:"ERROR"`,
  )
  await expect(status(page)).toContainText('30 rows')
  await page.goBack()
  await expect(status(page)).toContainText('10 rows')

  await page.keyboard.press('/')
  await expect(page.getByRole('combobox', { name: 'Condition' })).toBeFocused()
})

test('groups the messages into patterns, lists the rows of one and excludes another', async ({ page }) => {
  const service = await openSearch(page)
  const message = {
    timeUnixNano: `${now() - 60_000}000000`,
    severityText: 'WARN',
    body: { stringValue: 'disk is full' },
  }
  const resource = { attributes: [{ key: 'service.name', value: { stringValue: service } }] }
  await sendTelemetry('logs', { resourceLogs: [{ resource, scopeLogs: [{ logRecords: [message] }] }] })
  await page.reload()
  const view = page.getByRole('group', { name: 'View' })
  await view.getByRole('button', { name: 'Rows' }).focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/view=patterns/)
  const patterns = page.getByRole('region', { name: 'Patterns' })
  const orders = patterns.getByRole('row', { name: 'order <*>' })
  await expect(orders).toContainText('40')
  await expect(orders).toContainText('97.5 %')
  await expect(orders.getByRole('img', { name: '30 INFO, 10 ERROR' })).toBeVisible()
  await expect(patterns.getByRole('row', { name: 'disk is full' })).toContainText('2.4 %')
  expect(await violations(page)).toEqual([])
  // It is remembered in the URL.
  await page.reload()
  await orders.getByRole('button', { name: 'Exclude order <*>' }).press('Enter')
  const condition = page.getByRole('combobox', { name: 'Condition' })
  await expect(condition).toHaveValue(`ServiceName:"${service}" AND NOT Body:(order*)`)
  await expect(patterns.getByRole('row')).toHaveCount(2)
  await page.goBack()
  await orders.getByRole('button', { name: 'Show rows of order <*>' }).press('Enter')
  await expect(condition).toHaveValue(`ServiceName:"${service}" AND Body:(order*)`)
  await expect(status(page)).toContainText('40 rows · 40 loaded')
  await expect(rowsOf(page)).not.toContainText('disk is full')
})

test('every pattern can be clicked, wherever it is in the list', async ({ page }) => {
  const service = await openSearch(page)
  const bodies = [
    'disk is full',
    'cache was cleared after restart',
    'payment declined',
    'certificate expires soon for the shop',
    'lease lost',
    'a user of the shop signed in',
    'shard moved to another node today',
  ]
  const logRecords = bodies.map((stringValue) => ({ timeUnixNano: `${now() - 60_000}000000`, body: { stringValue } }))
  const resource = { attributes: [{ key: 'service.name', value: { stringValue: service } }] }
  await sendTelemetry('logs', { resourceLogs: [{ resource, scopeLogs: [{ logRecords }] }] })
  await page.goto(`/c/${openSource}/search?view=patterns&q=${encodeURIComponent(`ServiceName:"${service}"`)}`)
  const links = page.getByRole('button', { name: /^Show rows of / })
  await expect(links).toHaveCount(bodies.length + 1)
  // Fails where something lies over it.
  for (const link of await links.all()) await link.click({ trial: true, timeout: 10_000 })
})

test('filters by a pattern in SQL too', async ({ page }) => {
  const service = await openSearch(page)
  const q = encodeURIComponent(`ServiceName = '${service}'`)
  await page.goto(`/c/${openSource}/search?view=patterns&lang=sql&q=${q}`)
  await page.getByRole('button', { name: 'Show rows of order <*>' }).click()
  await expect(page.getByRole('combobox', { name: 'Condition' })).toHaveValue(/ AND .*Body ILIKE 'order%'/)
  await expect(status(page)).toContainText('40 rows · 40 loaded')
})

test('a new search leaves out the own telemetry of the stack until its condition is removed', async ({ page }) => {
  const service = unique('orders').replace(' ', '-')
  await sendLogs(service, 3)
  await page.goto(`/c/${openSource}/search`)
  const condition = page.getByRole('combobox', { name: 'Condition' })
  await expect(condition).toHaveValue('NOT ServiceName:"stack" AND NOT ServiceName:"console-gateway"')
  await expect(rowsOf(page).getByRole('row', { name: 'order 0', exact: false }).first()).toBeVisible()
  await condition.fill('')
  await condition.press('Enter')
  await expect(page).toHaveURL(/[?&]source=/)
  await expect(condition).toHaveValue('')
  await page.reload()
  await expect(rowsOf(page).getByRole('row').first()).toBeVisible()
  await expect(condition).toHaveValue('')
  await page.goto(`/c/${openSource}/search`)
  await condition.fill(`ServiceName:"${service}"`)
  await condition.press('Enter')
  await expect(status(page)).toContainText('3 rows · 3 loaded')
})

test('shows the rows around one of them', async ({ page }) => {
  const service = await openSearch(page)
  await rowsOf(page)
    .getByRole('row', { name: /order 20\b/ })
    .click()
  await page.getByRole('button', { name: 'Show around' }).click()
  await page.getByRole('menuitem', { name: `Rows of ${service}` }).click()
  await expect(details(page)).toContainText('order 20')
  await expect(status(page)).toContainText(/\b[5-9] rows/)
})

test('chooses columns and exports the rows', async ({ page }) => {
  await openSearch(page, 12)
  await page.getByRole('button', { name: 'Columns' }).click()
  const columns = page.getByRole('combobox', { name: 'Columns after the time' })
  await columns.fill("ResourceAttributes['service.name']")
  await columns.press('Enter')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('columnheader', { name: "ResourceAttributes['service.name']" })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('columnheader', { name: "ResourceAttributes['service.name']" })).toBeVisible()
  await expect(status(page)).toContainText('12 loaded')

  const csv = (await exported(page, 'Rows as CSV')).content.toString()
  expect(csv.split('\r\n')[0]).toBe("Time,ServiceName,SeverityText,Body,ResourceAttributes['service.name']")
  expect(csv.trim().split('\r\n')).toHaveLength(13)
  const lines = (await exported(page, 'Rows as JSON lines')).content.toString().trim().split('\n')
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ Body: 'order 0', SeverityText: 'ERROR' })
})

test('loads older rows on the way down', async ({ page }) => {
  await openSearch(page, 1500)
  await expect(status(page)).toContainText('1,500 rows · 200 loaded')
  // The list may become longer just when it is scrolled to what was its end.
  const reach = (what: Locator) =>
    expect(async () => {
      await rowsOf(page).evaluate((list) => list.scrollTo({ top: list.scrollHeight }))
      await expect(what).toBeVisible({ timeout: 2000 })
    }).toPass({ timeout: 30_000 })
  await reach(status(page).filter({ hasText: /1,[25]00 loaded/ }))
  await reach(status(page).filter({ hasText: '1,500 loaded' }))
  await reach(rowsOf(page).getByRole('row', { name: /order 1499\b/ }))
})

test('adds new rows on top, sorts, resizes and moves columns, and narrows to a selection', async ({ page }) => {
  const service = await openSearch(page, 8, '&live=1&from=now-15m')
  await expect(page.getByRole('button', { name: 'Live', exact: true })).toBeVisible()
  await sendLogs(service, 1)
  await expect(status(page)).toContainText('9 loaded')
  await page.keyboard.press('p')
  await expect(page.getByRole('button', { name: 'Live tail' })).toHaveAttribute('aria-pressed', 'false')

  const head = (name: string) => page.getByRole('columnheader', { name })
  await head('Time').getByRole('button').click()
  await page.getByRole('menuitem', { name: 'Oldest first' }).click()
  await expect(head('Time')).toHaveAttribute('aria-sort', 'ascending')
  await expect(rowsOf(page).getByRole('row').nth(1)).toContainText('order 7')
  await head('SeverityText').getByRole('button').click()
  await page.getByRole('menuitem', { name: 'Move left' }).click()
  await expect(page.getByRole('columnheader').nth(1)).toContainText('SeverityText')
  await page.getByRole('separator', { name: 'Width of SeverityText' }).press('ArrowRight')
  await expect(page).toHaveURL((url) => url.searchParams.get('widths') === '110')

  await page.getByRole('application').press('ArrowLeft')
  await page.keyboard.press('Shift+ArrowLeft')
  const narrow = page.getByRole('button', { name: 'Narrow to selection' })
  await expect(narrow).toBeVisible()
  expect(await violations(page)).toEqual([])
  await narrow.click()
  await expect(narrow).toBeHidden()
  await expect(page).toHaveURL((url) => /^\d+$/.test(url.searchParams.get('to') ?? ''))
})

test('is not offered on the managed variant, with the reason', async ({ page }) => {
  await page.goto(`/c/${managed}/search`)
  await expect(page.getByRole('main')).toContainText('The managed API does not offer search.')
})
