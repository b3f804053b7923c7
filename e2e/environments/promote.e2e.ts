/** Records are copied to another stack, and what both sides changed is decided by people. */
import type { Page } from '@playwright/test'
import { expectNoViolations } from '../support/axe.ts'
import { expectFits, narrow } from '../support/narrow.ts'
import { withOtherStack } from '../support/otherStack.ts'
import { expect, openSource, test, unique } from '../support/test.ts'

const other = withOtherStack()

const plan = (page: Page) => page.getByRole('table', { name: `Plan for ${other.connection}` })
const promote = (page: Page) => page.getByRole('button', { name: 'Promote', exact: true })
const dialog = (page: Page) => page.getByRole('dialog')

interface Alert {
  id: string
  name: string
  threshold: number
  dashboardId: string
}

async function alertOf(name: string): Promise<Alert> {
  const { json } = await other.stack().openSource('GET', '/alerts')
  const found = (json.data as Alert[]).find((alert) => alert.name === name) // the stack's own response
  if (!found) throw new Error(`The other stack has no alert ${name}.`)
  return found
}

test('an alert takes its dashboard along; a conflict is decided; the run is undone', async ({ page, api }) => {
  const name = unique('Promoted')
  const alert = await api.createAlert(name)
  await other.connect(page)

  await page.goto(`/c/${openSource}/alerts/${alert.id}`)
  await chooseMore(page, 'Promote…')
  await expect(page.getByRole('list', { name: 'Chosen records' })).toContainText(name)
  await page.getByRole('checkbox', { name: other.connection }).check()
  await expect(plan(page)).toContainText('create')
  await decideMapping(page)
  await promote(page).click()
  await expect(page.getByText(/^\d of \d records?$/).first()).toBeVisible()
  await expect(page.getByRole('list', { name: 'Steps' })).toContainText('created')
  await expect(page.getByRole('region', { name: /^Promotion \d+/ })).toContainText('done')
  const copy = await alertOf(name)
  expect(copy.threshold).toBe(alert.threshold)
  expect(copy.dashboardId).not.toBe(alert.dashboardId)
  await expect(page.getByText('Nothing to do: everything is the same there.')).toBeVisible()

  // Both sides change the threshold, and the other one its interval as well.
  await api.updateAlert(alert.id, { ...alert, threshold: 70 })
  await other.stack().openSource('PUT', `/alerts/${copy.id}`, { ...copy, threshold: 80, interval: '1h' })
  await page.reload()
  const conflict = page.getByRole('group', { name: `${name}: threshold` })
  await expect(conflict).toContainText('at the last promotion')
  await expect(promote(page)).toBeDisabled()
  await expectNoViolations(page, 'a conflict')
  await conflict.getByRole('radio', { name: /^70/ }).check()
  await expect(plan(page)).toContainText('1 edit there stays')
  await promote(page).click()
  await expect(page.getByRole('list', { name: 'Steps' }).first()).toContainText('updated')
  expect(await alertOf(name)).toMatchObject({ threshold: 70, interval: '1h' })

  // Somebody changes the same field before the run is undone: that is asked too.
  await other.stack().openSource('PUT', `/alerts/${copy.id}`, { ...(await alertOf(name)), threshold: 90 })
  await page.getByRole('button', { name: 'Undo…' }).first().click()
  await expect(dialog(page).getByRole('button', { name: 'Undo', exact: true })).toBeDisabled()
  await dialog(page).getByRole('radio', { name: /^80/ }).check()
  await dialog(page).getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(page.getByRole('region', { name: /^Undo \d+/ })).toContainText('done')
  expect(await alertOf(name)).toMatchObject({ threshold: 80, interval: '1h' })
  await other.disconnect(page)
})

test('a dashboard is promoted with the alerts on it', async ({ page, api }) => {
  const name = unique('With alerts')
  const [logs] = await api.sources()
  const board = await api.createDashboard(name, logs?.id ?? '')
  const on = { dashboardId: board.id, tileId: board.tiles[0]?.id }
  const alert = await api.createAlert(name, undefined, on)
  await other.connect(page)
  await page.goto(`/promote?from=${openSource}&records=dashboards/${alert.dashboardId}`)
  const chosen = page.getByRole('list', { name: 'Chosen records' }).getByRole('listitem')
  await expect(chosen).toHaveCount(1)
  await page.getByRole('button', { name: 'Add 1 related alert' }).click()
  await expect(chosen).toHaveCount(2)
  await page.getByRole('checkbox', { name: other.connection }).check()
  await expect(plan(page)).toContainText('create')
  await decideMapping(page)
  await promote(page).click()
  const run = page.getByRole('region', { name: /^Promotion \d+/ })
  await expect(run).toContainText(`→ ${other.connection}`)
  await expect(run).toContainText('done')
  expect((await alertOf(name)).threshold).toBe(alert.threshold)
  await other.disconnect(page)
})

test('the only other deployment is the target, and a connection to the same one is none', async ({ page, api }) => {
  const name = unique('Elsewhere')
  const alert = await api.createAlert(name)
  await other.connect(page)
  await page.goto(`/c/${openSource}/alerts/${alert.id}`)
  await chooseMore(page, 'Promote…')
  const targets = page.getByRole('group', { name: 'To', exact: true })
  await expect(targets.getByRole('checkbox', { name: other.connection })).toBeChecked()
  await expect(plan(page)).toContainText(name)
  await expect(targets.getByRole('checkbox')).toHaveCount(1)
  await expect(targets).toContainText('The same deployment as Local (open source), with these records: Local (managed)')
  await page.goto('/environments')
  await expect(page.getByRole('columnheader', { name: 'Local (managed)' })).toContainText('Same deployment')
  await other.disconnect(page)
})

test('several alerts are promoted from their list, with the keyboard alone', async ({ page, api }) => {
  const name = unique('Several')
  await api.createAlert(`${name} 1`)
  await api.createAlert(`${name} 2`)
  await other.connect(page)
  await page.goto(`/c/${openSource}/alerts?q=${encodeURIComponent(name)}`)
  await page.getByRole('checkbox', { name: `Select ${name} 1` }).press('Space')
  await page.getByRole('checkbox', { name: `Select ${name} 2` }).press('Space')
  await page.getByRole('button', { name: 'Promote…' }).press('Enter')
  await expect(page.getByRole('list', { name: 'Chosen records' }).getByRole('listitem')).toHaveCount(2)
  const target = page.getByRole('checkbox', { name: other.connection })
  await expect(target).toBeChecked()
  await target.press('Space')
  await expect(page.getByText('Choose records and at least one target')).toBeVisible()
  await target.press('Space')
  await expect(plan(page)).toContainText(`${name} 2`)
  await page.setViewportSize(narrow)
  await expectFits(page, 'the promotion')
  await expectNoViolations(page, 'on a narrow screen')
  await other.disconnect(page)
})

test('a copied webhook is asked for its headers', async ({ page, api }) => {
  const name = unique('Copied hook')
  const { id } = await api.createWebhook(name, { headers: { authorization: 'Bearer one' } })
  await other.connect(page)
  await page.goto(`/c/${openSource}/webhooks/${id}`)
  await chooseMore(page, 'Promote…')
  await page.getByRole('checkbox', { name: other.connection }).check()
  const headers = page.getByRole('textbox', { name: 'Headers' })
  await headers.fill('nonsense')
  await headers.press('Tab')
  await expect(headers).toHaveAccessibleDescription(/must be/)
  await headers.fill('authorization: Bearer two')
  await headers.press('Tab')
  await expectNoViolations(page, 'the fields of a webhook')
  await promote(page).click()
  await expect(page.getByRole('list', { name: 'Steps' })).toContainText('created')
  const { json } = await other.stack().openSource('GET', '/webhooks')
  expect(json.data).toContainEqual(expect.objectContaining({ name }))
  await other.disconnect(page)
})

test('a record leads to its history', async ({ page, api }) => {
  const { id, name, ...webhook } = await api.createWebhook(unique('Told'))
  await page.goto(`/c/${openSource}/webhooks/${id}`)
  await chooseMore(page, 'History')
  await expect(page).toHaveURL(new RegExp(`/history\\?kind=webhooks&record=${id}`))
  await api.updateWebhook(id, { ...webhook, name, description: 'Changed elsewhere' })
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(page.getByRole('group', { name: 'Changes' })).toContainText('outside this console')
  await page.getByRole('button', { name: `Only ${name}` }).click()
  await expect(page).toHaveURL(/\/history$/)
})

/** Chooses from the menu of a record's page. */
async function chooseMore(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name }).click()
}

/** Chooses a copy for each source and webhook that the other stack does not have. */
async function decideMapping(page: Page): Promise<void> {
  for (const choice of await page.getByRole('combobox', { name: ` on ${other.connection}` }).all()) {
    if ((await choice.textContent()) !== 'Choose…') continue
    await choice.click()
    await page.getByRole('option', { name: 'Create a copy' }).click()
  }
}
