/** Figures that come from the MCP endpoint of a deployment, because its API lacks them: on an open-source deployment that is simulated. */
import type { Page } from '@playwright/test'
import { consoleHeader } from '../../src/contract/wire/gatewayWire.ts'
import { startToolServer, type ToolServer } from '../../src/node/testing/toolServer.ts'
import { violations } from '../support/axe.ts'
import { sqlTiles } from '../support/dashboards.ts'
import { apiURL, credentials } from '../support/environment.ts'
import { choose } from '../support/explorer.ts'
import { send } from '../support/requests.ts'
import { expect, test, unique } from '../support/test.ts'
import { now } from '../support/now.ts'

let server: ToolServer
let connectionId: string

test.beforeEach(async ({ page }) => {
  const key = credentials().personalAccessKey
  server = await startToolServer({ key, behind: apiURL, tools: {} })
  const input = { variant: 'openSource', baseUrl: server.url, allowPrivate: true, accessKey: key }
  const { id } = await send(page, 'POST', '/api/connections', { name: unique('Tools'), ...input })
  connectionId = String(id)
})
test.afterEach(async () => {
  await server.close()
})

const metric = (name: string, kind = 'gauge') => ({ name, kind, unit: '1' })

async function stored(page: Page): Promise<object> {
  const list = await (await page.request.get('/api/connections', { headers: { [consoleHeader]: '1' } })).json()
  return list.find(({ id }: { id: string }) => id === connectionId)
}

async function openMetrics(page: Page): Promise<void> {
  await page.goto(`/c/${connectionId}/explorer?a=avg&a.in=Metrics&a.type=gauge&a.metric=shop`)
  await page.getByRole('combobox', { name: 'Metric', exact: true }).click()
}

test('suggests the metrics of the endpoint, and says so', async ({ page }) => {
  server.options.tools.listMetrics = () => ({
    metrics: [metric('shop.queue.length'), metric('<b>shop</b>.hostile'), metric('shop.orders', 'sum')],
  })
  await openMetrics(page)
  await expect(page.getByRole('option')).toHaveText(['shop.queue.length', '<b>shop</b>.hostile'])
  await expect(
    page.getByText('From the deployment’s MCP endpoint: metrics with points in the last 24 hours.'),
  ).toBeVisible()
  expect(await violations(page)).toEqual([])
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('combobox', { name: 'Metric', exact: true })).toHaveValue('shop.queue.length')
})

test('suggests those of dashboards where the endpoint fails or is missing', async ({ page }) => {
  server.options.tools.listMetrics = () => {
    throw new Error('listing timed out')
  }
  await openMetrics(page)
  await expect(
    page.getByText('Suggestions come from dashboards. This deployment does not list its metrics.'),
  ).toBeVisible()
})

test('runs SQL with the tool of the endpoint, and says so', async ({ page }) => {
  const columns = 'Timestamp\tDateTime64(9)\nServiceName\tString'
  server.options.tools.listSources = () => ({ sources: [], connections: [{ id: 'main', name: 'Main' }] })
  server.options.tools.sql = ({ sql }) => {
    if (String(sql).includes('system.columns')) {
      const table = {
        database: 'default',
        name: 'otel_logs',
        engine: 'MergeTree',
        sorting_key: 'Timestamp',
        rows: '5',
        bytes: '10',
        last_page: '0',
        tables: '1',
      }
      return { result: { data: [{ ...table, columns }], rows: 1 } }
    }
    const meta = [
      { name: 'service', type: 'String' },
      { name: 'records', type: 'UInt64' },
    ]
    return { result: { meta, data: [{ service: 'checkout', records: '42' }], rows: 9 }, note: 'Result was trimmed.' }
  }
  await page.goto(`/c/${connectionId}/explorer/sql`)
  await page.getByRole('button', { name: 'Columns of otel_logs', exact: true }).click()
  await expect(page.getByRole('button', { name: 'ServiceName', exact: true })).toBeVisible()
  await expect(page.getByText(/From the deployment’s MCP endpoint/)).toBeVisible()
  const editor = page.getByRole('textbox', { name: 'SQL statement' })
  await editor.press('ControlOrMeta+Enter')
  await expect(page.getByRole('grid', { name: 'Rows' })).toContainText('checkout')
  await expect(page.getByText(/There are more rows/)).toBeVisible()
  expect(await violations(page)).toEqual([])

  await editor.press('ControlOrMeta+A')
  await page.keyboard.press('Delete')
  await page.keyboard.insertText("SELECT * FROM url('http://127.0.0.1/')")
  await editor.press('ControlOrMeta+Enter')
  await expect(page.getByRole('alert')).toContainText('Line 1, column 15: the function url is not allowed')

  await send(page, 'PUT', `/api/connections/${connectionId}`, { ...(await stored(page)), stage: 'production' })
  await page.reload()
  await expect(page.getByText(/is off on production/)).toBeVisible()
})

test.describe('with telemetry', () => {
  test.use({ telemetry: true })

  test('shows drafts where the deployment does not tell its SQL, and runs them with the tool', async ({ page }) => {
    const columns = 'Timestamp\tDateTime64(9)\nServiceName\tString'
    const table = { database: 'default', name: 'otel_logs', engine: 'MergeTree', columns }
    const sent: string[] = []
    server.options.tools.listSources = () => ({ sources: [], connections: [{ id: 'main', name: 'Main' }] })
    server.options.tools.sql = ({ sql }) => {
      if (String(sql).includes('system.columns')) return { result: { data: [table], rows: 1 } }
      sent.push(String(sql))
      return { result: { meta: [{ name: 'A', type: 'UInt64' }], data: [{ A: '42' }], rows: 1 } }
    }
    const where = encodeURIComponent('order -SeverityText:"info"')
    await page.goto(`/c/${connectionId}/explorer?a=count&a.where=${where}&by=ServiceName`)
    await choose(page, 'Share', /Show SQL/)
    const dialog = page.getByRole('dialog', { name: 'SQL' })
    await expect(dialog.getByRole('note')).toContainText(
      'Draft: written by the console; the deployment’s own statement may differ.',
    )
    const draft = dialog.getByRole('textbox', { name: 'Draft for this chart' })
    await expect(draft).toContainText("Body ILIKE '%order%'")
    expect(await violations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Open in SQL' }).click()
    const editor = page.getByRole('textbox', { name: 'SQL statement' })
    await expect(editor).toContainText('-- Draft: written by the console')
    await editor.press('ControlOrMeta+Enter')
    await expect(page.getByRole('grid', { name: 'Rows' })).toContainText('42')
    expect(sent.join()).toContain('GROUP BY time, ServiceName')

    // Deployments find other rows for text without a field: no draft of this search would be right.
    await page.goto(`/c/${connectionId}/search?q=order`)
    await choose(page, 'Export', /Show SQL/)
    await expect(dialog.getByRole('region', { name: 'No draft for this search' })).toContainText('as in Body:order')
    await expect(dialog.getByRole('button', { name: 'Open in SQL' })).toBeHidden()
  })

  test('draws Raw SQL tiles with the tool of the endpoint, and says so', async ({ page }) => {
    const meta = [
      { name: 'ts', type: 'DateTime' },
      { name: 'service', type: 'String' },
      { name: 'n', type: 'UInt64' },
    ]
    const minute = 60_000
    const last = Math.floor(now() / minute) * minute - 5 * minute
    const at = (back: number) => new Date(last - back * minute).toISOString()
    const rows = ['checkout', 'payments'].flatMap((service, place) =>
      [0, 1, 2].map((back) => ({ ts: at(back), service, n: String(10 * (place + 1) + back) })),
    )
    const statements: string[] = []
    server.options.tools.sql = (input) => {
      statements.push(`${String(input['connectionId'])} ${String(input['sql'])}`)
      return { result: { meta, data: rows, rows: rows.length } }
    }
    const byService = 'SELECT $__timeInterval(Timestamp) AS ts, service, count() AS n FROM logs GROUP BY ts, service'
    const { id, name, tiles } = await sqlTiles({
      'Rows by service': { sqlTemplate: byService },
      'Reads an address': { sqlTemplate: "SELECT * FROM url('http://127.0.0.1/')" },
    })
    await page.goto(`/c/${connectionId}/dashboards/${id}?from=now-1h`)
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
    const tile = page.getByRole('region', { name: 'Rows by service' })
    await expect(tile.getByRole('group', { name: 'Legend' })).toContainText('payments')
    await expect(tile.getByText('From the deployment’s MCP endpoint.')).toBeVisible()
    expect(statements[0]).toContain(
      `${String(tiles[0]?.config?.['connectionId'])} SELECT * FROM (\nSELECT (toStartOfInterval(`,
    )
    const refused = page.getByRole('region', { name: 'Reads an address' })
    await expect(refused).toContainText('The SQL cannot be run: the function url is not allowed.')
    expect(statements).toHaveLength(1)
    expect(await violations(page)).toEqual([])
    await tile.getByRole('button', { name: 'Show Rows by service as table' }).click()
    await expect(tile.getByRole('table')).toContainText('22')

    await send(page, 'PUT', `/api/connections/${connectionId}`, { ...(await stored(page)), stage: 'production' })
    await page.reload()
    await expect(tile.getByText(/SQL through the deployment’s MCP endpoint is off on production/)).toBeVisible()
    await expect(tile.getByText(/GROUP BY ts, service/)).toBeVisible()
  })

  test('says that neither API nor endpoint can run the SQL of a tile', async ({ page }) => {
    const { id } = await sqlTiles({ Rows: { sqlTemplate: 'SELECT count() AS n FROM logs' } })
    await page.goto(`/c/${connectionId}/dashboards/${id}`)
    const tile = page.getByRole('region', { name: 'Rows' })
    await expect(tile.getByText(/This deployment’s API cannot run the SQL of tiles/)).toBeVisible()
    await expect(tile.getByText(/MCP endpoint has no such tool/)).toBeVisible()
    // It is not asked again with every visit.
    const asked = server.paths.filter((path) => path.endsWith('/sql/tiles')).length
    await page.reload()
    await expect(tile.getByText(/This deployment’s API cannot run the SQL of tiles/)).toBeVisible()
    expect(server.paths.filter((path) => path.endsWith('/sql/tiles'))).toHaveLength(asked)
  })

  test('the page of an alert has the evaluations of the endpoint, and computes the rest', async ({ page, api }) => {
    const { id } = await api.createAlert(unique('Recorded'))
    const minute = 60_000
    const end = Math.floor(now() / minute) * minute
    const window = (back: number, state: string, count: number) => ({
      createdAt: new Date(end - back * minute).toISOString(),
      state,
      counts: Number(state === 'ALERT'),
      lastValues: [{ startTime: new Date(end - (back + 1) * minute).toISOString(), count }],
    })
    server.options.tools.getAlert = () => ({
      history: [window(0, 'ALERT', 4321), window(1, 'OK', 2), window(2, 'OK', 1)],
    })
    await page.goto(`/c/${connectionId}/alerts/${id}`)
    const panel = page.getByRole('region', { name: 'Evaluations' })
    await expect(
      panel.getByText(
        /From the deployment’s MCP endpoint, which returns the newest 20 windows, none older than 21 intervals/,
      ),
    ).toBeVisible()
    await expect(panel.getByRole('table')).toContainText('4.3 µs')
    // A new alert: nothing can be computed yet, and what the endpoint tells is not contradicted.
    await expect(page.getByRole('main')).toContainText(/Last evaluated\s*\d\d:\d\d/)
    await expect(page.getByText('No window was evaluated yet.')).toBeHidden()
    // Silences come with the evaluations of an API, not with those of a tool.
    await expect(page.getByRole('button', { name: /Silence/ })).toBeDisabled()
    expect(await violations(page)).toEqual([])
  })
})
