/** Tests of alerts end to end, from the page and the form of an alert. */
import { startReceiver, type TestReceiver } from '../../src/stack/testing/testReceiver.ts'
import { expectNoViolations } from '../support/axe.ts'
import { sendLogs } from '../support/explorer.ts'
import { expectFits, narrow } from '../support/narrow.ts'
import { inDays } from '../support/now.ts'
import { chooseAction, expect, openSource, setFaults, test as base, unique, type StackApi } from '../support/test.ts'

interface Tested {
  receiver: TestReceiver
  alert: Awaited<ReturnType<StackApi['createSearchAlert']>>
}

/** An alert on telemetry of its own, which is never evaluated by itself, and its receiver. */
const test = base.extend<{ tested: Tested }>({
  tested: async ({ api }, run) => {
    const receiver = await startReceiver('127.0.0.2')
    const service = unique('tested').replace(' ', '-')
    await sendLogs(service, 400)
    const hook = await api.createWebhook(unique('Pager'), { url: `${receiver.url}/services/secret-token` })
    const alert = await api.createSearchAlert(unique('Orders'), `ServiceName:"${service}"`, {
      interval: '1m',
      threshold: 5,
      scheduleStartAt: inDays(30),
      channels: [{ type: 'webhook', webhookId: hook.id }],
    })
    await run({ receiver, alert })
    await api.deleteAlert(alert.id)
    await receiver.close()
  },
})

test.use({ telemetry: true })

test('the page of an alert tests it from its query to the answer of its receiver', async ({ page, api, tested }) => {
  const { receiver, alert } = tested
  await page.goto(`/c/${openSource}/alerts/${alert.id}`)
  await chooseAction(page, 'Test alert')
  const dialog = page.getByRole('dialog', { name: 'Test of the alert' })
  await expect(dialog.getByText('The alert would fire now, and the message was delivered.')).toBeVisible()
  const steps = dialog.getByRole('list', { name: 'Steps of the test' })
  await expect(steps).toContainText(/Query\s*Read/)
  await expect(steps).toContainText(/The value is \d+, and the alert fires when it is at least 5: the alert fires\./)
  await expect(steps).toContainText('Test: ')
  await expect(steps).toContainText('The receiver answered 200.')
  await expectNoViolations(page, 'the result of a test')
  expect(receiver.requests).toHaveLength(1)
  expect(receiver.requests[0]?.body).toContain('This is a test of the alert, which somebody sent by hand.')

  receiver.answer = (_, response) => response.writeHead(410).end('gone')
  await dialog.getByRole('button', { name: 'Test again' }).click()
  await expect(dialog.getByText('The alert would fire now, and the message was not delivered.')).toBeVisible()
  await expect(steps).toContainText('The receiver answered 410.')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(page.getByText('Nothing was sent in the last 30 days.')).toBeVisible()
  expect((await api.alert(alert.id)).executionErrors ?? []).toEqual([])
})

test('the form tests what is typed, on a phone too, and saves nothing', async ({ page, api, tested }) => {
  const { receiver, alert } = tested
  await page.setViewportSize(narrow)
  await page.goto(`/c/${openSource}/alerts/${alert.id}/edit`)
  const panel = page.getByRole('region', { name: 'Test', exact: true })
  await page.getByRole('textbox', { name: 'Threshold', exact: true }).fill('100000')
  await panel.getByRole('button', { name: 'Test alert' }).click()
  await expect(panel.getByText('The alert would not fire now, and the message was delivered.')).toBeVisible()
  await expect(panel).toContainText('The alert does not fire at this value.')
  await expectFits(page, 'the result of a test')
  expect(receiver.requests[0]?.body).toContain('threshold of 100000 lines')
  expect((await api.alert(alert.id)).threshold).toBe(5)

  await page.getByRole('textbox', { name: 'Threshold', exact: true }).fill('')
  await panel.getByRole('button', { name: 'Test alert' }).click()
  await expect(page.getByRole('textbox', { name: 'Threshold', exact: true })).toHaveAttribute('aria-invalid', 'true')
  expect(receiver.requests).toHaveLength(1)
})

test('says where a test stops, and what a deployment lacks', async ({ page, tested: { alert } }) => {
  const result = { query: { error: { type: 'QUERY_ERROR', message: 'Series A, condition: unknown field nowhere' } } }
  setFaults({ match: 'POST /api/v2/alerts/test', status: 200, body: { data: result }, times: 1 })
  await page.goto(`/c/${openSource}/alerts/${alert.id}`)
  await chooseAction(page, 'Test alert')
  const dialog = page.getByRole('dialog', { name: 'Test of the alert' })
  await expect(dialog.getByText('The query failed. Nothing was sent.')).toBeVisible()
  await expect(dialog).toContainText('unknown field nowhere')
  await expect(dialog.getByText('Not reached')).toHaveCount(3)
  await dialog.getByRole('button', { name: 'Close' }).click()

  setFaults({
    match: 'POST /api/v2/alerts/test',
    status: 404,
    contentType: 'text/html',
    body: '<!DOCTYPE html><pre>Cannot POST</pre>',
  })
  await page.goto(`/c/${openSource}/alerts/${alert.id}/edit`)
  const button = page.getByRole('region', { name: 'Test', exact: true }).getByRole('button', { name: 'Test alert' })
  await button.click()
  await expect(button).toBeDisabled()
})
