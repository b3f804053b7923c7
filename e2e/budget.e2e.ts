/** A key at its rate limit: waiting requests are reported, and bulk jobs continue without their page. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Page } from '@playwright/test'
import { credentials, limitedStack } from './support/environment.ts'
import { answers, startProduct } from './support/product.ts'
import { expect, managed, test, unique } from './support/test.ts'

// The limits of deployments: 10 requests in 10 seconds on the managed variant.
const limits = { RATE_LIMIT_OPEN_SOURCE: '1000', RATE_LIMIT_MANAGED: '10' }
let product: ChildProcess

// One stack for both tests.
test.describe.configure({ mode: 'default' })
test.use({ ownContext: true, baseURL: limitedStack.baseURL, storageState: { cookies: [], origins: [] } })

test.beforeAll(async () => {
  product = startProduct(limitedStack, limits)
  await expect.poll(() => answers(limitedStack), { timeout: 100_000 }).toBe(true)
  await expect.poll(() => fetch(`${limitedStack.apiURL}/api/v2/sources`).then(({ status }) => status)).toBe(401)
})
test.afterAll(async () => {
  product.kill('SIGTERM')
  await once(product, 'exit')
})

/** Deleting so many takes more than 30 seconds, so that a job is still running when a test looks at it. */
const count = 12

/** Past the console, where the limit is another one. */
async function openSourceApi(method: string, path: string, body?: unknown): Promise<{ id: string; name: string }[]> {
  const answer = await fetch(`${limitedStack.apiURL}/api/v2${path}`, {
    method,
    headers: {
      authorization: `Bearer ${credentials(limitedStack).personalAccessKey}`,
      'content-type': 'application/json',
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  expect(answer.ok).toBe(true)
  return [(await answer.json()).data].flat()
}

async function makeMany(): Promise<string> {
  const stem = unique('Many')
  for (let at = 0; at < count; at++)
    await openSourceApi('POST', '/dashboards', { name: `${stem} no. ${at}`, tiles: [] })
  return stem
}

const left = async (stem: string) =>
  (await openSourceApi('GET', '/dashboards')).filter(({ name }) => name.startsWith(stem)).length

/** The dialog that confirms the deletion of all dashboards with a name. */
async function deleteAll(page: Page, stem: string) {
  await page.goto(credentials(limitedStack).signInUrl)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.goto(`/c/${managed}/dashboards?q=${encodeURIComponent(stem)}`)
  await expect(page.getByRole('rowheader')).toHaveCount(count, { timeout: 60_000 })
  await page.getByRole('checkbox', { name: 'Select all' }).click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: `Delete ${count} dashboards?` })
  const start = dialog.getByRole('button', { name: `Delete ${count} dashboards` })
  // The alerts on them are read first, which may wait for the rate limit, too.
  await expect(start).toBeEnabled({ timeout: 60_000 })
  const keepsFocus = await start.evaluate(async (button: HTMLElement) => {
    button.focus()
    button.click()
    await new Promise((drawn) => setTimeout(drawn))
    return document.activeElement?.closest('[role="dialog"]') !== null
  })
  // The button goes away, and a key pressed right after it must still reach the dialog.
  expect(keepsFocus, 'focus in the dialog after the start').toBe(true)
  return dialog
}

test('shows that a bulk delete waits for the rate limit, and finishes it on another page', async ({ page }) => {
  const stem = await makeMany()
  const dialog = await deleteAll(page, stem)
  await expect(
    dialog.getByText(/Waiting for the rate limit of this key \(\d+ of 10 requests left\)\. Continues/),
  ).toBeVisible()
  await dialog.getByRole('button', { name: 'Continue in the background' }).click()
  await expect(dialog).toHaveCount(0)

  await page.getByRole('link', { name: 'Alerts', exact: true }).click()
  const centre = page.getByRole('button', {
    name: new RegExp(`Background jobs: Delete ${count} dashboards, \\d+ of ${count} done`),
  })
  await expect(centre).toBeVisible()
  const waiting = page.getByRole('timer').filter({ hasText: /\d+ waiting, next (in \d+ s|now)/ })
  await expect(waiting).toBeVisible()
  const main = page.getByRole('main')
  const place = await main.boundingBox()
  await expect(
    page.getByText(/Rate limit of this key (reached: 0|nearly reached: the last \d+) of 10 requests/),
  ).toBeAttached()
  await expect(page.getByRole('meter', { name: 'Rate limit' })).toContainText(/0 of 10, next in \d+ s/)

  await expect(page.getByRole('region', { name: 'Notifications' })).toContainText(`${count} dashboards deleted`, {
    timeout: 90_000,
  })
  await expect(centre).toHaveCount(0)
  await expect(waiting).toHaveCount(0)
  expect(await main.boundingBox(), 'the notice of waiting requests moves nothing').toEqual(place)
  await expect(page.getByRole('heading', { level: 1, name: 'Alerts' })).toBeVisible()
  expect(await left(stem)).toBe(0)
})

test('stops a bulk delete from another page, lists what was not deleted, and resumes it there', async ({ page }) => {
  const stem = await makeMany()
  const dialog = await deleteAll(page, stem)
  await expect(dialog.getByRole('status')).toContainText(new RegExp(`[1-9]\\d* of ${count} done`), { timeout: 60_000 })
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Sources', exact: true }).click()
  // A new page takes the focus.
  await expect(page.getByRole('heading', { level: 1, name: 'Sources' })).toBeVisible()
  await page.getByRole('button', { name: /Background jobs/ }).press('Enter')
  const list = page.getByRole('dialog', { name: 'Background jobs' })
  await list.getByRole('button', { name: 'Stop' }).click()
  await expect(list.getByRole('status')).toContainText(new RegExp(`\\d of ${count} done, \\d+ not`), {
    timeout: 60_000,
  })
  await expect(list.getByRole('list', { name: 'Outcomes' })).toContainText('skipped')
  expect(await left(stem)).toBeGreaterThan(0)

  await list.getByRole('button', { name: /Retry \d+/ }).click()
  await expect(page.getByRole('region', { name: 'Notifications' })).toContainText(/dashboard.* deleted/, {
    timeout: 90_000,
  })
  await expect.poll(() => left(stem), { timeout: 60_000 }).toBe(0)
})
