/** Raw SQL tiles on the stack, which runs their statements itself. */
import { expectNoViolations } from '../support/axe.ts'
import { fromMenu, listOf, read, sources, sqlTiles, stack } from '../support/dashboards.ts'
import { sendLogs } from '../support/explorer.ts'
import { dashboard } from '../../src/contract/stack/dashboards/dashboards.ts'
import { expect, openSource, test, unique } from '../support/test.ts'

test.use({ telemetry: true })

test('draws the statements of tiles as their kinds do, and says what one lacks', async ({ page }) => {
  const service = unique('sql').replaceAll(/\W/g, '-').toLowerCase()
  await Promise.all([sendLogs(`${service}-a`, 7), sendLogs(`${service}-b`, 4)])
  const rows = `FROM default.otel_logs WHERE $__timeFilter(Timestamp) AND startsWith(ServiceName, '${service}')`
  const counted = `SELECT ServiceName AS service, count() AS n ${rows} GROUP BY service ORDER BY n`
  const { id, name, tiles } = await sqlTiles({
    Lines: {
      sqlTemplate: `SELECT $__timeInterval(Timestamp) AS ts, ServiceName, count() AS n ${rows} GROUP BY ts, ServiceName`,
    },
    Number: { displayType: 'number', sqlTemplate: `SELECT count() AS n, 5 AS other ${rows}` },
    Table: { displayType: 'table', sqlTemplate: `SELECT service, n, toDate('2026-01-02') AS day FROM (${counted})` },
    Bars: { displayType: 'bar', sqlTemplate: counted },
    Wrong: { sqlTemplate: 'SELECT nothing FROM default.otel_logs' },
    Timeless: { sqlTemplate: counted },
  })
  await page.goto(`${listOf(openSource)}/${id}?from=now-1h`)
  const tile = (title: string) => page.getByRole('region', { name: title, exact: true }).first()
  await expect(tile('Lines').getByRole('group', { name: 'Legend' })).toContainText(`${service}-b`)
  await expect(tile('Number')).toContainText('11')
  await expect(tile('Table').locator('tbody tr')).toHaveText([`${service}-b42026-01-02`, `${service}-a72026-01-02`])
  await expect(tile('Bars').getByRole('listitem')).toHaveText([`${service}-b4`, `${service}-a7`])
  await expect(tile('Wrong')).toContainText('The SQL cannot be run: "nothing": the column does not exist.')
  await expect(tile('Timeless')).toContainText('A chart needs a column with times')
  await expectNoViolations(page, 'Raw SQL tiles')

  // The statement that is saved is run, and no draft of it.
  await stack(dashboard, 'PUT', `/dashboards/${id}`, {
    name,
    tiles: tiles.map((shown) =>
      shown.name === 'Number' ? { ...shown, config: { ...shown.config, sqlTemplate: 'SELECT 4242 AS n' } } : shown,
    ),
  })
  await page.reload()
  await expect(tile('Number')).toContainText('4,242')
  expect((await read(id)).tiles).toHaveLength(6)
  await fromMenu(page, 'Number', 'Edit')
  const editor = page.getByRole('dialog', { name: 'Number' })
  await expect(editor.getByRole('region', { name: 'Preview' })).toContainText('4,242')
  const statement = editor.getByRole('textbox', { name: /SQL/ })
  await statement.press('ControlOrMeta+A')
  await page.keyboard.press('Delete')
  await page.keyboard.insertText('SELECT 1 AS n')
  await expect(editor.getByRole('region', { name: 'Preview' })).toContainText('save the dashboard to see it')
})

test('obeys the filters and variables of the dashboard, and values stay values', async ({ page }) => {
  const service = unique('sql').replaceAll(/\W/g, '-').toLowerCase()
  await Promise.all([sendLogs(`${service}-a`, 7), sendLogs(`${service}-b`, 4)])
  const rows = `FROM default.otel_logs WHERE $__timeFilter(Timestamp) AND startsWith(ServiceName, '${service}')`
  const sourceId = (await sources()).find(({ kind }) => kind === 'log')?.id
  const { id, name, tiles } = await sqlTiles({
    Filtered: { displayType: 'number', sourceId, sqlTemplate: `SELECT count() AS n ${rows} AND $__filters` },
    Variable: { displayType: 'number', sqlTemplate: `SELECT count() AS n ${rows} AND $__filter(ServiceName, $svc)` },
    Unfiltered: { displayType: 'number', sqlTemplate: `SELECT count() AS n ${rows}` },
    Quoted: { displayType: 'number', sqlTemplate: `SELECT count() AS n ${rows} AND ServiceName = '$svc'` },
  })
  const filter = { id: 'f1', type: 'QUERY_EXPRESSION', name: 'Service', expression: 'ServiceName', sourceId }
  const variable = { isVariableEnabled: true, variableName: 'svc' }
  const all = { name, tiles, filters: [{ ...filter, ...variable }] }
  const { filters } = await stack(dashboard, 'PUT', `/dashboards/${id}`, all)
  const open = (values: string[], more = '') => {
    const chosen = `f.${filters[0]?.id}=${encodeURIComponent(JSON.stringify(values))}`
    return page.goto(`${listOf(openSource)}/${id}?from=now-1h&${chosen}${more}`)
  }
  const tile = (title: string) => page.getByRole('region', { name: title, exact: true }).first()

  await open([])
  for (const title of ['Filtered', 'Variable', 'Unfiltered']) await expect(tile(title)).toContainText('11')
  await open([`${service}-a`])
  await expect(tile('Filtered')).toContainText('7')
  await expect(tile('Variable')).toContainText('7')
  await expect(tile('Unfiltered')).toContainText('11')
  await expect(tile('Unfiltered')).toContainText('the SQL has no $__filters')
  await expect(tile('Quoted')).toContainText('$svc has quotes of its own')
  await expectNoViolations(page, 'Raw SQL tiles with filters')

  // The query of the dashboard is in the other language.
  await open([`${service}-a`, `${service}-b`], `&q=${encodeURIComponent(`ServiceName:"${service}-b"`)}`)
  await expect(tile('Filtered')).toContainText('4')
  await expect(tile('Variable')).toContainText('11')
  await open(["' OR 1=1 --", "\\') OR (1=1", '$svc $__filters'])
  await expect(tile('Filtered')).toContainText('0')
  await expect(tile('Variable')).toContainText('0')
  // A text that is more than a condition reaches no statement.
  await open([], `&ql=sql&q=${encodeURIComponent('1=1) OR (1=1')}`)
  await expect(tile('Filtered')).toContainText('The condition cannot be read: 1=1) OR (1=1')
  await expect(tile('Unfiltered')).toContainText('11')
})
