/** The search page on logs that only one test knows. */
import type { Page } from '@playwright/test'
import { sendLogs } from '../support/explorer.ts'
import { expect, openSource, unique } from '../support/test.ts'

export const rowsOf = (page: Page) => page.getByRole('grid', { name: 'Rows' })
export const details = (page: Page) => page.getByRole('region', { name: 'Row details' })
export const status = (page: Page) => page.getByRole('status').filter({ hasText: 'loaded' })

/** The page on the logs of one service that no other test knows. */
export async function openSearch(page: Page, count = 40, more = ''): Promise<string> {
  const service = unique('orders').replace(' ', '-')
  await sendLogs(service, count)
  const q = encodeURIComponent(`ServiceName:"${service}"`)
  await page.goto(`/c/${openSource}/search?q=${q}${more}`)
  await expect(rowsOf(page).getByRole('row', { name: 'order 0', exact: false }).first()).toBeVisible()
  return service
}
