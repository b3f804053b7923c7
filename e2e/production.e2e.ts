/** A production connection: its stage is in sight, it is read-only but for minutes, and deletes ask for its name. */
import type { Page } from '@playwright/test'
import { z } from 'zod'
import { connection, consoleHeader, gatewayPaths } from '../src/contract/console/connections.ts'
import { fillPath } from '../src/contract/wire/kernel.ts'
import { apiURL, baseURL, credentials } from './support/environment.ts'
import { chooseAction, expect, openSource, test as base, unique } from './support/test.ts'

/** As the page sends them. */
const fromPage = () => ({ [consoleHeader]: '1', origin: baseURL })

interface Production {
  id: string
  name: string
}

/** A production connection to the stack under test. */
const test = base.extend<{ production: Production }>({
  production: async ({ page }, run) => {
    const name = unique('Shop EU')
    const accessKey = credentials().personalAccessKey
    const data = { name, variant: 'openSource', baseUrl: apiURL, allowPrivate: true, stage: 'production', accessKey }
    const made = await page.request.post(gatewayPaths.connections, { headers: fromPage(), data })
    const { id } = connection.parse(await made.json())
    await run({ id, name })
    await page.request.delete(fillPath(gatewayPaths.connection, { connectionId: id }), {
      headers: fromPage(),
      data: { confirmedName: name },
    })
  },
})

const bar = (page: Page) => page.getByRole('region', { name: 'Writes allowed' })

async function allowWrites(page: Page, { name }: Production): Promise<void> {
  await page.getByRole('button', { name: 'Allow writes' }).click()
  const question = page.getByRole('dialog', { name: `Allow writes on connection ${name}?` })
  await expect(question).toContainText(/production/i)
  await question.getByRole('button', { name: 'Allow writes for 15 minutes' }).click()
  await expect(bar(page)).toContainText(/writes allowed for 1[45]:\d\d/)
}

test('shows unlocked writes on every page, and locks them again after some minutes', async ({ page, production }) => {
  await page.goto(`/c/${production.id}/dashboards`)
  await expect(page.getByRole('button', { name: /Connection:.*Production.*read-only/ })).toBeVisible()
  await expect(page.getByRole('button', { name: 'New dashboard' })).toBeDisabled()
  await allowWrites(page, production)
  await expect(page.getByRole('button', { name: 'New dashboard' })).toBeEnabled()
  for (const path of ['/connections', `/c/${openSource}/sources`, `/c/${production.id}/alerts`]) {
    await page.goto(path)
    await expect(bar(page)).toContainText(production.name)
  }
  await bar(page).getByRole('button', { name: 'Make read-only now' }).click()
  await expect(bar(page)).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Allow writes' })).toBeVisible()
})

test.describe('with a fake clock', () => {
  test.use({ ownContext: true })

  test('locks the page when the minutes are over', async ({ page, production }) => {
    await page.clock.install()
    await page.goto(`/c/${production.id}/dashboards`)
    await allowWrites(page, production)
    // The page's clock is ahead: it asks the server, which decides.
    await page.clock.fastForward('15:00')
    await expect(bar(page)).toContainText('0:00')
    const readOnlyAt = fillPath(gatewayPaths.connectionReadOnly, { connectionId: production.id })
    await page.request.put(readOnlyAt, { headers: fromPage(), data: { readOnly: true } })
    await page.clock.runFor(2000)
    await expect(bar(page)).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'New dashboard' })).toBeDisabled()
  })
})

test('asks for the connection name to delete records in bulk, by keyboard', async ({ page, api, production }) => {
  const [source] = await api.sources()
  const stem = unique('Doomed')
  const made = [
    await api.createDashboard(`${stem} a`, source?.id ?? ''),
    await api.createDashboard(`${stem} b`, source?.id ?? ''),
  ]
  await page.goto(`/c/${production.id}/dashboards`)
  await allowWrites(page, production)
  await page.getByRole('searchbox', { name: 'Search dashboards' }).fill(stem)
  await expect(page.getByRole('rowheader')).toHaveCount(2)
  await page.getByRole('checkbox', { name: 'Select all' }).check()
  await page.getByRole('button', { name: 'Delete', exact: true }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Delete 2 dashboards?' })
  await expect(dialog.getByRole('note', { name: `Connection: ${production.name}, Production` })).toBeVisible()
  const remove = dialog.getByRole('button', { name: 'Delete 2 dashboards' })
  await expect(remove).toBeDisabled()
  const field = dialog.getByRole('textbox', { name: `Type ${production.name} to confirm` })
  await expect(field).toBeVisible()
  await field.focus()
  await page.keyboard.type(production.name.slice(0, -1))
  await expect(remove).toBeDisabled()
  await page.keyboard.press('Control+a')
  await page.evaluate((name) => navigator.clipboard.writeText(name), production.name)
  await page.keyboard.press('Control+v')
  await expect(remove).toBeEnabled()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(remove).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('region', { name: 'Notifications' })).toContainText('2 dashboards deleted')
  const left = (await api.dashboards()).map(({ id }) => id)
  expect(made.filter(({ id }) => left.includes(id))).toEqual([])
})

test('asks for the connection name before a retention is shortened, and not before it is made longer', async ({
  page,
  production,
}) => {
  await page.goto(`/c/${production.id}/storage`)
  await allowWrites(page, production)
  await page.getByRole('button', { name: 'Change the retention of traces' }).click()
  const dialog = page.getByRole('dialog', { name: 'Retention of traces' })
  await dialog.getByRole('switch', { name: /RETENTION_DAYS/ }).click()
  const days = dialog.getByRole('textbox', { name: 'Keep for' })
  await days.fill('7')
  await expect(dialog.getByRole('button', { name: 'Shorten retention' })).toBeDisabled()
  await dialog.getByRole('textbox', { name: `Type ${production.name} to confirm` }).fill(production.name)
  await expect(dialog.getByRole('button', { name: 'Shorten retention' })).toBeEnabled()
  await days.fill('60')
  await dialog.getByRole('button', { name: 'Set retention' }).click()
  await expect(page.getByRole('row', { name: /^Traces/ })).toContainText('60 days')
})

test('asks for the connection name before the stage is changed from production', async ({ page, production }) => {
  await page.goto('/connections')
  const card = page.getByRole('article', { name: production.name })
  await expect(card).toContainText(/production/i)
  await card.getByRole('link', { name: 'Edit' }).click()
  await page.getByRole('combobox', { name: 'Stage' }).click()
  await page.getByRole('option', { name: /Staging/ }).click()
  await page.getByRole('button', { name: 'Save connection' }).click()
  const question = page.getByRole('dialog', { name: `Remove connection ${production.name} from production?` })
  const save = question.getByRole('button', { name: 'Save connection' })
  await expect(save).toBeDisabled()
  await question.getByRole('textbox', { name: `Type ${production.name} to confirm` }).fill(production.name)
  await save.click()
  await expect(card).toContainText(/staging/i)
  const listed = z
    .array(connection)
    .parse(await (await page.request.get(gatewayPaths.connections, { headers: fromPage() })).json())
  expect(listed.find(({ id }) => id === production.id)).toMatchObject({ stage: 'staging' })
})

test('asks before a test of an alert sends its message', async ({ page, api, production }) => {
  const alert = await api.createAlert(unique('Tested'))
  await page.goto(`/c/${production.id}/alerts/${alert.id}`)
  await allowWrites(page, production)
  const sent: string[] = []
  page.on('request', (request) => sent.push(new URL(request.url()).pathname))
  await chooseAction(page, 'Test alert')
  const question = page.getByRole('dialog', { name: `Test alert ${alert.name ?? ''} on ${production.name}?` })
  await expect(question).toContainText('The message goes out to all channels of the alert, marked as a test.')
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(question).toBeHidden()
  expect(sent.filter((path) => path.endsWith('/alerts/test'))).toEqual([])
  await chooseAction(page, 'Test alert')
  await question.getByRole('button', { name: 'Send test message' }).click()
  await expect(page.getByRole('dialog', { name: 'Test of the alert' })).toBeVisible()
  await api.deleteAlert(alert.id)
})
