/** Alerts: create, edit, delete and restore, and what the form does when something is wrong. */
import { fillAlert, listOf, pick, rowOf, searchAlerts } from './alerting/alertPages.ts'
import { chooseAction, connections, expect, hasWebhooks, openSource, setFaults, test, unique } from './support/test.ts'

for (const connectionId of connections) {
  test(`creates, edits, deletes and restores an alert on ${connectionId}`, async ({ page, api }) => {
    const name = unique('Errors')
    const [webhook] = await api.webhooks()

    await page.goto(listOf(connectionId))
    await page.getByRole('link', { name: 'New alert' }).click()
    await fillAlert(page, name, hasWebhooks(connectionId) ? null : (webhook?.id ?? ''))
    await page.getByRole('button', { name: 'Create alert' }).click()
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
    await expect(page.getByRole('main')).toContainText(/at least 25/)

    await chooseAction(page, 'Edit')
    await page.getByRole('textbox', { name: 'Threshold', exact: true }).fill('40')
    await page.getByText('1 change: threshold').click()
    await expect(page.getByText(/25.*40/).first()).toBeVisible()
    await page.getByRole('button', { name: /Save/ }).click()
    // The form shows it before it is saved.
    await expect(page).not.toHaveURL(/\/edit$/)
    await expect(page.getByRole('main')).toContainText(/at least 40/)
    const stored = await api.alerts()
    expect(stored.find((alert) => alert.name === name)).toMatchObject({
      threshold: 40,
      interval: '5m',
    })

    await page.goto(listOf(connectionId))
    await searchAlerts(page, name)
    await page.getByRole('button', { name: `Actions of ${name}` }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await expect(rowOf(page, name)).toHaveCount(0)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(rowOf(page, name)).toBeVisible()
  })
}

test('shows a rejected value at its field and keeps the input', async ({ page }) => {
  setFaults({
    match: 'POST /api/v2/alerts',
    status: 400,
    body: { message: 'Body validation failed: threshold: Number must be less than or equal to 20' },
    times: 1,
  })
  const name = unique('Refused')
  await page.goto(`${listOf(openSource)}/new`)
  await fillAlert(page, name, null)
  await page.getByRole('button', { name: 'Create alert' }).click()
  const threshold = page.getByRole('textbox', { name: 'Threshold', exact: true })
  await expect(threshold).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByText('Number must be less than or equal to 20').first()).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue(name)

  await page.getByRole('button', { name: 'Create alert' }).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
})

test('reports violated rules between fields before sending', async ({ page, api }) => {
  const before = await api.alerts()
  await page.goto(`${listOf(openSource)}/new`)
  await fillAlert(page, unique('Range'), null)
  await pick(page, 'Operator', 'between')
  await page.getByRole('textbox', { name: /Upper/ }).fill('10')
  await page.getByRole('button', { name: 'Create alert' }).click()
  await expect(page.getByRole('textbox', { name: /Upper/ })).toHaveAttribute('aria-invalid', 'true')
  expect(await api.alerts()).toHaveLength(before.length)
})

test('sets a repeat interval, and offers none where the deployment has none', async ({ page, api }) => {
  const alert = await api.createAlert(unique('Repeats'))
  await page.goto(`${listOf(openSource)}/${alert.id}/edit`)
  await page.getByRole('textbox', { name: 'Repeat interval' }).fill('30')
  await page.getByRole('button', { name: /Save/ }).click()
  await expect(page.getByText('30 min', { exact: true })).toBeVisible()
  expect((await api.alert(alert.id)).renotifyIntervalMinutes).toBe(30)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText(/^Save of alert .* undone/)).toBeVisible()
  expect((await api.alert(alert.id)).renotifyIntervalMinutes).toBe(alert.renotifyIntervalMinutes)

  const { renotifyIntervalMinutes: _, ...older } = alert
  setFaults({ match: 'GET /api/v2/alerts', status: 200, body: { data: [older] } })
  await page.goto(listOf(openSource))
  await expect(page.getByRole('rowheader')).toHaveCount(1)
  await page.getByRole('link', { name: 'New alert' }).click()
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Repeat interval' })).toHaveCount(0)
})

test('asks for confirmation before leaving a changed form', async ({ page }) => {
  await page.goto(`${listOf(openSource)}/new`)
  await page.getByRole('textbox', { name: 'Name' }).fill('Half done')
  await page.getByRole('link', { name: 'Dashboards' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Half done')

  await page.getByRole('link', { name: 'Dashboards' }).click()
  await dialog.getByRole('button', { name: 'Leave without saving' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboards' })).toBeVisible()
})

test('sends nothing for an unchanged form, and does not overwrite changes by others', async ({ page, api }) => {
  const name = unique('Shared')
  const created = await api.createAlert(name)
  await page.goto(`${listOf(openSource)}/${created.id}/edit`)
  await expect(page.getByText('No changes')).toBeVisible()

  await page.getByRole('textbox', { name: 'Threshold', exact: true }).fill('77')
  await api.updateAlert(created.id, { ...created, threshold: 55 })
  await page.getByRole('button', { name: /Save/ }).click()
  await expect(
    page
      .getByText(/changed/i)
      .filter({ hasText: /somebody|meanwhile/i })
      .first(),
  ).toBeVisible()
  expect((await api.alert(created.id)).threshold).toBe(55)
})

test('finds out whether a write with a lost response was applied, and does not repeat it', async ({ page, api }) => {
  const name = unique('Lost')
  await page.goto(`${listOf(openSource)}/new`)
  await fillAlert(page, name, null)
  setFaults({ match: 'POST /api/v2/alerts', reset: 'after', times: 1 })
  await page.getByRole('button', { name: 'Create alert' }).click()
  await expect(page.getByText(/applied|unknown/i).first()).toBeVisible()
  const stored = async () => (await api.alerts()).filter((alert) => alert.name === name)
  await expect.poll(stored).toHaveLength(1)
})

test('an ID of the wrong shape leads to the not-found page with a link to the list', async ({ page }) => {
  await page.goto(`${listOf(openSource)}/nothing`)
  await expect(page.getByText('There is no alert with the ID nothing.')).toBeVisible()
  await page.getByRole('link', { name: 'All alerts' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Alerts' })).toBeVisible()
})

test('the start of a schedule is typed with the keyboard alone', async ({ page }) => {
  await page.goto(`${listOf(openSource)}/new`)
  await page.getByRole('textbox', { name: 'Offset' }).focus()
  // The field is loaded once it is in sight, and the next tab stop.
  const year = page.getByRole('group', { name: 'Schedule start' }).getByRole('spinbutton', { name: 'Year' })
  await expect(year).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(year).toBeFocused()
  await page.keyboard.type('202601020304')
  await expect(page.getByRole('textbox', { name: 'Offset' })).toBeDisabled()
})
