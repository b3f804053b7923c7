/** Helpers for tests of dashboards: initial dashboards, and steps on their pages. */
import type { Page } from '@playwright/test'
import { z } from 'zod'
import { alert } from '../../src/contract/stack/alerts.ts'
import { dashboard, type Dashboard } from '../../src/contract/stack/dashboards/dashboards.ts'
import { apiURL, credentials } from './environment.ts'
import { sendLogs } from './explorer.ts'
import { expect, unique } from './test.ts'

export const listOf = (connectionId: string) => `/c/${connectionId}/dashboards`

/** Requests to the stack: changes by somebody else, and what is stored. */
export async function stack<S extends z.ZodType>(
  schema: S,
  method: string,
  path: string,
  body?: unknown,
): Promise<z.output<S>> {
  const answer = await fetch(`${apiURL}/api/v2${path}`, {
    method,
    headers: { authorization: `Bearer ${credentials().personalAccessKey}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  expect(answer.ok, `${method} ${path}: ${answer.status} ${text}`).toBe(true)
  return schema.parse(z.object({ data: z.unknown() }).parse(JSON.parse(text)).data)
}

export const read = (id: string) => stack(dashboard, 'GET', `/dashboards/${id}`)
export const sources = () =>
  stack(z.array(z.object({ id: z.string(), kind: z.string(), name: z.string() })), 'GET', '/sources')

const line = (name: string, x: number, sourceId: string) => ({
  name,
  x,
  y: 0,
  w: 12,
  h: 6,
  config: { displayType: 'line', sourceId, select: [{ aggFn: 'count' }], groupBy: 'ServiceName' },
})

/** A dashboard of two line tiles, "Left" and "Right". */
export async function twoTiles(): Promise<Dashboard> {
  const [source] = await sources()
  const tiles = [line('Left', 0, source?.id ?? ''), line('Right', 12, source?.id ?? '')]
  return stack(dashboard, 'POST', '/dashboards', { name: unique('Two tiles'), tiles })
}

/** A dashboard of Raw SQL tiles by their names, lines unless they say otherwise. */
export async function sqlTiles(configs: Record<string, object>): Promise<Dashboard> {
  const [source] = await stack(z.array(z.object({ connection: z.string() })), 'GET', '/sources')
  const shared = { configType: 'sql', displayType: 'line', connectionId: source?.connection }
  const tiles = Object.entries(configs).map(([name, config], at) => ({
    name,
    x: 12 * (at % 2),
    y: 6 * Math.floor(at / 2),
    w: 12,
    h: 6,
    config: { ...shared, ...config },
  }))
  return stack(dashboard, 'POST', '/dashboards', { name: unique('SQL tiles'), tiles })
}

let services: Promise<unknown> | undefined

/** Two tiles with a line for each of two services at least, for tests with telemetry. */
export async function drawnTiles(): Promise<Dashboard> {
  // Once: the tests of a worker share its stack.
  await (services ??= Promise.all([sendLogs('checkout', 20), sendLogs('payments', 10)]))
  return twoTiles()
}

/** Two tiles, and a filter by service; `more` are fields of the filter, `config` of both tiles. */
export async function filtered(more: object = {}, config: object = {}): Promise<Dashboard> {
  const { id, name, tiles } = await drawnTiles()
  const sourceId = tiles[0]?.config?.sourceId
  const filter = { id: 'f1', type: 'QUERY_EXPRESSION', name: 'Service', expression: 'ServiceName', sourceId, ...more }
  const changed = tiles.map((tile) => ({ ...tile, config: { ...tile.config, ...config } }))
  return stack(dashboard, 'PUT', `/dashboards/${id}`, { name, tiles: changed, filters: [filter] })
}

/** An alert on the first tile. */
export const alertOn = ({ id, tiles }: Dashboard, name: string | undefined, webhookId: string | undefined) =>
  stack(alert, 'POST', '/alerts', {
    source: 'tile',
    dashboardId: id,
    tileId: tiles[0]?.id,
    name,
    threshold: 1,
    thresholdType: 'above',
    interval: '5m',
    channel: { type: 'webhook', webhookId },
  })

export const edit = async (page: Page, connectionId: string, id: string) => {
  await page.goto(`${listOf(connectionId)}/${id}?edit=1`)
  await expect(page.getByRole('region', { name: 'Draft' })).toBeVisible()
}

export async function fromMenu(page: Page, of: string, item: string): Promise<void> {
  await page.getByRole('button', { name: `Actions of ${of}`, exact: true }).click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

export async function rename(page: Page, tile: string, name: string): Promise<void> {
  await fromMenu(page, tile, 'Edit')
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name', exact: true }).fill(name)
  await page.getByRole('button', { name: 'Apply' }).click()
}

export async function review(page: Page) {
  await page.getByRole('button', { name: /^Review/ }).click()
  const dialog = page.getByRole('dialog', { name: /^Save dashboard .*\?$/ })
  await expect(dialog.getByRole('heading', { name: 'Changes', exact: true })).toBeVisible()
  return dialog
}

/** Waits for the message or the dialog after a save. */
export async function expectSaved(page: Page): Promise<void> {
  await expect(page.getByText(/^(Saved|Dashboard .* saved)$/)).toBeVisible()
}
