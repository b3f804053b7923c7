/** All connections side by side: what differs, field by field. */
import type { Page } from '@playwright/test'
import { expectNoViolations } from '../support/axe.ts'
import { hold, send } from '../support/requests.ts'
import { expectFits, narrow } from '../support/narrow.ts'
import { withOtherStack } from '../support/otherStack.ts'
import { expect, test, unique } from '../support/test.ts'

const other = withOtherStack()

const grid = (page: Page) => page.getByRole('grid', { name: 'Comparison' })

/** The cell of a record in the column of a connection. The stack of a worker may have connections of other tests. */
async function cellOf(page: Page, name: string, connection: string | RegExp) {
  const column = grid(page).getByRole('columnheader', { name: connection })
  const place = await column.evaluate((cell: HTMLTableCellElement) => cell.cellIndex)
  return grid(page)
    .getByRole('row', { name })
    .locator(`:scope > :nth-child(${place + 1})`)
}

test('nothing is counted while connections are still being compared', async ({ page }) => {
  const release = await hold(page, /\/comparisons/)
  await page.setViewportSize(narrow)
  await page.goto('/environments')
  await expect(page.getByText('Comparing…')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Local \(managed\) \d/ })).toBeHidden()
  release()
  await expect(page.getByText(/^\d+ differ · \d+ missing · \d+ only here/)).toBeVisible()
  await expect(page.getByRole('button', { name: /^Local \(managed\) \d/ })).toBeVisible()
})

test('a difference is found, and opened with the keyboard', async ({ page, api }) => {
  const name = unique('Compared')
  const [logs] = await api.sources()
  await api.createDashboard(name, logs?.id ?? '')
  const { connection } = other
  const id = await other.connect(page)
  await page.goto(`/environments?q=${encodeURIComponent(name)}`)
  await expect(page.getByRole('table', { name: 'Connections' }).getByRole('row', { name: connection })).toContainText(
    /\d m?s/,
  )
  await page.getByRole('button', { name: 'Refresh' }).click()
  // The managed variant reaches the same record.
  await expect(await cellOf(page, name, /^Local \(managed\)/)).toHaveText('same')
  const missing = await cellOf(page, name, connection)
  await expect(missing).toHaveText('missing')
  await missing.click()
  const panel = page.getByRole('region', { name: `${name} on ${connection}` })
  await expect(panel).toContainText('does not')
  await expect(page).toHaveURL(new RegExp(`on=${id}`))
  await expectNoViolations(page, 'a cell')
  await expect(panel.getByRole('link', { name: `Promote to ${connection}…` })).toHaveAttribute(
    'href',
    /records=dashboards/,
  )

  await missing.focus()
  await page.keyboard.press('Escape')
  await expect(panel).toBeHidden()
  await page.keyboard.press('ArrowLeft')
  await expect(missing.locator('xpath=preceding-sibling::td[1]')).toBeFocused()
  await (await cellOf(page, name, /^Local \(managed\)/)).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('region', { name: `${name} on Local (managed)` })).toContainText('Same')

  await page.setViewportSize(narrow)
  await expectFits(page, 'the comparison')
  await expectNoViolations(page, 'on a narrow screen')
  await other.disconnect(page)
})

test('a record that has another name elsewhere is matched by hand, and the match is undone', async ({ page, api }) => {
  const [name, theirs] = [unique('Here'), unique('There')]
  await api.createWebhook(name)
  const { connection } = other
  const id = await other.connect(page)
  await send(page, 'POST', `/api/c/${id}/stack/webhooks`, {
    name: theirs,
    service: 'generic',
    url: 'http://93.184.215.14/hook',
  })
  await page.goto('/environments')
  await page.getByRole('button', { name: 'Refresh' }).click()
  const cell = await cellOf(page, name, connection)
  await expect(cell).toHaveText('missing')
  await cell.click()
  const panel = page.getByRole('region', { name: `${name} on ${connection}` })
  await panel.getByRole('button', { name: 'Match by hand' }).click()
  const dialog = page.getByRole('dialog', { name: new RegExp(`What ${name} of .* is on ${connection}`) })
  const match = dialog.getByRole('button', { name: 'Match', exact: true })
  await expect(match).toBeDisabled()
  await dialog.getByRole('searchbox', { name: 'Search records' }).fill('no such name')
  await expect(dialog).toContainText('has no webhook of this name')
  await dialog.getByRole('searchbox', { name: 'Search records' }).fill(theirs)
  await dialog.getByRole('radio', { name: theirs }).check()
  await expectNoViolations(page, 'the match by hand')
  await match.click()
  await expect(dialog).toHaveCount(0)
  await expect(cell).not.toHaveText('missing')
  await panel.getByRole('button', { name: 'Undo match' }).click()
  await expect(cell).toHaveText('missing')
  await other.disconnect(page)
})

test('records of other connections are found in the palette', async ({ page, api }) => {
  const name = unique('Elsewhere')
  const [logs] = await api.sources()
  const { id } = await api.createDashboard(name, logs?.id ?? '')
  await page.goto('/environments')
  await page.getByRole('button', { name: 'Refresh' }).click()
  await page.goto('/c/local-open-source/sources')
  await expect(page.getByRole('heading', { level: 1, name: 'Sources' })).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill(name)
  const found = page.getByRole('option', { name: new RegExp(`${name}.*managed`) })
  await found.click()
  await expect(page).toHaveURL(`/c/local-managed/dashboards/${id}`)
})
