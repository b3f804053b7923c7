import type { Locator } from '@playwright/test'
import { expect, managed, openSource, test } from './support/test.ts'

for (const [connection, line, lacking, page] of [
  [openSource, '2 not available here', 'Services', 'services'],
  [managed, '1 not available here', 'Webhooks', 'webhooks'],
] as const) {
  test(`pages that ${connection} lacks are behind one line, with the reason on their pages`, async ({
    page: browser,
  }) => {
    await browser.goto(`/c/${connection}/alerts`)
    const navigation = browser.getByRole('navigation', { name: 'Pages' })
    await expect(navigation.getByRole('link', { name: 'Stack Console', exact: true })).toBeVisible()
    await expect(navigation.getByRole('link', { name: 'Alerts' })).toBeVisible()
    await expect(navigation.getByRole('link', { name: lacking })).toHaveCount(0)
    await navigation.getByText(line).focus()
    await browser.keyboard.press('Enter')
    await browser.keyboard.press('Tab')
    await navigation.getByRole('link', { name: lacking }).click()
    await expect(browser).toHaveURL(new RegExp(`/${page}$`))
    await expect(browser.getByText('Not available on this deployment')).toBeVisible()
  })
}

const names = (list: Locator) => list.getByRole('link').allInnerTexts()

test('the navigation has the pages that are used every day, and Settings', async ({ page }) => {
  await page.goto(`/c/${managed}/alerts`)
  const navigation = page.getByRole('navigation', { name: 'Pages' })
  await expect(navigation.getByRole('link', { name: 'Alerts' })).toHaveAttribute('aria-current', 'page')
  await navigation.getByText('1 not available here').click()
  const listed = (await names(navigation)).map((name) => name.split('\n')[0])
  expect(listed.toSorted()).toEqual([
    'Alerts',
    'Approvals',
    'Dashboards',
    'Data pipes',
    'Environments',
    'Explorer',
    'Home',
    'Search',
    'Services',
    'Settings',
    'Sources',
    'Stack Console',
    'Webhooks',
  ])
})

test('Settings has its pages in a list of its own, on a phone before each page', async ({ page }) => {
  await page.goto(`/c/${openSource}/alerts`)
  await page.keyboard.press('g')
  await page.keyboard.press(',')
  await expect(page).toHaveURL(/\/settings$/)
  const settings = page.getByRole('navigation', { name: 'Settings' })
  await expect
    .poll(() => names(settings.getByRole('region', { name: 'This console' })))
    .toEqual(['Connections', 'People', 'Agents', 'Sessions', 'Audit'])
  await expect.poll(() => names(settings.getByRole('region', { name: 'Access' }))).toEqual(['Team', 'Team keys'])
  await settings.getByText('5 not available here').click()
  await settings.getByRole('link', { name: 'Roles' }).click()
  await expect(page.getByText('Not available on this deployment')).toBeVisible()
  // The navigation is icons meanwhile, which still say where one is.
  const pages = page.getByRole('navigation', { name: 'Pages' })
  await expect(pages.getByRole('link', { name: 'Settings' })).toHaveAttribute('aria-current', 'true')
  await expect(page.getByRole('navigation', { name: 'Breadcrumbs' })).toHaveText(/Settings.*Roles/)
  await pages.getByRole('link', { name: 'Alerts' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Alerts' })).toBeVisible()
  await expect(settings).toHaveCount(0)

  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('button', { name: 'Open navigation' }).click()
  await pages.getByRole('link', { name: 'Settings' }).click()
  await expect(pages).toHaveCount(0)
  await page.getByRole('main').getByText('5 not available here').click()
  await expect(page.getByRole('main').getByRole('link', { name: /^Roles/ })).toBeVisible()
  await page
    .getByRole('main')
    .getByRole('link', { name: /^Sessions/ })
    .click()
  await expect(page.getByRole('heading', { level: 1, name: 'Sessions' })).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Settings' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()
})

test('saved searches, history, promotions and activities are tabs of their sections', async ({ page }) => {
  const pages = page.getByRole('navigation', { name: 'Pages' })
  for (const [entry, tab, address, heading] of [
    ['Search', 'Saved searches', /\/saved-searches$/, 'Saved searches'],
    ['Environments', 'History', /\/history$/, 'History'],
    ['Environments', 'Promote', /\/promote$/, 'Promote'],
  ] as const) {
    await page.goto(`/c/${openSource}/alerts`)
    await pages.getByRole('link', { name: entry }).click()
    const tabs = page.getByRole('navigation', { name: entry, exact: true })
    await tabs.getByRole('link', { name: tab }).click()
    await expect(page).toHaveURL(address)
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
    await expect(pages.getByRole('link', { name: entry })).toHaveAttribute('aria-current', 'true')
    await expect(tabs.getByRole('link', { name: tab })).toHaveAttribute('aria-current', 'page')
  }
  await page.goto(`/c/${managed}/activities`)
  const tabs = page.getByRole('navigation', { name: 'Audit', exact: true })
  await expect(tabs.getByRole('link', { name: 'Organization' })).toHaveAttribute('aria-current', 'page')
  await tabs.getByRole('link', { name: 'Console' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Audit' })).toBeVisible()
})

for (const name of ['Explorer', 'Search'] as const) {
  test(`${name} of a managed connection leads to that of the open-source one in one click`, async ({ page }) => {
    await page.goto(`/c/${managed}/${name.toLowerCase()}`)
    await page
      .getByRole('main')
      .getByRole('link', { name: new RegExp(`^Open the ${name.toLowerCase()} on`) })
      .click()
    await expect(page).toHaveURL(new RegExp(`/c/${openSource}/${name.toLowerCase()}`))
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  })
}
