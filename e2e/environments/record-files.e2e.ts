/** The records of a connection as one zip: downloaded, imported, taken back. */
import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { strToU8, unzipSync, zipSync } from 'fflate'
import { expectNoViolations } from '../support/axe.ts'
import { expectFits, narrow } from '../support/narrow.ts'
import { expect, openSource, test, unique } from '../support/test.ts'

const history = `/c/${openSource}/history`
const dialog = (page: Page) => page.getByRole('dialog')

async function openFromMenu(page: Page, name: string): Promise<void> {
  await page.goto(history)
  await page.getByRole('button', { name: 'Actions of this connection' }).click()
  await page.getByRole('menuitem', { name }).click()
}

/** A zip as a person chooses it. */
const file = (files: Record<string, string>) => ({
  name: 'records.zip',
  mimeType: 'application/zip',
  buffer: Buffer.from(zipSync(Object.fromEntries(Object.entries(files).map(([path, text]) => [path, strToU8(text)])))),
})

const choose = (page: Page, chosen: ReturnType<typeof file>) =>
  dialog(page).getByLabel('Zip of record files').setInputFiles(chosen)

test('records are downloaded, changed, imported, and the import is taken back', async ({ page, api }) => {
  const name = unique('Board')
  const [logs] = await api.sources()
  const { id } = await api.createDashboard(name, logs?.id ?? '')
  await openFromMenu(page, 'Export records…')
  const downloading = page.waitForEvent('download')
  await dialog(page).getByRole('button', { name: 'Download' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toMatch(/^[\p{L}\p{N}-]+-\d{4}-\d\d-\d\d\.zip$/u)
  await expect(dialog(page).getByRole('status')).toContainText(/has \d+ records/)
  await expectNoViolations(page, 'an export')
  await dialog(page).getByRole('button', { name: 'Close' }).click()

  const texts = Object.entries(unzipSync(readFileSync(await download.path()))).map(
    ([path, content]) => [path, new TextDecoder().decode(content)] as const,
  )
  const [path, text] = texts.find(([, content]) => content.includes(id)) ?? ['', '']
  expect(path).toMatch(/^dashboards\/.*\.yaml$/)
  const changed = { [path]: text.replace(name, `${name} imported`) }

  // With the keyboard alone, up to the file, which the browser asks for.
  await page.getByRole('button', { name: 'Actions of this connection' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Import records…' }).focus()
  await page.keyboard.press('Enter')
  // The closing menu and the opening dialog move the focus.
  await expect(async () => {
    const asked = page.waitForEvent('filechooser', { timeout: 2_000 })
    await dialog(page).getByRole('button', { name: 'Choose a zip…' }).press('Enter')
    await (await asked).setFiles(file(changed))
  }).toPass()
  await expect(dialog(page).getByRole('table', { name: 'Plan' })).toContainText('update')
  await expect(dialog(page)).toContainText('records.zip · 1 record')
  await expectNoViolations(page, 'the plan of an import')
  await dialog(page).getByRole('button', { name: 'Import', exact: true }).press('Enter')
  await expect(page.getByRole('heading', { name: /^Import \d+/ })).toBeVisible()
  await expect(page.getByRole('list', { name: 'Steps' })).toContainText('updated')
  expect((await api.dashboards()).find((dashboard) => dashboard.id === id)).toMatchObject({ name: `${name} imported` })

  await page.getByRole('button', { name: 'Undo…' }).click()
  await dialog(page).getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(page.getByRole('heading', { name: /^Undo \d+/ })).toBeVisible()
  await expect(page.getByRole('list', { name: 'Steps' })).toContainText('updated')
  expect((await api.dashboards()).find((dashboard) => dashboard.id === id)).toMatchObject({ name })
})

test('a new webhook needs its URL, or is left out', async ({ page, api }) => {
  const name = unique('Hook')
  const board = unique('Board')
  await openFromMenu(page, 'Import records…')
  const url = 'url: ${STACK_WEBHOOK_URL_HOOK}'
  await choose(
    page,
    file({
      'webhooks/hook.yaml': `name: ${name}\nservice: generic\n${url}\n`,
      'dashboards/board.yaml': `name: ${board}\ntiles: []\n`,
    }),
  )
  await expect(dialog(page).getByRole('table', { name: 'Plan' })).toContainText('needs its URL')
  const start = dialog(page).getByRole('button', { name: 'Import', exact: true })
  await expect(start).toBeDisabled()
  await dialog(page).getByRole('button', { name: 'Leave out' }).click()
  await expect(dialog(page)).toContainText(`Left out: webhook ${name}`)
  await expect(start).toBeEnabled()
  await dialog(page).getByRole('textbox', { name }).fill('http://93.184.215.14/services/token')
  await expect(dialog(page).getByRole('table', { name: 'Plan' })).toContainText(name)
  await expect(start).toBeEnabled()
  await start.click()
  await expect(page.getByText('2 of 2 records')).toBeVisible()
  expect((await api.webhooks()).filter((webhook) => webhook.name === name)).toHaveLength(1)
})

test('what is wrong with a file is said', async ({ page }) => {
  await openFromMenu(page, 'Import records…')
  const garbage = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('nothing') }
  await choose(page, garbage)
  await expect(dialog(page).getByRole('alert')).toContainText('notes.txt is not a zip file.')
  await choose(page, { ...garbage, name: 'notes.zip' })
  await expect(dialog(page).getByRole('alert')).toContainText('The file is no zip.')
  await choose(page, file({ 'boards/a.yaml': 'name: A\n', 'dashboards/b.yaml': 'name: [\n' }))
  const problems = dialog(page).getByRole('list', { name: 'Problems' })
  await expect(problems).toContainText('the folder boards is not known')
  await expect(problems).toContainText('dashboards/b.yaml:2:1')
  await page.setViewportSize(narrow)
  await expectNoViolations(page, 'a zip with problems')
  expect(await dialog(page).evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog(page)).toBeHidden()
  await expectFits(page, 'the history with its actions')
})
