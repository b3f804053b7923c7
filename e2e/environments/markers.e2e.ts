import type { Page } from '@playwright/test'
import { violations } from '../support/axe.ts'
import { drawnTiles } from '../support/dashboards.ts'
import { chartOf, exported, openOrders } from '../support/explorer.ts'
import { responseTo } from '../support/requests.ts'
import { incidentTest } from '../support/sampleIncident.ts'
import { expect, managed, openSource, test, unique } from '../support/test.ts'

test.use({ telemetry: true })

/** Saves a dashboard, as another page of the same person would. */
async function saveDashboard(page: Page, name: string): Promise<void> {
  const body = { name, tags: [], tiles: [] }
  const { status, text } = await responseTo(page, 'POST', `/api/c/${openSource}/stack/dashboards`, body)
  expect(status, text).toBe(200)
}

/** Shows changes of one kind only: those of other tests, near in time, would be one mark with them. */
async function showOnly(page: Page, kind: string): Promise<void> {
  await page.getByRole('button', { name: 'Changes', exact: true }).click()
  const panel = page.getByRole('dialog', { name: 'Changes in charts' })
  const wanted = panel.getByRole('switch', { name: kind, exact: true })
  // `all` does not wait for the panel, which is loaded when it is opened.
  await expect(wanted).toBeVisible()
  for (const other of await panel.getByRole('switch').all()) await other.uncheck()
  await wanted.check()
  await page.keyboard.press('Escape')
  await expect(panel).toBeHidden()
}

const changes = (page: Page) => page.getByRole('group', { name: /^Changes on the time axis/ })
const card = (page: Page) => page.getByTestId('marker-card')

test('marks a saved dashboard in the explorer, and leads to what changed with the keyboard alone', async ({ page }) => {
  const name = unique('Checkout overview')
  await saveDashboard(page, name)
  await openOrders(page, 'from=now-15m')
  const mark = changes(page).getByRole('button').last()
  await expect(mark).toHaveAccessibleName(new RegExp(`${name}: Dashboard created, by `))
  await chartOf(page).focus()
  await expect(async () => {
    await page.keyboard.press('Tab')
    await expect(changes(page).locator(':focus')).toHaveCount(1, { timeout: 100 })
  }).toPass()
  await page.keyboard.press('End')
  await expect(mark).toBeFocused()
  await expect(card(page)).toContainText(name)
  await expect(card(page)).toContainText('Dashboard created')
  await page.keyboard.press('Escape')
  await expect(card(page)).toBeHidden()
  await expect(mark).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(card(page)).toBeVisible()
  const link = card(page).getByRole('link', { name: `Show diff: ${name}` })
  await expect(async () => {
    await page.keyboard.press('Tab')
    await expect(link).toBeFocused({ timeout: 100 })
  }).toPass()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/history\?/)
  await expect(page.getByRole('group', { name: 'Changes' }).getByRole('button', { pressed: true })).toContainText(name)
})

test('changes are hidden and shown with a key, and by kind', async ({ page }) => {
  await saveDashboard(page, unique('Hidden for a while'))
  await openOrders(page, 'from=now-15m')
  await expect(changes(page)).toBeVisible()
  await page.keyboard.press('m')
  await expect(changes(page)).toBeHidden()
  await expect(page.getByRole('button', { name: 'Changes: off' })).toBeVisible()
  await page.keyboard.press('m')
  await expect(changes(page)).toBeVisible()
  await page.getByRole('button', { name: 'Changes', exact: true }).click()
  const panel = page.getByRole('dialog', { name: 'Changes in charts' })
  const kinds = panel.getByRole('group', { name: 'Kinds of changes' }).getByRole('switch')
  await expect(kinds).toHaveCount(8)
  for (const kind of await kinds.all()) await kind.uncheck()
  await page.keyboard.press('Escape')
  await expect(panel).toBeHidden()
  await expect(changes(page)).toBeHidden()
  await page.getByRole('button', { name: 'Changes', exact: true }).click()
  await panel.getByRole('switch', { name: 'Dashboards' }).check()
  await page.keyboard.press('Escape')
  await expect(changes(page)).toBeVisible()
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog').getByText('Show or hide changes in charts')).toBeVisible()
})

test('a name is shown as it is, never as markup, on the page and in a file', async ({ page }) => {
  const name = unique('<img src=x onerror=alert(1)>')
  await saveDashboard(page, name)
  await openOrders(page, 'from=now-15m')
  await changes(page).getByRole('button').last().hover()
  await expect(card(page)).toContainText(name)
  expect(await violations(page)).toEqual([])
  const { content } = await exported(page, 'Chart as SVG')
  expect(content.toString()).not.toContain('<img')
  expect(content.toString()).toMatch(/changes<\/text>|&lt;img/)
})

test('marks fit on a narrow screen, and a tap shows what they are', async ({ page }) => {
  const name = unique('Phone')
  await saveDashboard(page, name)
  await page.setViewportSize({ width: 390, height: 844 })
  await openOrders(page, 'from=now-15m')
  await changes(page).getByRole('button').last().click()
  await expect(card(page)).toContainText(name)
  const box = await card(page).boundingBox()
  expect(box && box.x >= 0 && box.x + box.width <= 390).toBe(true)
})

test('a release pipeline reports a deployment, which the explorer and the tiles of a dashboard mark', async ({
  page,
}) => {
  const version = unique('1.42')
  const path = `/api/c/${openSource}/markers`
  const report = { id: version.replaceAll(' ', '-'), title: `Payment ${version}`, service: 'payment', version }
  const { status, text } = await responseTo(page, 'POST', path, { ...report, url: 'https://ci.example.com/runs/7' })
  expect(status, text).toBe(200)
  await openOrders(page, 'from=now-15m')
  await showOnly(page, 'Deployments')
  const mark = changes(page).getByRole('button', { name: new RegExp(`Payment ${version}: Deployment of payment`) })
  await mark.hover()
  const release = card(page).getByRole('link', { name: 'Show release' })
  await expect(release).toHaveAttribute('href', 'https://ci.example.com/runs/7')
  await expect(release).toHaveAttribute('rel', /noopener/)
  const { content } = await exported(page, 'Chart as SVG')
  expect(content.toString()).toContain(`Payment ${version}`)

  const { id } = await drawnTiles()
  await page.goto(`/c/${openSource}/dashboards/${id}?from=now-15m`)
  await showOnly(page, 'Deployments')
  await expect(
    changes(page)
      .first()
      .getByRole('button', { name: new RegExp(`Payment ${version}`) }),
  ).toBeVisible()
  await page.keyboard.press('m')
  await expect(changes(page)).toHaveCount(0)
})

incidentTest(
  'an alert says what changed before it fired: the deployment that brought the incident of the sample',
  async ({ page, incident: { id } }) => {
    await page.goto(`/c/${openSource}/alerts/${id}?range=7d`)
    await expect(page.getByRole('link', { name: 'Overview', exact: true })).toHaveAttribute('aria-current', 'page')
    const before = page.getByRole('link', { name: /^\d+ changes? in the 30 minutes before it fired$/ })
    await expect(before).toBeVisible()
    const deployment = changes(page).getByRole('button', {
      name: /shop-payment 4\.3\.0: Deployment of shop-payment/,
    })
    await expect(deployment).toBeVisible()

    // The managed API has no telemetry: the deployments are those of the connection that answers for its charts.
    await page.goto(`/c/${managed}/alerts/${id}?range=7d`)
    await expect(page.getByText(/^Values from /)).toBeVisible()
    await expect(deployment).toBeVisible()
  },
)
