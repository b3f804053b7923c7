/** All connections side by side: what differs, field by field. */
import type { Page } from '@playwright/test'
import { startTestStack, type TestStack } from '../../src/stack/testing/testStack.ts'
import { expectNoViolations } from '../support/axe.ts'
import { expectFits, narrow } from '../support/narrow.ts'
import { expect, test, unique } from '../support/test.ts'

const connection = unique('Other stack')
let other: TestStack

test.beforeAll(async () => {
  other = await startTestStack()
})
test.afterAll(() => other.close())

const headers = { 'x-stack-console': '1' }
const grid = (page: Page) => page.getByRole('grid', { name: 'Comparison' })
const cellOf = (page: Page, name: string, text: string | RegExp) =>
  grid(page).getByRole('row', { name }).getByRole('gridcell', { name: text })

/** A connection to a second stack, which has none of the records of the first. */
async function addConnection(page: Page): Promise<string> {
  await page.goto('/connections')
  const answer = await page.evaluate(
    async ([input, own]) => {
      const response = await fetch('/api/connections', {
        method: 'POST',
        headers: { ...own, 'content-type': 'application/json' },
        body: JSON.stringify(input),
      })
      return response.json()
    },
    [
      {
        name: connection,
        variant: 'openSource',
        baseUrl: other.url,
        allowPrivate: true,
        accessKey: other.identity.personalAccessKey,
      },
      headers,
    ] as const,
  )
  return String(Object(answer).id)
}

async function removeConnection(page: Page, id: string): Promise<void> {
  await page.evaluate(([path, own]) => fetch(path, { method: 'DELETE', headers: own }).then(() => undefined), [
    `/api/connections/${id}`,
    headers,
  ] as const)
}

test('a difference is found, and opened with the keyboard', async ({ page, api }) => {
  const name = unique('Compared')
  const [logs] = await api.sources()
  await api.createDashboard(name, logs?.id ?? '')
  const id = await addConnection(page)
  await page.goto(`/environments?q=${encodeURIComponent(name)}`)
  await expect(page.getByRole('table', { name: 'Connections' }).getByRole('row', { name: connection })).toContainText(
    'ms',
  )
  await page.getByRole('button', { name: 'Read again' }).click()
  // The managed variant reaches the same record.
  await expect(cellOf(page, name, 'same')).toBeVisible()
  const missing = cellOf(page, name, 'missing')
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
  await expect(cellOf(page, name, 'same')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('region', { name: new RegExp(`^${name} on`) })).toContainText('Same')

  await page.setViewportSize(narrow)
  await expectFits(page, 'the comparison')
  await expectNoViolations(page, 'on a narrow screen')
  await removeConnection(page, id)
})

test('records of other connections are found in the palette', async ({ page, api }) => {
  const name = unique('Elsewhere')
  const [logs] = await api.sources()
  const { id } = await api.createDashboard(name, logs?.id ?? '')
  await page.goto('/environments')
  await page.getByRole('button', { name: 'Read again' }).click()
  await page.goto('/c/local-open-source/sources')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill(name)
  const found = page.getByRole('option', { name: new RegExp(`${name}.*managed`) })
  await found.click()
  await expect(page).toHaveURL(`/c/local-managed/dashboards/${id}`)
})
