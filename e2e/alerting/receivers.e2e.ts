import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { webhookRows, type WebhookDocument } from '../../src/stack/documents/webhookRows.ts'
import { openStore } from '../../src/stack/store/store.ts'
import { startReceiver } from '../../src/stack/testing/testReceiver.ts'
import { expectNoViolations } from '../support/axe.ts'
import { dataDir } from '../support/environment.ts'
import { expectFits, narrow } from '../support/narrow.ts'
import { expect, openSource, test, unique } from '../support/test.ts'

const list = `/c/${openSource}/webhooks`
const key = 'R0123456789abcdef0123456789abcde'

/** A webhook in the stack's store, because the API does not return headers. */
async function stored(id: string): Promise<WebhookDocument | undefined> {
  const store = await openStore({ file: join(dataDir, 'stack.db') })
  try {
    return await webhookRows.get(store, id)
  } finally {
    await store.close()
  }
}

const receiver = (page: Page, name: string) => page.getByRole('radio', { name, exact: true })
const shown = (page: Page) => page.getByRole('group', { name: 'Message as the receiver shows it' })
const url = (page: Page) => page.getByRole('textbox', { name: 'URL' })

/** A receiver, what its message shows, an unusual URL, and what is said about it. */
const receivers: readonly (readonly [name: string, shows: string, odd: string, warning: RegExp])[] = [
  ['Slack', 'Alert for "Errors" in "Shop" - 12 meets or exceeds 10', 'https://chat.example/hooks/x', /Mattermost/],
  ['Microsoft Teams', 'via Power Automate', 'https://x.webhook.office.com/webhookb2/y', /retired/],
  ['PagerDuty', 'Triggered', 'https://events.pagerduty.com/v2/change/enqueue', /Events are sent to/],
  ['Discord', 'Group: "service:checkout"', 'https://discord.com/api/webhooks/1/x/slack', /Remove \/slack/],
  [
    'Email gateway',
    '(no recipient yet)',
    'https://api.resend.com/emails',
    /Resend, but the message is that of Postmark/,
  ],
  ['incident.io', 'Firing', 'https://app.incident.io/x', /alert source begins with/],
]

test('each receiver has a form of its own, a warning about its URL, and its message', async ({ page }) => {
  await page.goto(`${list}/new`)
  for (const [name, shows, odd, warning] of receivers) {
    await receiver(page, name).check()
    await expect(shown(page)).toContainText(shows)
    await url(page).fill(odd)
    await expect(page.getByText(warning)).toBeVisible()
    await expect(page.getByRole('textbox', { name: 'Body', exact: true })).toBeHidden()
    await expectNoViolations(page, name)
  }
  await receiver(page, 'Discord').check()
  await expect(url(page)).toHaveValue('https://discord.com/api/webhooks/1/x/slack')
  await page.getByText('Details: body of the request').click()
  await expect(page.getByRole('group', { name: 'Preview of the body' })).toContainText('"embeds"')
  await page.getByText('body, headers and query parameters, as Discord needs them').click()
  await page.getByRole('textbox', { name: 'Body', exact: true }).fill('{"text":"{{title}}"}')
  await expect(page.getByText('The body is not in the form that Discord expects')).toBeVisible()
})

test('a receiver is chosen with the keyboard, and by its URL', async ({ page }) => {
  await page.setViewportSize(narrow)
  await page.goto(`${list}/new`)
  await receiver(page, 'Custom (HTTP)').focus()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await expect(receiver(page, 'Email gateway')).toBeChecked()
  await expect(page.getByRole('textbox', { name: 'To' })).toBeVisible()
  for (const [name] of receivers) {
    await receiver(page, name).check()
    await expect(shown(page)).toBeVisible()
    await expectFits(page, name)
  }
  await receiver(page, 'Custom (HTTP)').check()
  await url(page).fill('https://discord.com/api/webhooks/1/x')
  await page.getByRole('button', { name: 'Use Discord' }).click()
  await expect(receiver(page, 'Discord')).toBeChecked()
  await expect(url(page)).toHaveValue('https://discord.com/api/webhooks/1/x')
})

test('receivers that are passed quickly do not change what the first one had', async ({ page, api }) => {
  const hook = await api.createWebhook(unique('Passed'), { body: '{"own":"{{title}}"}' })
  await page.goto(`${list}/${hook.id}/edit`)
  await expect(receiver(page, 'Custom (HTTP)')).toBeChecked()
  // Both within a task, before anything that the first one needs can be loaded.
  await page.evaluate(() => {
    const radios = [...document.querySelectorAll<HTMLInputElement>('input[type=radio]')]
    for (const name of ['Discord', 'PagerDuty'])
      radios.find((radio) => radio.labels?.[0]?.textContent === name)?.click()
  })
  await expect(page.getByLabel('Integration key')).toBeVisible()
  await expect(url(page)).toHaveValue('https://events.pagerduty.com/v2/enqueue')
  await receiver(page, 'Custom (HTTP)').check()
  await expect(url(page)).toHaveValue('')
  await expect(page.getByRole('textbox', { name: 'Body', exact: true })).toHaveValue('{"own":"{{title}}"}')
})

test('the key of PagerDuty is sent, is never shown again, and stays in an edit', async ({ page, api }) => {
  const events = await startReceiver('127.0.0.2')
  try {
    const name = unique('Pager')
    await page.goto(`${list}/new`)
    await receiver(page, 'PagerDuty').check()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name)
    await url(page).fill(`${events.url}/v2/enqueue`)
    await page.getByRole('button', { name: 'Create webhook' }).click()
    await expect(page.getByText('Enter the integration key of the Events API v2 integration').first()).toBeVisible()
    const field = page.getByLabel('Integration key')
    await field.fill('short')
    await expect(page.getByText('this one has 5 characters')).toBeVisible()
    await field.fill(key)
    await page.getByRole('button', { name: 'Send test' }).click()
    await expect(page.getByText('The receiver answered 200.')).toBeVisible()
    expect(JSON.parse(events.requests.at(-1)?.body ?? '')).toMatchObject({ routing_key: key, event_action: 'resolve' })
    await page.getByRole('button', { name: 'Create webhook' }).click()
    await expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeVisible()
    await expect(page.getByRole('main')).toContainText('PagerDuty')
    await expect(page.getByRole('main')).toContainText('"event_action"')
    expect(await page.content()).not.toContain(key)

    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await expect(page.getByText('Leave empty to keep the current key, which is not shown.')).toBeVisible()
    await expect(field).toHaveValue('')
    await page.getByRole('button', { name: 'Send test' }).click()
    await expect(page.getByText('The receiver answered 200.')).toBeVisible()
    expect(events.requests.at(-1)?.body).toContain(key)
    await page.getByText('body, headers and query parameters, as PagerDuty needs them').click()
    const body = page.getByRole('textbox', { name: 'Body', exact: true })
    await body.fill((await body.inputValue()).replace('critical', 'warning'))
    await page
      .getByRole('button', { name: /^(?:Review|Save)/ })
      .first()
      .click()
    await page.getByRole('dialog').getByRole('button', { name: 'Save webhook' }).click()
    await expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeVisible()
    const id = (await api.webhooks()).find((webhook) => webhook.name === name)?.id ?? ''
    const now = (await stored(id))?.body ?? ''
    expect(now).toContain(`"routing_key": "${key}"`)
    expect(now).toContain('"severity": "warning"')
  } finally {
    await events.close()
  }
})

test('an email gateway gets its addresses and its key, and keeps the addresses when another one is chosen', async ({
  page,
  api,
}) => {
  const name = unique('Mail')
  await page.goto(`${list}/new`)
  await receiver(page, 'Email gateway').check()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name)
  const to = page.getByRole('textbox', { name: 'To' })
  await to.pressSequentially('a@example.com, b@example')
  await page.getByRole('textbox', { name: 'From' }).fill('Alerts <alerts@example.com>')
  await expect(to).toHaveAccessibleDescription(/^b@example is not an email address/)
  await to.press('End')
  await page.keyboard.type('.com')
  await expect(shown(page)).toContainText('a@example.com, b@example.com')
  await page.getByRole('combobox', { name: 'Gateway' }).click()
  await page.getByRole('option', { name: 'SendGrid' }).click()
  await expect(url(page)).toHaveValue('https://api.sendgrid.com/v3/mail/send')
  await expect(shown(page)).toContainText('a@example.com, b@example.com')
  const from = page.getByRole('textbox', { name: 'From' })
  await expect(from).toHaveAccessibleDescription('SendGrid takes the address without a name: alerts@example.com')
  await from.fill('alerts@example.com')
  await url(page).fill('http://93.184.215.14/v3/mail/send')
  await expect(page.getByText('SendGrid’s URL is https://api.sendgrid.com/v3/mail/send.')).toBeVisible()
  await page.getByRole('button', { name: 'Create webhook' }).click()
  await expect(page.getByText('Enter the API key of the gateway, which is sent as Authorization').first()).toBeVisible()
  await page.getByLabel('API key').fill('SG.kept-unseen')
  await page.getByRole('button', { name: 'Create webhook' }).click()
  await expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeVisible()
  const id = (await api.webhooks()).find((webhook) => webhook.name === name)?.id ?? ''
  const { headers, body = '' } = (await stored(id)) ?? {}
  expect(headers).toEqual({ Authorization: 'Bearer SG.kept-unseen' })
  expect(JSON.parse(body.replaceAll(/\{\{\w+\}\}/g, 'x'))).toMatchObject({
    personalizations: [{ to: [{ email: 'a@example.com' }, { email: 'b@example.com' }] }],
    from: { email: 'alerts@example.com' },
  })
})

test('webhooks of other clients are recognized, and an edit of their name changes nothing else', async ({
  page,
  api,
}) => {
  const body =
    '{ "type":"message", "attachments":[{"contentType":"application/vnd.microsoft.card.adaptive","content":{"body":[{"type":"TextBlock","text":"{{title}}"}]}}],  "own": 1 }'
  const hook = await api.createWebhook(unique('Terraform'), { body, headers: { 'x-own': 'kept' } })
  await page.goto(`${list}?q=${encodeURIComponent(hook.name)}`)
  await expect(page.getByRole('row', { name: hook.name })).toContainText('Microsoft Teams')
  await page.goto(`/c/${openSource}/alerts/new`)
  await page.getByRole('combobox', { name: 'Webhook' }).fill(hook.name)
  await expect(page.getByRole('option', { name: hook.name })).toContainText('Microsoft Teams')
  await page.goto(`${list}/${hook.id}/edit`)
  await expect(receiver(page, 'Microsoft Teams')).toBeChecked()
  const name = unique('Renamed')
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name)
  await page
    .getByRole('button', { name: /^(?:Review|Save)/ })
    .first()
    .click()
  const dialog = page.getByRole('dialog')
  const heading = page.getByRole('heading', { level: 1, name, exact: true })
  await expect(dialog.or(heading)).toBeVisible()
  if (await dialog.isVisible()) await dialog.getByRole('button', { name: 'Save webhook' }).click()
  await expect(heading).toBeVisible()
  expect(await stored(hook.id)).toMatchObject({ name, body, url: hook.url, headers: { 'x-own': 'kept' } })
})
