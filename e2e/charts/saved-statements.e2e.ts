/** The list of saved statements. */
import type { Page } from '@playwright/test'
import { startToolServer } from '../../src/node/testing/toolServer.ts'
import { expectNoViolations } from '../support/axe.ts'
import { addConnection } from '../support/cloud.ts'
import { apiURL } from '../support/environment.ts'
import { expectFits, narrow } from '../support/narrow.ts'
import { organization, type CreatedKey } from '../support/organization.ts'
import { send } from '../support/requests.ts'
import { expect, openSource, test, unique } from '../support/test.ts'

test.use({ telemetry: true })

const path = `/c/${openSource}/explorer/statements`
const api = `/api/connections/${openSource}/saved-statements`
const table = (page: Page) => page.getByRole('table', { name: 'Saved statements' })

async function act(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions of ${name}` }).click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}

test('lists saved statements, which are found, run, renamed, deleted and brought back', async ({ page }) => {
  const word = unique('list').replaceAll(/\W/g, '')
  const [first, second] = [`${word} errors`, `${word} totals`]
  await send(page, 'POST', api, { name: first, text: `SELECT '${word}' AS mark,\n  count() AS n FROM otel_logs` })
  await send(page, 'POST', api, { name: second, text: 'SELECT 42 AS answer' })
  await page.goto(`/c/${openSource}/explorer/sql`)
  await page.getByRole('navigation', { name: 'Explorer' }).getByRole('link', { name: 'Saved statements' }).click()
  await expect(table(page)).toContainText(first)

  // The search finds the text of a statement, too, and the keyboard alone opens one.
  await page.getByRole('searchbox').fill('42 AS answer')
  await expect(table(page).getByRole('link')).toHaveText([second])
  await expectNoViolations(page, 'the list of saved statements')
  await table(page).getByRole('link', { name: second }).press('Enter')
  await expect(page).toHaveURL(/explorer\/sql\?saved=/)
  await expect(page.getByRole('textbox', { name: 'SQL statement' })).toContainText('SELECT 42 AS answer')
  const noted = page.waitForResponse((response) => response.url().endsWith('/uses'))
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(page.getByRole('gridcell', { name: '42' })).toBeVisible()
  expect((await noted).status()).toBe(200)

  await page.goto(`${path}?q=${word}`)
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

test('fits a phone, and says what it cannot read', async ({ page }) => {
  await page.setViewportSize(narrow)
  const name = unique('A statement with a long name of several words')
  await send(page, 'POST', api, { name, text: `SELECT ${'1 + '.repeat(200)}1 AS n` })
  await page.goto(`${path}?q=${encodeURIComponent(name)}`)
  await expect(table(page).getByRole('link', { name })).toBeVisible()
  await expectFits(page, 'the list of saved statements')
  await page.route(`**${api}`, (route) => route.fulfill({ status: 503, body: '' }))
  await page.reload()
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
})

/** A list of tables as the engine of a service has it; a stack does not show its own. */
const listed = {
  data: [
    {
      database: 'default',
      name: 'otel_logs',
      engine: 'MergeTree',
      sorting_key: 'ServiceName',
      rows: '5',
      bytes: '10',
      columns: 'ServiceName\tString',
      last_page: '0',
      tables: '1',
    },
  ],
}

test('run over the query endpoint of a managed service whose control plane has no route for SQL', async ({ page }) => {
  let isOn = false
  const server = await startToolServer({
    key: 'none',
    tools: {},
    behind: apiURL,
    insteadOfOthers: (asked, body, response) => {
      if (!isOn || !asked.startsWith('/service/') || !body.includes('system.columns')) return false
      response.writeHead(200, { 'content-type': 'text/plain' }).end(JSON.stringify(listed))
      return true
    },
  })
  const keyName = unique('Key of SQL')
  const { keyId, keySecret } = await organization<CreatedKey>('POST', '/keys', { name: keyName, roles: ['admin'] })
  const id = await addConnection(page, { baseUrl: server.url, keyId, keySecret })
  try {
    await page.goto(`/c/${id}/explorer/sql`)
    await expect(page.getByText(/The query endpoint of the service is off\./)).toBeVisible()
    await expectNoViolations(page, 'the page SQL without a query endpoint')
    await page.getByRole('link', { name: 'Query endpoint' }).click()
    await page.getByRole('checkbox', { name: new RegExp(keyName) }).check()
    await page.getByRole('button', { name: 'Turn on query endpoint' }).click()
    await expect(page.getByText('Query endpoint saved')).toBeVisible()
    isOn = true
    await page.goBack()
    await page.getByRole('button', { name: 'Try anyway' }).click()
    await expect(page.getByText('From the query endpoint of the service.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'otel_logs', exact: true })).toBeVisible()

    const name = unique('Answer')
    const editor = page.getByRole('textbox', { name: 'SQL statement' })
    const write = async (text: string) => {
      await editor.press('ControlOrMeta+A')
      await page.keyboard.insertText(text)
    }
    await write('SELECT 41 + 1 AS answer')
    await page.getByRole('button', { name: 'Saved' }).click()
    await page.getByRole('menuitem', { name: 'Save statement' }).click()
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill(name)
    await page.getByRole('dialog').getByRole('button', { name: 'Save statement' }).click()
    await editor.press('ControlOrMeta+Enter')
    await expect(page.getByRole('gridcell', { name: '42' })).toBeVisible()
    expect(server.paths.filter((asked) => asked.startsWith('/service/'))).not.toHaveLength(0)

    await page.goto(`/c/${id}/explorer/statements`)
    await table(page).getByRole('link', { name }).click()
    await expect(editor).toContainText('SELECT 41 + 1 AS answer')
    await write('SELECT 43 AS answer')
    await page.getByRole('button', { name: 'Saved' }).click()
    await page.getByRole('menuitem', { name: /^Save changes to/ }).click()
    await page.goto(`/c/${id}/explorer/statements`)
    await expect(table(page).getByRole('row').filter({ hasText: name })).toContainText('SELECT 43 AS answer')
    await act(page, name, 'Delete')
    await expect(table(page).getByRole('row').filter({ hasText: name })).toHaveCount(0)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(table(page).getByRole('row').filter({ hasText: name })).toHaveCount(1)
  } finally {
    await send(page, 'DELETE', `/api/connections/${id}`, {})
    await server.close()
  }
})
