/** The list and the form of alerts. */
import type { Page } from '@playwright/test'

export const listOf = (connectionId: string) => `/c/${connectionId}/alerts`

export const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })

export async function searchAlerts(page: Page, text: string): Promise<void> {
  await page.getByRole('searchbox', { name: 'Search alerts' }).fill(text)
}

/** Chooses in a field of a form. */
export async function pick(page: Page, label: string, option: string | RegExp): Promise<void> {
  await page.getByRole('combobox', { name: label }).click()
  await page.getByRole('option', { name: option }).first().click()
}

/** Fills what an alert needs; the webhook by name where the variant lists them, by id where it does not. */
export async function fillAlert(page: Page, name: string, webhookId: string | null): Promise<void> {
  await page.getByRole('textbox', { name: 'Name' }).fill(name)
  await pick(page, 'Dashboard', 'Stack health')
  await pick(page, 'Tile', 'Failed requests')
  await page.getByRole('textbox', { name: 'Threshold', exact: true }).fill('25')
  if (webhookId === null) await pick(page, 'Webhook', 'Local example')
  else await page.getByRole('textbox', { name: /webhook/i }).fill(webhookId)
}
