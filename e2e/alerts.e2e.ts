import type { Page } from '@playwright/test'
import { startReceiver } from '../src/stack/testing/testReceiver.ts'
import { expectNoViolations } from './support/axe.ts'
import {
  chooseAction,
  connections,
  expect,
  hasWebhooks,
  managed,
  openSource,
  setFaults,
  test,
  typeDateTime,
  unique,
} from './support/test.ts'

const listOf = (connectionId: string) => `/c/${connectionId}/alerts`

async function pick(page: Page, label: string, option: string | RegExp): Promise<void> {
  await page.getByRole('combobox', { name: label }).click()
  await page.getByRole('option', { name: option }).first().click()
}

/** Fills what an alert needs; the webhook by name where the variant lists them, by id where it does not. */
async function fillAlert(page: Page, name: string, webhookId: string | null): Promise<void> {
  await page.getByRole('textbox', { name: 'Name' }).fill(name)
  await pick(page, 'Dashboard', 'Stack health')
  await pick(page, 'Tile', 'Failed requests')
  await page.getByRole('textbox', { name: 'Threshold', exact: true }).fill('25')
  if (webhookId === null) await pick(page, 'Webhook', 'Local example')
  else await page.getByRole('textbox', { name: /webhook/i }).fill(webhookId)
}

async function search(page: Page, text: string): Promise<void> {
  await page.getByRole('searchbox', { name: 'Search alerts' }).fill(text)
}

const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })

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
    await search(page, name)
    await page.getByRole('button', { name: `Actions of ${name}` }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await expect(rowOf(page, name)).toHaveCount(0)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(rowOf(page, name)).toBeVisible()
  })
}

test('the list has the threshold in the number format of the tile', async ({ page, api }) => {
  const name = unique('Large')
  const numberFormat = { output: 'byte', numericUnit: 'gibibytes' }
  const [source] = await api.sources()
  const { id, tiles, ...board } = await api.createDashboard(name, source?.id ?? '')
  const [tile] = tiles
  const config = { ...tile?.config, numberFormat }
  await api.updateDashboard(id, { ...board, tiles: [{ ...tile, config }] })
  await api.createAlert(name, undefined, { dashboardId: id, tileId: tile?.id, threshold: 1536 })
  await page.goto(listOf(openSource))
  await search(page, name)
  await expect(rowOf(page, name)).toContainText('value at least 1536 GiB over 5m')
})

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
  await expect(page.getByText(/is as it was before/)).toBeVisible()
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

test('moves the focus to the next row when the focused row is deleted', async ({ page, api }) => {
  const shared = unique('Keys')
  const [first, second, third] = [`${shared} a`, `${shared} b`, `${shared} c`] as const
  for (const name of [first, second, third]) await api.createAlert(name)
  await page.goto(`${listOf(openSource)}?sort=name&q=${encodeURIComponent(shared)}`)
  await page.getByRole('button', { name: `Actions of ${first}` }).press('Enter')
  await expect(page.getByRole('menuitem', { name: 'Edit' })).toBeFocused()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await expect(rowOf(page, first)).toHaveCount(0)
  await expect(page.getByRole('button', { name: `Actions of ${second}` })).toBeFocused()

  await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible()
  await page.keyboard.press('u')
  await expect(rowOf(page, first)).toBeVisible()

  for (const name of [second, third]) await page.getByRole('checkbox', { name: `Select ${name}` }).press('Space')
  await page.getByRole('button', { name: 'Delete', exact: true }).press('Enter')
  await page.getByRole('button', { name: 'Delete 2 alerts' }).press('Enter')
  await expect(rowOf(page, second)).toHaveCount(0)
  await expect(page.getByRole('searchbox', { name: 'Search alerts' })).toBeFocused()

  await page.getByRole('link', { name: first }).press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: first })).toBeVisible()
  await expect(page.getByRole('main')).toBeFocused()
})

test('keeps sort, search and columns in the URL', async ({ page, api }) => {
  const stem = unique('Sorted')
  for (const at of ['b', 'a', 'c']) await api.createAlert(`${stem} ${at}`)
  await page.goto(listOf(openSource))
  await search(page, stem)
  await page.getByRole('button', { name: 'Name', exact: true }).click()
  const names = () => page.getByRole('rowheader').getByRole('link').allInnerTexts()
  await expect.poll(names).toEqual([`${stem} a`, `${stem} b`, `${stem} c`])
  // Rows follow each key, the address a pause.
  await expect(page).toHaveURL((url) => url.searchParams.get('q') === stem)
  await page.reload()
  await expect.poll(names).toEqual([`${stem} a`, `${stem} b`, `${stem} c`])
})

test('filters the list by a moment, which its address has in UTC', async ({ page, api }) => {
  const name = unique('Dated')
  await api.createAlert(name)
  await page.goto(`${listOf(openSource)}?q=${encodeURIComponent(name)}`)
  const row = page.getByRole('rowheader').getByRole('link', { name })
  await expect(row).toBeVisible()
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('combobox', { name: 'Column of filter 1' }).click()
  await page.getByRole('option', { name: 'Created' }).click()
  await typeDateTime(page, 'Value of filter 1', '2999-01-02 03:04')
  await expect(row).toHaveCount(0)
  await expect(page).toHaveURL((url) => url.href.endsWith(`.after.${new Date(2999, 0, 2, 3, 4).toISOString()}`))
  await page.getByRole('combobox', { name: 'Comparison of filter 1' }).click()
  await page.getByRole('option', { name: 'before' }).click()
  await expectNoViolations(page, 'a filter by time')
  await page.keyboard.press('Escape')
  await expect(row).toBeVisible()
  await expect(page.getByText('Created before 2 Jan 2999 03:04')).toBeVisible()
})

test('changes the interval and the channels of selected alerts, and takes the changes back', async ({ page, api }) => {
  const stem = unique('Several')
  const [old, other] = [await api.createWebhook(unique('Old')), await api.createWebhook(unique('Other'))]
  const made = [await api.createAlert(`${stem} a`, [old.id]), await api.createAlert(`${stem} b`, [old.id])]
  const stored = async () => Promise.all(made.map(({ id }) => api.alert(id)))
  const intervals = async () => (await stored()).map(({ interval }) => interval)
  const channels = async () => (await stored()).map((one) => (one.channels ?? []).map(({ webhookId }) => webhookId))
  await page.goto(`${listOf(openSource)}?q=${encodeURIComponent(stem)}`)
  const dialog = page.getByRole('dialog')
  const open = async (action: string) => {
    await page.getByRole('checkbox', { name: 'Select all alerts' }).check()
    await page.getByRole('button', { name: action }).click()
    await expect(dialog.getByRole('button', { name: 'Change alerts' })).toBeDisabled()
  }
  const change = async () => {
    await dialog.getByRole('button', { name: 'Change 2 alerts' }).click()
    await expect(dialog).toHaveCount(0)
  }

  await open('Change interval')
  await pick(page, 'Interval', '1 hour')
  await expect(dialog.getByRole('list', { name: 'Plan' })).toContainText(`${stem} a`)
  await change()
  await expect.poll(intervals).toEqual(['1h', '1h'])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(intervals).toEqual(['5m', '5m'])

  await open('Change channels')
  await pick(page, 'Webhook', other.name)
  await change()
  await expect.poll(channels).toEqual([
    [old.id, other.id],
    [old.id, other.id],
  ])
  await open('Change channels')
  await pick(page, 'Change', 'Replace a webhook')
  await pick(page, 'Current webhook', old.name)
  // Not by itself, and no alert has a channel twice.
  await page.getByRole('combobox', { name: 'New webhook' }).click()
  await expect(page.getByRole('option', { name: old.name })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await pick(page, 'Change', 'Remove a webhook')
  await pick(page, 'Webhook', old.name)
  await expectNoViolations(page, 'the removal of a channel from selected alerts')
  await change()
  await expect.poll(channels).toEqual([[other.id], [other.id]])
  for (const { id } of made) await api.deleteAlert(id)
})

test.describe('with telemetry', () => {
  test.use({ telemetry: true })

  test('an alert made here fires and notifies; meanwhile others are changed and moved in bulk', async ({
    page,
    api,
  }) => {
    const receiver = await startReceiver('127.0.0.2')
    const pager = await api.createWebhook(unique('Pager'), { url: `${receiver.url}/pager` })
    const old = await api.createWebhook(unique('Old'), { url: `${receiver.url}/old` })
    const name = unique('Always')
    try {
      await page.goto(`${listOf(openSource)}/new`)
      await fillAlert(page, name, null)
      await page.getByRole('textbox', { name: 'Threshold', exact: true }).fill('0')
      await pick(page, 'Interval', '1 minute')
      await pick(page, 'Webhook', pager.name)
      await page.getByRole('button', { name: 'Create alert' }).click()
      await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()

      // Its first window ends within a minute.
      const stem = unique('Many')
      const [mine, shared] = [
        await api.createAlert(`${stem} a`, [old.id]),
        await api.createAlert(`${stem} b`, [old.id]),
      ]
      await changeInBulk(page, stem, () => api.updateAlert(shared.id, { ...shared, threshold: 55 }))
      await expect.poll(async () => (await api.alert(mine.id)).threshold).toBe(18)
      expect((await api.alert(shared.id)).threshold).toBe(55)
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
      await page.getByRole('button', { name: 'Undo' }).click()
      await expect.poll(async () => (await api.alert(mine.id)).threshold).toBe(12)
      await moveAlerts(page, old, pager.name)
      expect((await api.alert(shared.id)).channels).toMatchObject([{ webhookId: pager.id }])
      await api.deleteAlert(mine.id)
      await api.deleteAlert(shared.id)

      await expect
        .poll(() => receiver.requests.map(({ url, body }) => [url, body]), { timeout: 75_000 })
        .toContainEqual(['/pager', expect.stringContaining(name)])
      const fired = (await api.alerts()).find((one) => one.name === name)
      for (const connectionId of connections) {
        await page.goto(`${listOf(connectionId)}/${fired?.id}`)
        const count = receiver.requests.length
        await page
          .getByRole('button', { name: `Send again to ${pager.name}` })
          .first()
          .click()
        await expect.poll(() => receiver.requests.length).toBeGreaterThan(count)
      }
      await page.goto(`${listOf(openSource)}?group=state`)
      await expect(page.getByRole('rowheader').first()).toHaveText(/^Firing \d+$/)
      await expect(rowOf(page, name).getByRole('img', { name: /^Last .*firing/ })).toBeVisible()
      await expect(page.getByRole('link', { name: 'Alerts', exact: true })).toHaveAccessibleDescription(/^\d+ firing$/)
      await expect(page).toHaveTitle(/^\(\d+ firing\) Alerts/)
      await expectNoViolations(page, 'an alert that fires')

      await page.getByRole('checkbox', { name: `Select ${name}` }).press('Space')
      await page.getByRole('button', { name: 'Silence', exact: true }).press('Enter')
      await page.getByRole('textbox', { name: 'Reason' }).fill('Known')
      await expectNoViolations(page, 'the silence of selected alerts')
      await page.getByRole('button', { name: 'Silence 1 alert' }).click()
      await expect(rowOf(page, name)).toContainText('Silenced')
    } finally {
      for (const one of await api.alerts()) if (one.name === name) await api.deleteAlert(one.id)
      await receiver.close()
    }
  })
})

/** Raises the thresholds of two alerts while `meanwhile` changes one of them. */
async function changeInBulk(page: Page, stem: string, meanwhile: () => Promise<unknown>): Promise<void> {
  await page.goto(`${listOf(openSource)}?q=${encodeURIComponent(stem)}`)
  await page.getByRole('checkbox', { name: 'Select all alerts' }).check()
  const dialog = page.getByRole('dialog')
  for (const action of ['Change channels', 'Change interval']) {
    await page.getByRole('button', { name: action }).click()
    await expect(dialog).toBeVisible()
    await expectNoViolations(page, `the dialog of ${action}`)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
  }
  await page.getByRole('button', { name: 'Change threshold' }).click()
  await dialog.getByRole('textbox', { name: 'Change in percent' }).fill('50')
  await expect(dialog.getByRole('list', { name: 'Plan' })).toContainText(`${stem} a: 12 → 18`)
  await expectNoViolations(page, 'the plan of a bulk change')
  await meanwhile()
  await dialog.getByRole('button', { name: 'Change 2 alerts' }).click()
  await expect(dialog.getByText('1 of 2 done, 1 not')).toBeVisible()
  await expect(dialog.getByRole('list', { name: 'Outcomes' })).toContainText('Somebody else changed this record')
}

/** A webhook in use cannot be deleted: its alerts are moved from there, and then it can. */
async function moveAlerts(page: Page, from: { id: string; name: string }, to: string): Promise<void> {
  await page.goto(`/c/${openSource}/webhooks/${from.id}`)
  await chooseAction(page, 'Delete')
  const inUse = page.getByRole('dialog', { name: `${from.name} is in use` })
  await inUse.getByRole('button', { name: 'Move alerts to another webhook' }).click()
  const dialog = page.getByRole('dialog', { name: 'Move 2 alerts to another webhook' })
  await pick(page, 'New webhook', to)
  await expectNoViolations(page, 'the move of alerts to another webhook')
  await dialog.getByRole('button', { name: 'Change 2 alerts' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(inUse).toContainText('No alert uses it any more.')
  await inUse.getByRole('button', { name: 'Close' }).click()
  await chooseAction(page, 'Delete')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete webhook' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Webhooks' })).toBeVisible()
}

test('an ID of the wrong shape leads to the not-found page with a link to the list', async ({ page }) => {
  await page.goto(`${listOf(openSource)}/nothing`)
  await expect(page.getByText('There is no alert with the ID nothing.')).toBeVisible()
  await page.getByRole('link', { name: 'All alerts' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Alerts' })).toBeVisible()
})

test.describe('with telemetry', () => {
  test.use({ telemetry: true })

  test('replays a typed threshold and moves it by its line, without a request', async ({ page, api }) => {
    const created = await api.createAlert(unique('Backtest'))
    let queries = 0
    page.on('request', (request) => {
      if (request.url().includes('/charts/')) queries++
    })
    await page.goto(`${listOf(openSource)}/${created.id}/edit`)
    const sentence = page.getByTestId('backtest-sentence')
    await expect(sentence).toBeVisible()
    expect(queries).toBe(1)
    await expectNoViolations(page, 'form of an alert with its backtest')

    const threshold = page.getByRole('textbox', { name: 'Threshold', exact: true })
    await threshold.fill('1000000000000')
    await expect(sentence).toHaveText(/would not have fired/i)
    await threshold.fill('0')
    await expect(sentence).toHaveText(/Would have fired \d/)

    const line = page.getByRole('slider', { name: 'Threshold line' })
    await line.press('ArrowUp')
    await expect(threshold).not.toHaveValue('0')
    const before = await threshold.inputValue()
    await line.hover()
    await page.mouse.down()
    const { y = 0, x = 0 } = (await line.boundingBox()) ?? {}
    await page.mouse.move(x + 50, y + 150)
    await page.mouse.up()
    await expect(threshold).not.toHaveValue(before)
    expect(queries).toBe(1)
  })

  test('shortens the backtest of too many groups, on the connection that is paired', async ({ page, api }) => {
    const created = await api.createAlert(unique('Groups'))
    const ranges: number[] = []
    page.on('request', (request) => {
      if (!request.url().endsWith('/charts/series')) return
      const { startTime, endTime } = request.postDataJSON()
      ranges.push(Math.round((endTime - startTime) / 86_400_000))
      expect(request.url()).toContain(openSource)
    })
    const message = 'series: the result has more than 100000 points: choose a shorter range or fewer groups'
    const tooMany = { match: 'POST /api/v2/charts/series', status: 400, body: { message } }
    setFaults({ ...tooMany, times: 1 })
    await page.goto(`${listOf(managed)}/${created.id}/edit`)
    await expect(page.getByTestId('backtest-sentence')).toBeVisible()
    await expect(
      page.getByText(/^7 days of these groups have .*\(100,000\)\. The backtest covers the last day/),
    ).toBeVisible()
    await expect(page.getByText(/, read in \d+ ms through /)).toBeVisible()
    expect(ranges).toEqual([7, 1])

    setFaults(tooMany)
    await page.reload()
    await expect(page.getByText(/^One day of these groups has .* Group by a column with fewer values/)).toBeVisible()
  })
})

for (const width of [1440, 390]) {
  test(`shows the whole name of an alert in the list at ${width} pixels`, async ({ page, api }) => {
    const alert = await api.createAlert(unique('Share of failed checkouts by service of the payments team'))
    await page.setViewportSize({ width, height: 844 })
    await page.goto(`${listOf(openSource)}?q=${encodeURIComponent(alert.name ?? '')}`)
    const link = rowOf(page, alert.name ?? '').getByRole('link', { name: alert.name ?? '' })
    await expect(link).toBeVisible()
    await expect
      .poll(() =>
        link.evaluate((name) => {
          const cell = name.closest('th')
          const cut = (box: Element | null) =>
            box === null || box.scrollWidth > box.clientWidth + 1 || box.scrollHeight > box.clientHeight + 1
          return cut(cell) || cut(name)
        }),
      )
      .toBe(false)
    await api.deleteAlert(alert.id)
  })
}
