/** The page of an alert: its states, and what can be done there. */
import { expectNoViolations, violations } from '../support/axe.ts'
import { plantEvaluations } from '../support/evaluations.ts'
import { sendLogs } from '../support/explorer.ts'
import { incidentTest } from '../support/sampleIncident.ts'
import { hold } from '../support/requests.ts'
import { expect, openSource, setFaults, test, typeDateTime, unique } from '../support/test.ts'
import { inDays } from '../support/now.ts'

test.use({ telemetry: true })

/** The answer of a deployment that does not know the routes. */
const withoutHistory = ['evaluations', 'history', 'deliveries'].map((route) => ({
  match: `GET /api/v2/alerts/*/${route}`,
  status: 404,
  contentType: 'text/html',
  body: '<!DOCTYPE html><pre>Cannot GET</pre>',
}))

const listOf = (connectionId: string) => `/c/${connectionId}/alerts`

test('an alert that was not evaluated yet is not called OK, in the list and on its page', async ({ page, api }) => {
  const alert = await api.createAlert(unique('Fresh'), undefined, { scheduleStartAt: inDays(30) })
  await page.goto(`${listOf(openSource)}?q=${encodeURIComponent(alert.name ?? '')}`)
  const row = page.getByRole('row').filter({ hasText: alert.name ?? '' })
  await expect(row.getByText('Not evaluated yet')).toHaveCount(2)
  await expect(row.getByText('OK', { exact: true })).toHaveCount(0)
  await row.getByRole('link', { name: alert.name ?? '' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Fresh')
  await expect(page.getByText('Not evaluated yet', { exact: true }).first()).toBeVisible()
  await plantEvaluations(alert.id, ['OK'])
  await page.reload()
  await expect(page.getByText('OK', { exact: true }).first()).toBeVisible()
})

test('the page of an alert shows its evaluations, silences it with a reason, and resumes it', async ({ page, api }) => {
  // Without evaluations of its own: the next one may come at any moment.
  const alert = await api.createAlert(unique('Paged'), undefined, { scheduleStartAt: inDays(30) })
  const lastPassAt = '2026-01-02T03:04:00Z'
  setFaults({
    match: 'GET /api/v2/alert-evaluation',
    status: 200,
    body: { data: { lastPassAt, late: true } },
    times: 1,
  })
  await plantEvaluations(alert.id, ['OK', 'ALERT', 'ALERT'])
  const ahead: string[] = []
  page.on('request', (request) => {
    if (request.headers()['x-priority'] !== 'background') ahead.push(new URL(request.url()).pathname)
  })
  await page.goto(`${listOf(openSource)}/${alert.id}`)
  const evaluations = page.getByRole('table', { name: 'Evaluations' })
  // The newest window, and those where something changed.
  await expect(evaluations.getByRole('row')).toHaveCount(4)
  await expect(evaluations).toContainText('Fired')
  await expect(page.getByRole('region', { name: 'Facts' })).toContainText('Firing since')
  await expect(page.getByText('Alerts are evaluated late: last pass at 2 Jan')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Message' })).toContainText('🚨')
  // The limit of a key may be 10 requests in 10 seconds: what can wait leaves room for operations.
  expect(ahead.filter((path) => path.endsWith('/evaluations'))).toHaveLength(1)
  expect(ahead.filter((path) => /\/(history|deliveries|saved-searches)$/.test(path))).toEqual([])

  await page.getByRole('button', { name: 'Silence', exact: true }).press('Enter')
  await expect(page.getByRole('radio', { name: /1 hour/ })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.getByRole('textbox', { name: 'Reason' }).fill('Rolling back')
  // A colleague was faster: nothing is replaced before it was shown.
  await api.silence(alert.id, { mutedUntil: '2999-01-01T00:00:00Z', reason: 'Upgrade' })
  const submit = page.getByRole('button', { name: 'Silence for 6 hours' })
  await submit.press('Enter')
  await expect(page.getByRole('alert').filter({ hasText: 'Somebody else set a silence' })).toContainText('Upgrade')
  expect((await api.alert(alert.id)).silenced?.reason).toBe('Upgrade')
  await submit.press('Enter')
  await expect(page.getByRole('note').filter({ hasText: 'Rolling back' })).toBeVisible()
  expect((await api.alert(alert.id)).silenced?.reason).toBe('Rolling back')

  await page.getByRole('button', { name: 'Resume' }).press('Enter')
  await expect(page.getByRole('note').filter({ hasText: 'Rolling back' })).toHaveCount(0)
  expect((await api.alert(alert.id)).silenced).toBeUndefined()
})

test('plans a maintenance window, and says at its fields what is missing', async ({ page, api }) => {
  const alert = await api.createAlert(unique('Maintained'))
  await page.goto(`${listOf(openSource)}/${alert.id}`)
  await page.getByRole('button', { name: 'Silence', exact: true }).click()
  // The code of the field for a date is loaded now. Nothing moves when it arrives.
  const release = await hold(page, /DateTimeInput/)
  await page.getByRole('radio', { name: /^Every week/ }).check()
  const until = page.getByRole('group', { name: 'Repeat until' })
  const add = page.getByRole('button', { name: 'Add maintenance window' })
  await expect(until).toHaveAttribute('aria-busy', 'true')
  const top = async () => Math.round((await add.boundingBox())?.y ?? NaN)
  const before = await top()
  release()
  await expect(until.getByRole('spinbutton', { name: 'Year' })).toBeVisible()
  expect(await top()).toBe(before)
  await add.click()
  await expect(page.getByText('Choose at least one weekday.')).toBeVisible()
  await expect(page.getByText('Choose when the silence ends.')).toBeVisible()
  await expectNoViolations(page, 'a maintenance window')
  await page.getByRole('button', { name: 'Mon' }).click()
  await page.getByRole('textbox', { name: 'Length (min)' }).fill('90')
  await typeDateTime(page, 'Repeat until', '2999-01-02 03:04')
  await add.click()
  await expect(page.getByText('Alert silenced', { exact: true })).toBeVisible()
  expect((await api.alert(alert.id)).silenced).toMatchObject({
    until: new Date(2999, 0, 2, 3, 4).toISOString(),
    recurring: { weekdays: [1], startUtc: '22:00', minutes: 90 },
  })
})

test('plans a maintenance window in the zone that is shown, and says what it replaces', async ({ page, api }) => {
  const alert = await api.createAlert(unique('Maintained there'))
  await api.silence(alert.id, { mutedUntil: '2999-01-01T00:00:00Z', reason: 'Upgrade' })
  await page.addInitScript(() =>
    localStorage.setItem('stack-console.settings', JSON.stringify({ zone: 'Pacific/Kiritimati' })),
  )
  await page.goto(`${listOf(openSource)}/${alert.id}`)
  await page.getByRole('button', { name: 'Silence', exact: true }).click()
  const replaced = page.getByRole('note').filter({ hasText: 'This replaces the silence' })
  await expect(replaced).toContainText('Upgrade')
  await page.getByRole('radio', { name: /^Every week/ }).check()
  await expect(replaced).toContainText('notifications are sent again until the window begins')
  await page.getByRole('button', { name: 'Mon' }).click()
  await page.getByLabel('Start', { exact: true }).fill('08:00')
  await typeDateTime(page, 'Repeat until', '2999-01-02 03:04')
  await expect(page.getByText(/in Pacific\/Kiritimati\. Next: Mon .* 08:00 to 09:00/)).toBeVisible()
  await expectNoViolations(page, 'a maintenance window in another zone')
  await page.getByRole('button', { name: 'Add maintenance window' }).click()
  await expect(page.getByText('Alert silenced', { exact: true })).toBeVisible()
  await expect(page.getByText('Mon 08:00 Pacific/Kiritimati for 60 min, every week')).toBeVisible()
  expect((await api.alert(alert.id)).silenced).toMatchObject({
    until: '2999-01-01T13:04:00.000Z',
    recurring: { weekdays: [1], start: '08:00', timeZone: 'Pacific/Kiritimati', minutes: 60 },
  })
})

test('a deployment without history: the states are computed from chart queries, which the page says', async ({
  page,
  api,
}) => {
  const service = unique('computed').replace(' ', '-')
  // The last window that has ended is full of them.
  await sendLogs(service, 400)
  const { id, createdAt = '' } = await api.createSearchAlert(
    service,
    `ServiceName:"${service}" AND SeverityText:"ERROR"`,
  )
  setFaults(...withoutHistory)
  // Nothing was evaluated before an alert was created: here, at the begin of the year. The page itself has the alert, too.
  await page.route(`**/alerts/${id}`, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, body: (await response.text()).replaceAll(createdAt, '2026-01-01T00:00:00.000Z') })
  })
  try {
    await page.goto(`${listOf(openSource)}/${id}`)
    const facts = page.getByRole('region', { name: 'Facts' })
    await expect(facts).toContainText('Computed from chart queries: this API has no evaluation history.')
    const evaluations = page.getByRole('table', { name: 'Evaluations' })
    await expect(evaluations.getByRole('row').nth(1)).toContainText(/Fired|Firing since/)
    await expect(facts).toContainText('Firing since')
    // The message is that of the window which fired.
    const message = page.getByRole('region', { name: 'Message' })
    await expect(message).toContainText(/as rendered at \d\d:\d\d/)
    await expect(page.getByText('This deployment’s API does not list deliveries.')).toBeVisible()
    await expect(page.getByRole('main').getByRole('alert')).toHaveCount(0)
    // Its limits are stated before anybody tries, and it is not asked again.
    const silence = page.getByRole('button', { name: 'Silence', exact: true })
    await expect(silence).toBeDisabled()
    await page.getByRole('button', { name: 'More actions' }).click()
    await expect(page.getByRole('menuitem', { name: /^Pause/ })).toBeDisabled()
    await page.keyboard.press('Escape')
    await expectNoViolations(page, 'computed states')
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.reload()
    await expect(evaluations.getByRole('row').nth(1)).toContainText(/Fired|Firing since/)
    await expect(silence).toBeDisabled()
    expect(asked.filter((path) => /\/(evaluations|history|deliveries)$/.test(path))).toEqual([])

    // The rows of what was computed are those of the window.
    await page.keyboard.press('v')
    await expect(
      page
        .getByRole('grid', { name: 'Rows' })
        .getByRole('row', { name: /order \d+/ })
        .first(),
    ).toBeVisible()
  } finally {
    await api.deleteAlert(id)
  }
})

incidentTest('the states of the page have no accessibility violations', async ({ page, incident: { id, name } }) => {
  const delivery = {
    id: 'a'.repeat(24),
    alertId: id,
    webhookName: 'Pager',
    service: 'generic',
    url: 'https://pager.example/…',
    state: 'ALERT',
    groupKey: 'ServiceName:shop-payment',
    value: 7,
    start: 1_767_322_800_000,
    end: 1_767_323_700_000,
    title: name,
    status: 'failed',
    attempts: [
      {
        at: '2026-01-02T03:15:01Z',
        reason: 'The receiver answered 503.',
        status: 503,
        answer: 'overloaded',
        duration: 12,
      },
      { at: '2026-01-02T03:16:01Z', reason: 'The receiver did not answer within 30 s.', duration: 30_000 },
    ],
    attemptCount: 6,
    createdAt: '2026-01-02T03:15:00Z',
    finishedAt: '2026-01-02T03:55:00Z',
  }
  setFaults({ match: 'GET /api/v2/alerts/*/deliveries', status: 200, body: { data: [delivery] } })
  await page.goto(`${listOf(openSource)}/${id}`)
  const evaluations = page.getByRole('table', { name: 'Evaluations' })
  const fired = evaluations.getByRole('row').filter({ hasText: 'Fired' })
  await fired.getByRole('button', { name: /^Groups of / }).click()
  await expect(evaluations).toContainText('shop-payment')
  await expect(page.getByText('The receiver did not answer within 30 s.')).toBeVisible()
  await expectNoViolations(page, 'groups and a failed delivery')

  await page.keyboard.press('s')
  await expect(page.getByRole('radio', { name: /1 hour/ })).toBeFocused()
  expect(await violations(page), 'the dialog of a silence').toEqual([])
})
