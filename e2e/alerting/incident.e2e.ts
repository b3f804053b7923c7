/** The incident of the sample, from the alert that fired in it to the log lines of its effect and its cause. */
import { incidentTest as test } from '../support/sampleIncident.ts'
import { expect, openSource } from '../support/test.ts'

test.use({ telemetry: true })

test('finds the log lines of the sample’s incident from the alert that fired in it, by keyboard', async ({
  page,
  incident: { name },
}) => {
  const keys: string[] = []
  const press = async (key: string) => {
    keys.push(key)
    await page.keyboard.press(key)
  }
  const grid = page.getByRole('grid', { name: 'Rows' })
  const details = page.getByRole('region', { name: 'Row details' })

  await page.goto(`/c/${openSource}/alerts`)
  await expect(page.getByRole('row').filter({ hasText: name })).toBeVisible()
  await press('/')
  for (const key of 'pay') await press(key)
  await press('ArrowDown')
  await expect(page.getByRole('link', { name })).toBeFocused()
  await press('Enter')
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await expect(page.getByRole('button', { name: 'View events' })).toBeEnabled()

  await press('v')
  const failed = /no connection to the payment provider within \d+ ms: all 5 of the pool are in use/
  await expect(grid.getByRole('row', { name: failed }).first()).toBeVisible()
  await press('o')
  await expect(details).toContainText(failed)
  expect(keys, 'keys to the log line of the alert').toHaveLength(8)

  // Its cause is no error, and so not among the rows of the alert: it is found in the same time.
  const times = () => ['from', 'to'].map((name) => new URL(page.url()).searchParams.get(name))
  const firing = times()
  await press('/')
  await press('Control+a')
  for (const key of 'config*') await press(key)
  await press('Enter')
  const cause = 'configuration reloaded: provider.pool.size 50 -> 5'
  await expect(grid.getByRole('row', { name: `${cause} ` })).toBeVisible()
  await press('Escape')
  await press('j')
  await press('j')
  await press('o')
  await expect(details).toContainText(cause)
  await expect(details).toContainText('deploy/1847')
  expect(times()).toEqual(firing)
  test.info().annotations.push({ type: 'keys', description: `${keys.length}: ${keys.join(' ')}` })
  expect(keys.length, keys.join(' ')).toBeLessThanOrEqual(22)
})
