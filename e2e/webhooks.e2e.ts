import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { webhookRows, type WebhookDocument } from '../src/stack/documents/webhookRows.ts'
import { openStore } from '../src/stack/store/store.ts'
import { startReceiver } from '../src/stack/testing/testReceiver.ts'
import { expectNoViolations } from './support/axe.ts'
import { dataDir } from './support/environment.ts'
import {
  chooseAction,
  expect,
  hasWebhooks,
  managed,
  openSource,
  setFaults,
  test,
  unique,
  withTransitions,
} from './support/test.ts'

withTransitions()

const list = `/c/${openSource}/webhooks`

/** A webhook in the stack's store, because the API does not return headers. */
async function stored(id: string): Promise<WebhookDocument | undefined> {
  const store = await openStore({ file: join(dataDir, 'stack.db') })
  try {
    return await webhookRows.get(store, id)
  } finally {
    await store.close()
  }
}

async function review(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Review/ }).click()
}

const send = (page: Page) => page.getByRole('dialog').getByRole('button', { name: 'Save webhook' }).click()
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })

test('creates a webhook with a header, and keeps the header in an edit', async ({ page, api }) => {
  const name = unique('Team')
  await page.goto(list)
  await page.getByRole('link', { name: 'New webhook' }).click()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name)
  await page.getByRole('textbox', { name: 'URL' }).fill('http://93.184.215.14/services/a-token-that-nobody-may-read')
  await page.getByRole('button', { name: 'Add header' }).click()
  await page.getByLabel('Header 1 name').fill('X-Api-Key')
  await page.getByLabel('Header 1 value').fill('kept-unseen')
  await page.getByRole('button', { name: 'Create webhook' }).click()
  await expect(heading(page, name)).toBeVisible()
  await expect(page.getByRole('main')).not.toContainText('a-token-that-nobody-may-read')

  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await expect(page.getByText('Stored values are kept').first()).toBeVisible()
  await page.getByRole('textbox', { name: 'Description' }).fill('For the night shift')
  await review(page)
  await expect(page.getByRole('dialog').getByRole('row')).toHaveCount(2)
  await send(page)
  // The form's list of changes has the text too: first the page of the webhook, then its text.
  await expect(heading(page, name)).toBeVisible()
  await expect(page.getByRole('main')).toContainText('For the night shift')

  const id = (await api.webhooks()).find((webhook) => webhook.name === name)?.id ?? ''
  expect(await stored(id)).toMatchObject({
    url: 'http://93.184.215.14/services/a-token-that-nobody-may-read',
    headers: { 'X-Api-Key': 'kept-unseen' },
    description: 'For the night shift',
  })
})

test('warns before a changed URL clears headers', async ({ page, api }) => {
  const hook = await api.createWebhook(unique('Moved'), { headers: { 'X-Api-Key': 'a' }, queryParams: { token: 'b' } })
  await page.goto(`${list}/${hook.id}/edit`)
  await page.getByRole('textbox', { name: 'URL' }).fill('http://93.184.215.14/elsewhere')
  await expect(page.getByText(/Saving clears the stored values/)).toHaveCount(2)
  await page.getByRole('button', { name: 'Replace headers' }).click()
  await page.getByLabel('Header 1 name').fill('X-Api-Key')
  await page.getByLabel('Header 1 value').fill('entered-again')
  await review(page)
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('row', { name: /Query parameters.*cleared/ })).toBeVisible()
  await expect(dialog).not.toContainText('entered-again')
  await send(page)
  await expect(heading(page, hook.name)).toBeVisible()
  const now = await stored(hook.id)
  expect(now).toMatchObject({ url: 'http://93.184.215.14/elsewhere', headers: { 'X-Api-Key': 'entered-again' } })
  expect(now).not.toHaveProperty('queryParams')
})

test('shows a rejected URL at its field', async ({ page, api }) => {
  const before = await api.webhooks()
  await page.goto(`${list}/new`)
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(unique('Inside'))
  const url = page.getByRole('textbox', { name: 'URL' })
  for (const refused of ['http://169.254.169.254/latest', 'http://2130706433/', 'http://localhost:8123/']) {
    await url.fill(refused)
    await page.getByRole('button', { name: 'Create webhook' }).click()
    await expect(url).toHaveAttribute('aria-invalid', 'true')
    await expect(page.getByText(/private or reserved address/)).toBeVisible()
  }
  expect(await api.webhooks()).toHaveLength(before.length)
})

test('does not delete a webhook in use and links its alerts; deletes and restores an unused one', async ({
  page,
  api,
}) => {
  const hook = await api.createWebhook(unique('Used'))
  const alert = await api.createAlert(unique('Needs it'), [hook.id])
  await page.goto(`${list}/${hook.id}`)
  await chooseAction(page, 'Delete')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('link', { name: alert.name ?? '' })).toBeVisible()
  expect((await api.webhooks()).some((webhook) => webhook.id === hook.id)).toBe(true)
  await dialog.getByRole('link', { name: alert.name ?? '' }).click()
  await expect(heading(page, alert.name ?? '')).toBeVisible()

  await api.deleteAlert(alert.id)
  await page.goto(`${list}/${hook.id}`)
  await chooseAction(page, 'Delete')
  await dialog.getByRole('button', { name: 'Delete webhook' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Webhooks' })).toBeVisible()
  await expect(page.getByRole('link', { name: hook.name })).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('link', { name: hook.name })).toBeVisible()
})

test('does not overwrite changes by others', async ({ page, api }) => {
  const hook = await api.createWebhook(unique('Shared'))
  await page.goto(`${list}/${hook.id}/edit`)
  await page.getByRole('textbox', { name: 'Description' }).fill('mine')
  await api.updateWebhook(hook.id, { ...hook, description: 'theirs' })
  await review(page)
  await send(page)
  await expect(page.getByRole('heading', { name: 'Changed by somebody else' })).toBeVisible()
  await page.getByRole('button', { name: 'Theirs' }).click()
  await page.getByRole('button', { name: 'Continue with these values' }).click()
  await expect(page.getByRole('textbox', { name: 'Description' })).toHaveValue('theirs')
  await expect(page.getByText('No changes')).toBeVisible()
})

test('marks an alert whose webhook does not exist', async ({ page, api }) => {
  const [first] = await api.webhooks()
  const hook = await api.createWebhook(unique('Second'))
  const alert = await api.createAlert(unique('Left'), [first?.id ?? '', hook.id])
  await page.goto(list)
  await page.getByRole('button', { name: `Actions of ${hook.name}` }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(page.getByRole('dialog').getByText('(additional channel)')).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete webhook' }).click()
  await expect(page.getByRole('main').getByRole('link', { name: alert.name ?? '' })).toBeVisible()
  await api.deleteAlert(alert.id)
})

test('without webhook routes, webhooks are read-only and the input is kept', async ({ page }) => {
  const name = unique('Refused')
  await page.goto(`${list}/new`)
  setFaults({
    match: 'POST /api/v2/webhooks',
    status: 404,
    contentType: 'text/html',
    body: '<pre>Cannot POST /api/v2/webhooks</pre>',
    times: 1,
  })
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name)
  await page.getByRole('textbox', { name: 'URL' }).fill('http://93.184.215.14/hook')
  await page.getByRole('button', { name: 'Create webhook' }).click()
  await expect(page.getByRole('button', { name: 'Create webhook' })).toBeDisabled()
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue(name)
})

test('without test notifications, the page says so before a click, and names the variables of the deployment', async ({
  page,
  api,
}) => {
  setFaults({
    match: 'GET /api/v2/alert-evaluation',
    status: 404,
    contentType: 'text/html',
    body: '<!DOCTYPE html><pre>Cannot GET</pre>',
  })
  const name = unique('Generic')
  const { id } = await api.createWebhook(name)
  await page.goto(`/c/${openSource}/webhooks/${id}/edit`)
  await expect(page.getByRole('button', { name: 'Send test' })).toBeDisabled()
  await expect(page.getByText('This deployment’s API does not offer test notifications.')).toBeVisible()
  await expect(page.getByText('Versions after 2.36 also have {{value}}')).toBeVisible()
  await page.getByRole('textbox', { name: 'Body' }).fill('{ "value": {{value}} }')
  await expect(page.getByText('{{value}} is empty on deployments up to version 2.36.')).toBeVisible()
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.goto(`/c/${openSource}/webhooks/${id}`)
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Send test' })).toBeDisabled()
  expect(asked.filter((path) => path.endsWith('/alert-evaluation'))).toEqual([])
})

test('the managed variant offers webhooks only under the product’s names', async ({ page }) => {
  await page.goto(`/c/${managed}/webhooks`)
  const offered = page.getByRole('main').getByRole('link', { name: 'New webhook' }).first()
  const absent = page.getByRole('main').getByText(/does not offer webhooks/)
  await expect(hasWebhooks(managed) ? offered : absent).toBeVisible()
})

test('deletes webhooks in bulk, except those that an alert uses, and restores them', async ({ page, api }) => {
  const stem = unique('Bulk')
  const [free, used] = [await api.createWebhook(`${stem} free`), await api.createWebhook(`${stem} used`)]
  const alert = await api.createAlert(unique('Tells'), [used.id])
  await page.goto(`${list}?q=${encodeURIComponent(stem)}`)
  await page.getByRole('checkbox', { name: 'Select all webhooks' }).check()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('link', { name: alert.name ?? '' })).toBeVisible()
  await dialog.getByRole('button', { name: 'Delete 1 webhook' }).click()
  await expect(dialog.getByText('1 of 2 done, 1 not')).toBeVisible()
  const outcomes = dialog.getByRole('list', { name: 'Outcomes' })
  await expect(outcomes.getByRole('link', { name: alert.name ?? '' })).toBeVisible()

  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(page.getByRole('link', { name: used.name })).toBeVisible()
  await expect(page.getByRole('link', { name: free.name })).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('link', { name: free.name })).toBeVisible()
  expect((await api.webhooks()).map(({ name }) => name)).toEqual(expect.arrayContaining([free.name, used.name]))
  await api.deleteAlert(alert.id)
})

test('previews a body, and shows the answer of the receiver to a test', async ({ page, api }) => {
  const receiver = await startReceiver('127.0.0.2')
  try {
    await page.goto(`${list}/new`)
    const preview = page.getByRole('group', { name: 'Preview of the body' })
    await expect(preview).toContainText('12 meets or exceeds 10')
    const body = page.getByRole('textbox', { name: 'Body', exact: true })
    await body.fill('{"value": {{value}}}')
    await expect(page.getByText('Body template: Parse error on line 1: Write a space between }} and }.')).toBeVisible()
    await expectNoViolations(page, 'an invalid template')
    await body.fill('{"value": {{value}} }')
    await expect(preview).toHaveText('{\n  "value": 12\n}')

    const send = page.getByRole('button', { name: 'Send test' })
    await expect(send).toBeDisabled()
    receiver.answer = (_, response) => response.writeHead(403).end('no such token')
    await page.getByRole('textbox', { name: 'URL' }).fill(`${receiver.url}/services/secret-token`)
    await send.click()
    await expect(page.getByText('The receiver answered 403.')).toBeVisible()
    await expect(page.getByRole('group', { name: 'Answer of the receiver' })).toHaveText('no such token')
    await expectNoViolations(page, 'the answer of the receiver')
    expect(receiver.requests.map(({ url, body }) => [url, body])).toEqual([
      ['/services/secret-token', '{"value": 12 }'],
    ])

    await page.getByRole('textbox', { name: 'URL' }).fill('http://127.0.0.1:1/')
    await send.click()
    await expect(page.getByText('Webhook URL resolves to a private or reserved address.')).toBeVisible()

    const hook = await api.createWebhook(unique('Tested'), {
      url: `${receiver.url}/services/stored-token`,
      headers: { 'x-api-key': 'stored' },
    })
    receiver.answer = (_, response) => response.end('ok')
    await page.goto(`${list}/${hook.id}`)
    await send.click()
    await expect(page.getByText('The receiver answered 200.')).toBeVisible()
    expect(receiver.requests.at(-1)).toMatchObject({
      url: '/services/stored-token',
      headers: { 'x-api-key': 'stored', 'idempotency-key': expect.any(String) },
    })
  } finally {
    await receiver.close()
  }
})

test('the link of a notification opens its dashboard at the time of the event', async ({ page, api }) => {
  const [dashboard] = await api.dashboards()
  await page.goto(list)
  const query = 'from=1793883840000&granularity=5m&to=1793884140000&highlightedTileId=a'
  await page.goto(`/dashboards/${dashboard?.id}?${query}`)
  await expect(heading(page, dashboard?.name ?? '')).toBeVisible()
  const { pathname, searchParams } = new URL(page.url())
  expect(pathname).toBe(`/c/${openSource}/dashboards/${dashboard?.id}`)
  expect(Object.fromEntries(searchParams)).toMatchObject({ from: '1793883840000', to: '1793884140000' })
})
