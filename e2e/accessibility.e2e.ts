/** No violation that axe can find, on every route, in both themes. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import { expect, managed, openSource, test } from './support.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  const found: { id: string; nodes: { html: string; failureSummary?: string }[] }[] = await page.evaluate(
    (values) =>
      // axe is what was just evaluated.
      (globalThis as unknown as { axe: { run(options: object): Promise<{ violations: [] }> } }).axe
        .run({ runOnly: { type: 'tag', values } })
        .then((results) => results.violations),
    tags,
  )
  return found.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html} ${node.failureSummary ?? ''}`))
}

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
