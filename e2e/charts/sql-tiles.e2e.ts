/** Raw SQL tiles on the stack, which runs their statements itself. */
import { expectNoViolations } from '../support/axe.ts'
import { fromMenu, listOf, read, sqlTiles, stack } from '../support/dashboards.ts'
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
    tiles: tiles.map((one) =>
      one.name === 'Number' ? { ...one, config: { ...one.config, sqlTemplate: 'SELECT 4242 AS n' } } : one,
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
