import { expect, managed, openSource, test } from './support/test.ts'

for (const [connection, line, lacking, page] of [
  [openSource, '8 not available here', 'Services', 'services'],
  [managed, '5 not available here', 'Webhooks', 'webhooks'],
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
