/** The explorer on telemetry of its own, and what tests do with its chart. */
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { sendTelemetry } from './sendTelemetry.ts'
import { expect, openSource, unique } from './test.ts'
import { now } from './now.ts'

/** Telemetry of a service that only one test knows, over the last ten minutes. */
export async function sendLogs(service: string, count: number): Promise<void> {
  const newest = now()
  const logRecords = Array.from({ length: count }, (_, index) => ({
    timeUnixNano: String(BigInt(newest - index * Math.floor(600_000 / count)) * 1_000_000n),
    severityText: index % 4 === 0 ? 'ERROR' : 'INFO',
    body: { stringValue: `order ${index}` },
  }))
  const resource = { attributes: [{ key: 'service.name', value: { stringValue: service } }] }
  await sendTelemetry('logs', { resourceLogs: [{ resource, scopeLogs: [{ logRecords }] }] })
}

export const chartOf = (page: Page) => page.getByRole('application')
export const legendOf = (page: Page) => page.getByRole('table', { name: 'Legend' })

/** The explorer on logs of one service, drawn. */
export async function openOrders(page: Page, more = ''): Promise<string> {
  const service = unique('orders').replace(' ', '-')
  await sendLogs(service, 400)
  const where = encodeURIComponent(`ServiceName:"${service}"`)
  await page.goto(`/c/${openSource}/explorer?a=count&a.where=${where}&by=SeverityText&${more}`)
  await expect(
    legendOf(page)
      .getByRole('button', { name: /ERROR$/ })
      .first(),
  ).toBeVisible()
  return service
}

export async function choose(page: Page, menu: string | RegExp, item: string | RegExp): Promise<void> {
  // A mark of changes has their names, and with them perhaps that of the menu.
  await page.getByRole('button', { name: menu, exact: true }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

/** A file that a menu item downloads. */
export async function exported(page: Page, item: string): Promise<{ name: string; content: Buffer }> {
  const [file] = await Promise.all([page.waitForEvent('download'), choose(page, 'Export', item)])
  return { name: file.suggestedFilename(), content: await readFile(await file.path()) }
}
