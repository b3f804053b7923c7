/** Alerts, searches and traces on a screen of 390 pixels. */
import { expectFits, narrow } from '../support/narrow.ts'
import { incidentTest as test } from '../support/sampleIncident.ts'
import { expect, openSource } from '../support/test.ts'

test.use({ telemetry: true })

test('an alert, its backtest, its rows and a trace fit on a narrow screen', async ({ page, incident: { id } }) => {
  await page.setViewportSize(narrow)
  await page.goto(`/c/${openSource}/alerts/${id}`)
  await expect(page.getByRole('table', { name: 'Evaluations' })).toContainText('Fired')
  await expect(page.getByRole('application').first()).toBeVisible()
  await expectFits(page, 'the page of an alert')

  await page.goto(`/c/${openSource}/alerts/${id}/edit`)
  await expect(page.getByTestId('backtest-sentence')).toBeVisible()
  await expectFits(page, 'the form of an alert with its backtest')
  const line = page.getByRole('slider', { name: 'Threshold line' })
  await line.scrollIntoViewIfNeeded()
  await expect(line).toBeInViewport()

  await page.goto(`/c/${openSource}/alerts/${id}`)
  await page.getByRole('button', { name: 'View events' }).click()
  const grid = page.getByRole('grid', { name: 'Rows' })
  await expect(grid.getByRole('row').nth(1)).toBeVisible()
  await expectFits(page, 'the rows of an alert')
  await grid.getByRole('row').nth(1).click()
  await expect(page.getByRole('region', { name: 'Row details' })).toContainText('payment provider')
  await expectFits(page, 'the details of a row')
  await page.getByRole('link', { name: 'Open trace' }).click()
  await expect(page.getByRole('treegrid', { name: 'Spans' })).toBeVisible()
  await expectFits(page, 'the details of a span')
  await page
    .getByRole('region', { name: 'Span details' })
    .getByRole('button', { name: /^Close/ })
    .click()
  await expect(page.getByRole('region', { name: 'Span details' })).toHaveCount(0)
  await expectFits(page, 'a trace')
})
