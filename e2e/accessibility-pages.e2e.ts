/** No violation that axe can find, on every route, in both themes. */
import { violations } from './support/axe.ts'
import { loaded } from './support/stillPages.ts'
import { expect, managed, openSource, test } from './support/test.ts'

test.use({ telemetry: true })

const lists = [
  'dashboards',
  'alerts',
  'alerts/new',
  'sources',
  'webhooks',
  'saved-searches',
  'saved-searches/new',
  'search',
  'explorer',
]
const routes = {
  'of the console': [
    '/',
    '/settings',
    '/sessions',
    '/people',
    '/account',
    '/agents',
    '/audit',
    '/connections',
    '/connections/new',
    '/c/nowhere/alerts',
    '/not-a-page',
  ],
  'of an open-source connection': [...lists, 'team', 'keys'].map((at) => `/c/${openSource}/${at}`),
  'of a managed connection': [...lists, 'services', 'pipes', 'not-a-page'].map((at) => `/c/${managed}/${at}`),
}

for (const [which, addresses] of Object.entries(routes)) {
  test(`the pages ${which} have no accessibility violations`, async ({ page }) => {
    for (const address of addresses) {
      await page.goto(address)
      await expect(page.getByRole('heading').first()).toBeVisible()
      await loaded(page)
      expect.soft(await violations(page), address).toEqual([])
    }
  })
}

test('the sign-in page has no accessibility violations', async ({ otherBrowser }) => {
  const context = await otherBrowser()
  const page = await context.newPage()
  await page.goto('/sign-in')
  await expect(page.getByRole('heading').first()).toBeVisible()
  expect(await violations(page)).toEqual([])
})

test('the command palette and the help have no accessibility violations', async ({ page }) => {
  await page.goto(`/c/${openSource}/alerts`)
  await expect(page.getByRole('table', { name: 'Alerts' })).toBeVisible()
  for (const key of ['Control+k', '?']) {
    await page.keyboard.press(key)
    await expect(page.getByRole('dialog')).toBeVisible()
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
})
