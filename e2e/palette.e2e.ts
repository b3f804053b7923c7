/** The palette creates resources from every page, if the connection allows it. */
import type { Page } from '@playwright/test'
import { expect, hasWebhooks, managed, openSource, test, withTransitions } from './support/test.ts'

withTransitions()

async function ask(page: Page, words: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Command palette' }).fill(words)
}

for (const resource of ['alert', 'source', 'webhook', 'connection'] as const) {
  test(`“new ${resource}” opens its form from another page`, async ({ page }) => {
    await page.goto(`/c/${openSource}/explorer`)
    await expect(page.getByRole('heading', { level: 1, name: 'Explorer' })).toBeVisible()
    await ask(page, `new ${resource}`)
    await expect(page.getByRole('option').first()).toContainText(`New ${resource}`)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1, name: `New ${resource}` })).toBeVisible()
  })
}

test('leaves the keys to an input method while it composes', async ({ page }) => {
  await page.goto(`/c/${openSource}/explorer`)
  await expect(page.getByRole('heading', { level: 1, name: 'Explorer' })).toBeVisible()
  await ask(page, 'new source')
  const field = page.getByRole('combobox', { name: 'Command palette' })
  await expect(page.getByRole('option').first()).toContainText('New source')
  await field.dispatchEvent('keydown', { key: 'Enter', isComposing: true })
  await field.fill('new webhook')
  await expect(page.getByRole('option').first()).toContainText('New webhook')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'New webhook' })).toBeVisible()
})

test('opens with a key that is pressed at the first sight of a page', async ({ page }) => {
  // In the task that puts the heading into the document, so before the browser could paint it.
  await page.addInitScript(() => {
    const press = () => window.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true }))
    const observer = new MutationObserver(() => {
      if (!document.querySelector('#main h1')) return
      observer.disconnect()
      press()
    })
    observer.observe(document, { childList: true, subtree: true })
  })
  await page.goto(`/c/${openSource}/explorer`)
  await expect(page.getByRole('combobox', { name: 'Command palette' })).toBeFocused()
})

test('“new dashboard” asks for a name, and leaves the URL when the dialog closes', async ({ page }) => {
  await page.goto(`/c/${managed}/services`)
  await expect(page.getByRole('heading', { level: 1, name: 'Services' })).toBeVisible()
  await ask(page, 'new dash')
  await expect(page.getByRole('option').first()).toContainText('New dashboard')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'New dashboard' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page).toHaveURL(new RegExp(`/c/${managed}/dashboards$`))
})

test('lists what a variant cannot create, with the reason', async ({ page }) => {
  await page.goto(`/c/${managed}/alerts`)
  await expect(page.getByRole('heading', { level: 1, name: 'Alerts' })).toBeVisible()
  await ask(page, 'new webhook')
  const option = page.getByRole('option', { name: /New webhook/ })
  await expect(option).toHaveAttribute('aria-disabled', String(!hasWebhooks(managed)))
  if (!hasWebhooks(managed)) await expect(option).toContainText('The managed API cannot change')
  await page.keyboard.press('Control+a')
  await page.keyboard.insertText('new pipe')
  await expect(page.getByRole('option', { name: /New pipe/ })).toHaveAttribute('aria-disabled', 'false')
})
