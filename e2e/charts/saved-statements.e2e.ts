/** The list of saved statements. */
import type { Page } from '@playwright/test'
import { expectNoViolations } from '../support/axe.ts'
import { expectFits, narrow } from '../support/narrow.ts'
import { send } from '../support/requests.ts'
import { expect, managed, openSource, test, unique } from '../support/test.ts'

test.use({ telemetry: true })

const pathOf = (connection: string) => `/c/${connection}/explorer/statements`
const apiOf = (connection: string) => `/api/connections/${connection}/saved-statements`
const table = (page: Page) => page.getByRole('table', { name: 'Saved statements' })

async function act(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions of ${name}` }).click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}

for (const [connection, variant] of [
  [openSource, 'open source'],
  [managed, 'managed'],
] as const) {
  test(`lists saved statements (${variant}), which are found, run, renamed, deleted and brought back`, async ({
    page,
  }) => {
    const api = apiOf(connection)
    const word = unique('list').replaceAll(/\W/g, '')
    const [first, second] = [`${word} errors`, `${word} totals`]
    const answer = `42 AS answer_${word}`
    await send(page, 'POST', api, { name: first, text: `SELECT '${word}' AS mark,\n  count() AS n FROM otel_logs` })
    await send(page, 'POST', api, { name: second, text: `SELECT ${answer}` })
    await page.goto(`/c/${connection}/explorer/sql`)
    await page.getByRole('navigation', { name: 'Explorer' }).getByRole('link', { name: 'Saved statements' }).click()
    await expect(table(page)).toContainText(first)

    // The search finds the text of a statement, too, and the keyboard alone opens one.
    await page.getByRole('searchbox').fill(answer)
    await expect(table(page).getByRole('link')).toHaveText([second])
    await expectNoViolations(page, 'the list of saved statements')
    await table(page).getByRole('link', { name: second }).press('Enter')
    await expect(page).toHaveURL(/explorer\/sql\?saved=/)
    await expect(page.getByRole('textbox', { name: 'SQL statement' })).toContainText(`SELECT ${answer}`)
    const noted = page.waitForResponse((response) => response.url().endsWith('/uses'))
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await expect(page.getByRole('gridcell', { name: '42' })).toBeVisible()
    expect((await noted).status()).toBe(200)

    await page.goto(`${pathOf(connection)}?q=${word}`)
    const row = (name: string) => table(page).getByRole('row').filter({ hasText: name })
    await expect(row(second)).toContainText(/now|second|minute/)
    await expect(row(first)).not.toContainText(/second|minute/)
    await act(page, first, 'Rename')
    const renamed = `${word} renamed`
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill(renamed)
    await page.getByRole('dialog').getByRole('button', { name: 'Rename statement' }).click()
    await expect(row(renamed)).toContainText(`SELECT '${word}' AS mark, count() AS n FROM otel_logs`)
    await act(page, renamed, 'Delete')
    await expect(row(renamed)).toHaveCount(0)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(row(renamed)).toHaveCount(1)

    await page.getByRole('checkbox', { name: `Select ${renamed}` }).check()
    await page.getByRole('checkbox', { name: `Select ${second}` }).check()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete 2 statements' }).click()
    await expect(page.getByText('2 statements deleted')).toBeVisible()
    await expect(row(word)).toHaveCount(0)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(table(page).getByRole('link')).toHaveText([renamed, second])
  })
}

test('fits a phone, and says what it cannot read', async ({ page }) => {
  const api = apiOf(openSource)
  await page.setViewportSize(narrow)
  const name = unique('A statement with a long name of several words')
  await send(page, 'POST', api, { name, text: `SELECT ${'1 + '.repeat(200)}1 AS n` })
  await page.goto(`${pathOf(openSource)}?q=${encodeURIComponent(name)}`)
  await expect(table(page).getByRole('link', { name })).toBeVisible()
  await expectFits(page, 'the list of saved statements')
  await page.route(`**${api}`, (route) => route.fulfill({ status: 503, body: '' }))
  await page.reload()
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
})
