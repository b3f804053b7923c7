/** Conditions of a search: mistakes, fields that do not exist, and filters that are added to them. */
import type { Page } from '@playwright/test'
import { violations } from '../support/axe.ts'
import { now } from '../support/now.ts'
import { details, openSearch, rowsOf, status } from './searchPage.ts'
import { sendTelemetry } from '../support/sendTelemetry.ts'
import { expect, openSource, setFaults, test, unique } from '../support/test.ts'

test.use({ telemetry: true })

test('says what is wrong with a condition, and when nothing matches', async ({ page }) => {
  await openSearch(page, 3)
  const condition = page.getByRole('combobox', { name: 'Condition' })
  await condition.fill('Duration:>5 AND (order')
  await condition.press('Enter')
  await expect(page.getByText('a parenthesis is not closed')).toBeVisible()
  await condition.fill('nothing-has-this-word')
  await condition.press('Control+Enter')
  await expect(page.getByText('No rows in this range')).toBeVisible()
  setFaults({ match: 'POST /api/v2/search', status: 500, body: { message: 'Query execution failed' } })
  await condition.fill('order')
  await condition.press('Enter')
  await expect(page.getByRole('main').getByRole('alert')).toBeVisible()
})

/** The page on one log with this text and these attributes, whose service no other test knows. */
async function openLog(page: Page, body: string, attributes: Record<string, string> = {}): Promise<string> {
  const service = unique('shop').replace(' ', '-')
  const record = {
    timeUnixNano: String(BigInt(now() - 5000) * 1_000_000n),
    severityText: 'ERROR',
    body: { stringValue: body },
    attributes: Object.entries(attributes).map(([key, value]) => ({ key, value: { stringValue: value } })),
  }
  const resource = { attributes: [{ key: 'service.name', value: { stringValue: service } }] }
  await sendTelemetry('logs', { resourceLogs: [{ resource, scopeLogs: [{ logRecords: [record] }] }] })
  await page.goto(`/c/${openSource}/search?q=${encodeURIComponent(`ServiceName:"${service}"`)}`)
  await expect(rowsOf(page).getByRole('row', { name: body })).toBeVisible()
  return service
}

test('searches the text where a condition names a field that does not exist, and says so', async ({ page }) => {
  const service = await openLog(page, 'Error: timeout after 30 s', { Error: 'ETIMEDOUT' })
  const condition = page.getByRole('combobox', { name: 'Condition' })
  const written = String.raw`Error\: timeout ServiceName:"${service}"`
  const said = page.getByText('“Error” is not a field of Logs, so it is searched as text.')
  const requests: string[] = []
  page.on('request', (request) => request.url().includes('/stack/') && requests.push(request.postData() ?? ''))
  await condition.fill(`Error: timeout ServiceName:"${service}"`)
  await condition.press('Enter')
  await expect(said).toBeVisible()
  await expect(condition).toHaveValue(written)
  await expect(status(page)).toContainText('1 rows · 1 loaded')
  await expect(rowsOf(page).locator('mark')).toHaveText([service, 'Error:', 'timeout'])

  // Facets, links and reads of what is new have the same condition, which is refused nowhere.
  await page.getByRole('button', { name: 'Filter by SeverityText ERROR, 1 rows' }).click()
  await expect(condition).toHaveValue(
    String.raw`Error\: AND timeout AND ServiceName:"${service}" AND SeverityText:"ERROR"`,
  )
  await expect(status(page)).toContainText('1 rows · 1 loaded')
  await expect(said).toBeVisible()
  expect(await violations(page)).toEqual([])
  const link = page.url()
  const refused = () => requests.filter((body) => body.includes('Error: timeout'))
  const before = refused().length
  await condition.fill(`Error: timeout ServiceName:"${service}" SeverityText:error`)
  await condition.press('Enter')
  await expect(condition).toHaveValue(`${written} SeverityText:error`)
  await expect(status(page)).toContainText('1 rows · 1 loaded')
  expect(refused()).toHaveLength(before)

  const answers: number[] = []
  page.on('response', (response) => response.url().includes('/stack/') && answers.push(response.status()))
  await page.goto(link)
  await expect(status(page)).toContainText('1 rows · 1 loaded')
  expect(answers.filter((answer) => answer >= 400)).toEqual([])
})

test('offers the field that a misspelled one may mean, and the attribute', async ({ page }) => {
  const service = await openLog(page, 'Code: 7', { Code: '7' })
  const condition = page.getByRole('combobox', { name: 'Condition' })
  await condition.fill(`Servicename:"${service}" Bdy:code`)
  await condition.press('Enter')
  await expect(page.getByText('No rows in this range')).toBeVisible()
  await expect(
    page.getByText('“Servicename” and “Bdy” are not fields of Logs, so they are searched as text.'),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Search ServiceName', exact: true }).click()
  await page.getByRole('button', { name: 'Search Body', exact: true }).click()
  await expect(condition).toHaveValue(`ServiceName:"${service}" Body:code`)
  await expect(status(page)).toContainText('1 rows · 1 loaded')
  await expect(page.getByText('is not a field')).toBeHidden()

  await condition.fill(`Code:7 ServiceName:"${service}"`)
  await condition.press('Enter')
  await page.getByRole('button', { name: 'Search LogAttributes.Code' }).click()
  await expect(condition).toHaveValue(`LogAttributes.Code:7 ServiceName:"${service}"`)
  await expect(status(page)).toContainText('1 rows · 1 loaded')
})

test('adds, turns and removes a filter in a condition with || and in one with an apostrophe', async ({ page }) => {
  const service = await openLog(page, "can't connect to db")
  const condition = page.getByRole('combobox', { name: 'Condition' })
  for (const [typed, enclosed] of [
    ["can't connect", "can't AND connect"],
    ['connect || absent', '(connect || absent)'],
  ]) {
    await condition.fill(`${typed}`)
    await condition.press('Enter')
    await expect(condition).toHaveValue(`${typed}`)
    await page.getByRole('button', { name: `Filter by ServiceName ${service}, 1 rows` }).click()
    await expect(condition).toHaveValue(`${enclosed} AND ServiceName:"${service}"`)
    await expect(status(page)).toContainText('1 rows · 1 loaded')
    await page.getByRole('button', { name: `Included: exclude ServiceName ${service} instead, 1 rows` }).click()
    await expect(condition).toHaveValue(`${enclosed} AND NOT ServiceName:"${service}"`)
    await expect(rowsOf(page).getByRole('row', { name: service })).toBeHidden()
    await page.goBack()
    await expect(condition).toHaveValue(`${enclosed} AND ServiceName:"${service}"`)
  }
})

test('filters by attributes whose keys have signs and spaces', async ({ page }) => {
  const keys = ['app.kubernetes.io/name', 'user@host', '$price', 'a:b', 'list[0]', 'the name', "it's", 'quo"te']
  const service = await openLog(page, 'paid', Object.fromEntries(keys.map((key, at) => [key, `value ${at}`])))
  const condition = page.getByRole('combobox', { name: 'Condition' })
  await rowsOf(page).getByRole('row', { name: 'paid' }).click()
  for (const key of keys) {
    await details(page)
      .getByRole('button', { name: `Filter by ${key}`, exact: true })
      .click()
    await expect(condition).toHaveValue(/^ServiceName:.* AND /)
    await expect(status(page)).toContainText('1 rows · 1 loaded')
    await page.getByRole('button', { name: 'Columns' }).focus()
    await rowsOf(page).getByRole('row', { name: 'paid' }).click()
    await details(page)
      .getByRole('button', { name: `Exclude ${key}`, exact: true })
      .click()
    await expect(page.getByText('No rows in this range')).toBeVisible()
    await condition.fill(`ServiceName:"${service}"`)
    await condition.press('Enter')
    await rowsOf(page).getByRole('row', { name: 'paid' }).click()
  }
})
