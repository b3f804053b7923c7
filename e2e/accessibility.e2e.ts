/** No violation that axe can find, on every route, in both themes. */
import { violations } from './axe.ts'
import { expect, managed, openSource, test } from './support.ts'

const routes = [
  '/connections',
  '/connections/new',
  ...['dashboards', 'alerts', 'alerts/new', 'sources', 'webhooks', 'explorer'].map((at) => `/c/${openSource}/${at}`),
  ...['dashboards', 'alerts', 'alerts/new', 'sources', 'webhooks', 'explorer', 'services', 'pipes'].map(
    (at) => `/c/${managed}/${at}`,
  ),
  '/c/nowhere/alerts',
  '/not-a-page',
]

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`in the ${colorScheme} theme`, () => {
    test.use({ colorScheme })
    for (const route of routes) {
      test(`${route} has no violation`, async ({ page }) => {
        await page.goto(route)
        await expect(page.getByRole('heading').first()).toBeVisible()
        await page.waitForLoadState('networkidle')
        expect(await violations(page)).toEqual([])
      })
    }

    test('an alert and its form have no violation', async ({ page, api }) => {
      const [alert] = await api.alerts()
      for (const at of ['', '/edit']) {
        await page.goto(`/c/${openSource}/alerts/${alert?.id}${at}`)
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
        await page.waitForLoadState('networkidle')
        expect(await violations(page)).toEqual([])
      }
    })

    test('the sign-in page has no violation', async ({ browser }) => {
      const context = await browser.newContext({ colorScheme, storageState: { cookies: [], origins: [] } })
      const page = await context.newPage()
      await page.goto('/sign-in')
      await expect(page.getByRole('heading').first()).toBeVisible()
      expect(await violations(page)).toEqual([])
      await context.close()
    })

    test('palette and help have no violation', async ({ page }) => {
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
  })
}
