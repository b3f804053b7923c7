/** The first page: the state of all connections, and what to do next. */
import { expectNoViolations } from './support/axe.ts'
import { expectFits, narrow } from './support/narrow.ts'
import { withOtherStack } from './support/otherStack.ts'
import { send } from './support/requests.ts'
import { organization } from './support/organization.ts'
import { expect, managed, openSource, setFaults, test, unique } from './support/test.ts'

const other = withOtherStack()

test('shows what fires and what needs attention on all connections, and leads there', async ({ page, api }) => {
  const name = unique('Payments')
  const pager = unique('Pager')
  const url = 'http://93.184.215.14/hook'
  await send(page, 'POST', `/api/c/${openSource}/stack/webhooks`, { name: pager, service: 'generic', url })
  const { id } = await api.createAlert(name)
  const alerts = (await api.alerts()).map((alert) => (alert.id === id ? { ...alert, state: 'ALERT' } : alert))
  const [service, ...services] = await organization<{ id: string; name: string }[]>('GET', '/services')
  const chartQueries: string[] = []
  /** Reads of what one connection has, which come for all of them together. */
  const single: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (/^\/api\/.*\/(charts|search)\b/.test(pathname)) chartQueries.push(pathname)
    if (/^\/api\/(connections\/.*\/(comparison|history)|c\/.*\/alerts)$/.test(pathname)) single.push(pathname)
  })
  setFaults(
    { match: 'GET /api/v2/alerts', status: 200, body: { data: alerts } },
    {
      match: 'GET /v1/organizations/*/services',
      status: 200,
      body: { status: 200, requestId: 'r', result: [{ ...service, state: 'degraded' }, ...services] },
    },
  )
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Home' })).toHaveAttribute(
    'aria-current',
    'page',
  )
  const environments = page.getByRole('table', { name: 'Environments' })
  const own = environments.getByRole('row', { name: /^Local \(open source\)/ })
  const cloud = environments.getByRole('row', { name: /^Local \(managed\)/ })
  await expect(own).toContainText(/\d m?s/)
  await expect(own).toContainText(`1 of ${alerts.length}`)
  await expect(own).toContainText('no pipes or services')
  await expect(cloud).toContainText('1 service of')
  await expect(own).toContainText('baseline')
  await expect(cloud.getByRole('link', { name: /difference/ })).toHaveAttribute('href', '/environments')
  await expect(own.getByRole('link', { name: `, ${pager}` })).toHaveAttribute('href', /\/history\?change=\d+/)
  const change = page.getByRole('list', { name: 'Recent changes' }).getByRole('listitem').filter({ hasText: pager })
  await expect(change).toContainText(/created webhook .*Local \(open source\)/)
  await expect(page.getByText('1 alert fires.').first()).toBeVisible()
  await expect(page.getByRole('banner').getByRole('button', { name: 'Connection: All environments' })).toBeVisible()

  const firing = page.getByRole('list', { name: 'Firing alerts' })
  await expect(firing.getByRole('listitem')).toHaveCount(1)
  await expect(page.getByRole('list', { name: 'Needs attention' })).toContainText('Degraded')
  await expectNoViolations(page, 'Home with something to do')
  await page.setViewportSize(narrow)
  await expect(page.getByRole('list', { name: 'Environments' }).getByRole('listitem')).toHaveCount(2)
  await expectFits(page, 'Home')
  await expectNoViolations(page, 'Home on a narrow screen')

  expect(chartQueries).toEqual([])
  expect(single).toEqual([])
  await expect(page.getByRole('link', { name: `View metrics: ${service?.name}` })).toHaveAttribute(
    'href',
    `/c/${managed}/services/${service?.id}/metrics`,
  )
  setFaults()
  await page.getByRole('link', { name: `View alert ${name}` }).press('Enter')
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
})

test('is calm with one connection where nothing fires, and remembers favorites', async ({ page, api }) => {
  await send(page, 'DELETE', `/api/connections/${managed}`)
  const name = unique('Shop')
  const [logs] = await api.sources()
  const { id } = await api.createDashboard(name, logs?.id ?? '')
  await page.goto(`/c/${openSource}/dashboards/${id}`)
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await page.keyboard.press('g')
  await page.keyboard.press('g')
  await expect(page).toHaveURL(/:\d+\/$/)
  await expect(page.getByText('Nothing fires, and nothing needs attention.')).toBeVisible()
  await expect(page.getByText('All quiet')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Firing alerts' })).toHaveCount(0)
  await expect(page.getByRole('table', { name: 'Environments' }).getByRole('row')).toHaveCount(2)
  await expect(page.getByRole('columnheader', { name: 'Drift from baseline' })).toHaveCount(0)

  const dashboards = page.getByRole('list', { name: 'Favorite and recent dashboards' }).getByRole('listitem')
  // The one that was opened last comes first, a favorite before it.
  await expect(dashboards.first()).toContainText(name)
  await page.getByRole('button', { name: 'Favorite: Stack health' }).press('Enter')
  await expect(dashboards.first()).toContainText('Stack health')
  await page.reload()
  await expect(dashboards.first()).toContainText('Stack health')
  await expect(page.getByRole('button', { name: 'Favorite: Stack health' })).toHaveAttribute('aria-pressed', 'true')
  await expectNoViolations(page, 'Home when nothing fires')
  await dashboards.nth(1).getByRole('link', { name }).press('Enter')
  await expect(page).toHaveURL(new RegExp(`/dashboards/${id}`))
})

test('an environment that cannot be reached empties its own line alone', async ({ page }) => {
  await other.connect(page)
  other.setFaults({ match: 'GET /api/v2', reset: 'before' })
  await page.goto('/')
  const environments = page.getByRole('table', { name: 'Environments' })
  const dead = environments.getByRole('row', { name: other.connection })
  // Not known is not none.
  await expect(dead.getByRole('link', { name: 'no', exact: true })).toBeVisible()
  await expect(dead.getByRole('link', { name: 'unknown' }).first()).toBeVisible()
  await expect(environments.getByRole('row', { name: /^Local \(open source\)/ })).toContainText(/\d m?s/)
  await expect(page.getByText(`${other.connection} could not be read.`)).toBeVisible()
  await expect(page.getByText('All quiet')).toHaveCount(0)
  await expectNoViolations(page, 'Home with an environment that cannot be reached')
  other.setFaults()
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(dead).toContainText(/\d m?s/)
  await other.disconnect(page)
})
