/** The tour from an alert of the sample to its cause. The incident is real; only the status of the sample is planted. */
import { followedIncident } from '../../src/stack/sample/sampleIncident.ts'
import { violations } from '../support/axe.ts'
import { incidentTest, sampleAnchor } from '../support/sampleIncident.ts'
import { expect, openSource, setFaults, test } from '../support/test.ts'

test.use({ telemetry: true })

test.describe('while the sample is being loaded', () => {
  test.use({ polling: true, telemetry: false })

  test('Home says how far it is, and then offers the tour by itself', async ({ page }) => {
    const plant = (status: object) =>
      setFaults({ match: 'GET /api/v2/sample', status: 200, body: { data: { records: 5, ...status } } })
    const anchor = sampleAnchor()
    const incident = { ...(await followedIncident(anchor, anchor)), alertId: 'f'.repeat(24) }
    plant({ state: 'loading', progress: 0.51 })
    try {
      await page.goto('/')
      const offer = page.getByRole('region', { name: 'Follow an incident of the sample' })
      await expect(offer).toContainText('Loading telemetry of a demo shop: 51 %.')
      await expect(offer.getByRole('progressbar', { name: 'Sample data loaded' })).toBeVisible()
      expect(await violations(page)).toEqual([])

      plant({ state: 'ready', progress: 1, incident })
      await expect(offer.getByRole('link', { name: 'Start the tour' })).toBeVisible()
    } finally {
      setFaults()
    }
  })
})

incidentTest(
  'the tour leads from the alert that fired to the cause, and is dismissed for good',
  async ({ page, incident: { id, name, anchor } }) => {
    const followed = { ...(await followedIncident(anchor, anchor)), alertId: id }
    const status = { state: 'ready', progress: 1, records: 5, incident: followed }
    setFaults({ match: 'GET /api/v2/sample', status: 200, body: { data: status } })
    await page.goto('/')
    const offer = page.getByRole('region', { name: 'Follow an incident of the sample' })
    await expect(offer).toContainText('payments failed for 40 minutes')
    expect(await violations(page)).toEqual([])
    await offer.getByRole('link', { name: 'Start the tour' }).click()

    const tour = page.getByRole('region', { name: 'Tour' })
    const next = tour.getByRole('link', { name: /^Next/ })
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
    await expect(tour).toContainText('Step 1 of 5')
    await expect(page.getByRole('button', { name: '7 d' })).toHaveAttribute('aria-pressed', 'true')
    expect(await violations(page)).toEqual([])

    await next.click()
    await expect(tour).toContainText('Step 2 of 5')
    await expect(page.getByRole('application')).toBeVisible()
    await expect(page.getByText('shop-payment').first()).toBeVisible()

    await next.click()
    const grid = page.getByRole('grid', { name: 'Rows' })
    await expect(grid.getByRole('row', { name: /all 5 of the pool are in use/ }).first()).toBeVisible()

    await next.click()
    await expect(page).toHaveURL(new RegExp(`/c/${openSource}/traces/`))
    await expect(page.getByText('provider.pool acquire').first()).toBeVisible()
    // Wherever it is left, it leads back.
    await page.getByRole('link', { name: 'Dashboards', exact: true }).click()
    await tour.getByRole('link', { name: 'Show this step' }).click()
    await expect(page).toHaveURL(new RegExp(`/c/${openSource}/traces/`))

    await next.click()
    const cause = 'configuration reloaded: provider.pool.size 50 -> 5'
    await expect(grid.getByRole('row', { name: `${cause} ` })).toBeVisible()
    await tour.getByRole('button', { name: 'Finish' }).click()
    await expect(tour).toHaveCount(0)

    await page.goto('/')
    await expect(page.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible()
    await expect(page.getByRole('region', { name: 'Dashboards' })).toBeVisible()
    await expect(offer).toHaveCount(0)
    await page.keyboard.press('?')
    await page.getByRole('link', { name: 'Offer the tour of the sample again' }).click()
    await expect(offer).toBeVisible()
    await offer.getByRole('button', { name: 'Dismiss the tour' }).click()
    await expect(offer).toHaveCount(0)
  },
)
