/** The history of a connection: who changed what, and the way back. */
import type { Page } from '@playwright/test'
import { expectNoViolations } from '../support/axe.ts'
import { expectFits, narrow } from '../support/narrow.ts'
import { expect, openSource, test, unique } from '../support/test.ts'

const history = `/c/${openSource}/history`

const change = (page: Page, name: string) =>
  page.getByRole('group', { name: 'Changes' }).getByRole('button', { name }).first()
const dialog = (page: Page) => page.getByRole('dialog')

/** Reads all records of the connection, so that what the API was sent is noticed. */
async function readNow(page: Page): Promise<void> {
  const read = page.waitForResponse((response) => response.url().endsWith('/history/snapshot'))
  await page.getByRole('button', { name: 'Refresh' }).click()
  expect((await read).status()).toBe(200)
}

test('a change by somebody else is found, compared and taken back', async ({ page, api }) => {
  const name = unique('Board')
  const [logs] = await api.sources()
  const { id, ...board } = await api.createDashboard(name, logs?.id ?? '')
  await page.goto(history)
  await readNow(page)
  await api.updateDashboard(id, { ...board, name: `${name} changed`, tags: ['theirs'] })
  await readNow(page)
  await change(page, `${name} changed`).click()
  await expect(change(page, `${name} changed`)).toContainText('outside this console')
  await expect(page.getByRole('row', { name: /^tags/ })).toContainText('theirs')
  await page.getByRole('button', { name: 'Side by side' }).click()
  await expect(page.getByRole('group', { name: 'Versions side by side' })).toContainText(`"name": "${name}"`)

  await page.getByRole('button', { name: 'Restore this version' }).click()
  await expect(dialog(page).getByRole('table', { name: 'Plan' })).toContainText('update')
  await dialog(page).getByRole('button', { name: 'Restore' }).click()
  await expect(page.getByText('1 of 1 record')).toBeVisible()
  await expect(page.getByRole('list', { name: 'Steps' })).toContainText('updated')
  expect((await api.dashboards()).find((dashboard) => dashboard.id === id)).toMatchObject({ name, tags: [] })
  await expect(change(page, name)).toContainText('restore')

  // And that is taken back as well.
  await page.getByRole('button', { name: 'Undo…' }).click()
  await dialog(page).getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(page.getByRole('heading', { name: /^Undo \d+/ })).toBeVisible()
  await expect(page.getByText('1 of 1 record')).toBeVisible()
  expect((await api.dashboards()).find((dashboard) => dashboard.id === id)).toMatchObject({ tags: ['theirs'] })
})

test('a link leads to its change, wherever it is in the list', async ({ page, api }) => {
  const name = unique('Linked')
  const [logs] = await api.sources()
  const { id } = await api.createDashboard(name, logs?.id ?? '')
  await page.goto(history)
  await readNow(page)
  await api.deleteDashboard(id)
  await readNow(page)
  await change(page, name).click()
  await expect(page).toHaveURL(/change=\d+/)
  const link = page.url()

  // As on a page of the list that is not loaded: these filters leave it out.
  await page.goto(`${link}&kind=dashboards&record=${'0'.repeat(24)}`)
  await expect(page.getByRole('heading', { name })).toBeVisible()
  await page.goto(link.replace(/change=\d+/, 'change=9999999'))
  await expect(page.getByText('No such change')).toBeVisible()
  await expectNoViolations(page, 'a link to a change that is gone')
})

test('a deleted dashboard is brought back', async ({ page, api }) => {
  const name = unique('Gone')
  const [logs] = await api.sources()
  const { id } = await api.createDashboard(name, logs?.id ?? '')
  await page.goto(history)
  await readNow(page)
  await api.deleteDashboard(id)
  await readNow(page)
  await page.getByRole('button', { name: /^Deleted/ }).click()
  await page.getByRole('button', { name: `Bring back ${name}` }).click()
  await expect(dialog(page).getByRole('table', { name: 'Plan' })).toContainText('create')
  await dialog(page).getByRole('button', { name: 'Restore' }).click()
  await expect(page.getByRole('list', { name: 'Steps' })).toContainText('created')
  await expect(page.getByRole('button', { name: `Bring back ${name}` })).toBeHidden()
  expect((await api.dashboards()).filter((dashboard) => dashboard.name === name)).toHaveLength(1)
})

test('the page of a deleted dashboard offers to bring it back, and then leads to it', async ({ page, api }) => {
  const name = unique('Left')
  const [logs] = await api.sources()
  const { id } = await api.createDashboard(name, logs?.id ?? '')
  await page.goto(history)
  await readNow(page)
  await api.deleteDashboard(id)
  await readNow(page)
  const old = `/c/${openSource}/dashboards/${id}`
  await page.goto(old)
  await expect(page.getByText('This dashboard was deleted')).toBeVisible()
  await expectNoViolations(page, 'the page of a deleted dashboard')
  await page.getByRole('link', { name: 'Bring back…' }).click()
  await expect(dialog(page).getByRole('table', { name: 'Plan' })).toContainText('create')
  await dialog(page).getByRole('button', { name: 'Restore' }).click()
  await expect(page.getByRole('list', { name: 'Steps' })).toContainText('created')

  const now = (await api.dashboards()).find((dashboard) => dashboard.name === name)
  expect(now?.id).not.toBe(id)
  await page.goto(old)
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`/dashboards/${now?.id}`))
  // The history knows nothing of a dashboard that never existed.
  await page.goto(`/c/${openSource}/dashboards/${'0'.repeat(24)}`)
  await expect(page.getByRole('link', { name: 'All dashboards' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Bring back…' })).toHaveCount(0)
})

test('a time is chosen with the keyboard, and its plan is shown', async ({ page, api }) => {
  const [logs] = await api.sources()
  await page.goto(history)
  await readNow(page)
  await api.createDashboard(unique('Later'), logs?.id ?? '')
  await page.getByRole('slider', { name: 'Time to restore to' }).focus()
  await page.keyboard.press('Home')
  const bar = page.getByRole('region', { name: 'Restore' })
  await expect(bar).toContainText('delete')
  await bar.getByRole('button', { name: 'Review plan' }).click()
  await expect(dialog(page)).toContainText('delete')
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()
  await bar.getByRole('button', { name: 'Cancel' }).click()
  await expect(bar).toBeHidden()
})

test('the page is accessible and fits on a narrow screen', async ({ page, api }) => {
  const [logs] = await api.sources()
  await page.goto(history)
  await readNow(page)
  const name = unique('Narrow')
  await api.createDashboard(name, logs?.id ?? '')
  await readNow(page)
  await change(page, name).click()
  await expectNoViolations(page, 'a created dashboard')
  await page.getByRole('button', { name: 'Side by side' }).click()
  await expectNoViolations(page, 'side by side')
  await page.setViewportSize(narrow)
  await expectFits(page, 'the history')
})
