import type { Page } from '@playwright/test'
import { alertOn, fromMenu, listOf, twoTiles } from '../support/dashboards.ts'
import { expect, managed, openSource, test, unique } from '../support/test.ts'

const copied = (page: Page) => page.evaluate(() => navigator.clipboard.readText())

async function copyFromPage(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Copy as Terraform' }).click()
  await expect(page.getByText('Configuration copied')).toBeVisible()
  return copied(page)
}

test('copies a webhook as Terraform configuration, its address as a variable', async ({ page, api }) => {
  const name = unique('Terraform')
  const { id } = await api.createWebhook(name, { url: 'http://93.184.215.14/services/a-token-that-nobody-may-read' })
  await page.goto(`/c/${openSource}/webhooks/${id}`)
  const text = await copyFromPage(page)
  expect(text).toContain('resource "clickhouse_clickstack_webhook" "terraform_')
  expect(text).toContain(`  id = "${id}"\n}`)
  expect(text).toMatch(/url\s+= var\.webhook_terraform_\w+_url/)
  expect(text).toContain('sensitive   = true')
  expect(text).not.toContain('93.184.215.14')
})

test('copies a dashboard and an alert of it, on both variants', async ({ page, api }) => {
  const dashboard = await twoTiles()
  const [webhook] = await api.webhooks()
  const alert = await alertOn(dashboard, unique('Alert'), webhook?.id)
  for (const connection of [openSource, managed]) {
    await page.goto(`${listOf(connection)}/${dashboard.id}`)
    await fromMenu(page, 'this dashboard', 'Copy as Terraform')
    await expect(page.getByText('Configuration copied')).toBeVisible()
    const text = await copied(page)
    expect(text).toContain(`  id = "${dashboard.id}"\n}`)
    expect(text).toContain('dashboard_json = jsonencode({')
    for (const tile of dashboard.tiles) expect(text).toContain(`"${tile.id}"`)

    await page.goto(`/c/${connection}/alerts/${alert.id}`)
    const ofAlert = await copyFromPage(page)
    expect(ofAlert).toContain(`  id = "${alert.id}"\n}`)
    expect(ofAlert).toContain(`dashboard_id = "${dashboard.id}"`)
  }
})

test('copies a service as Terraform configuration, with a password to give', async ({ page }) => {
  await page.goto(`/c/${managed}/services`)
  await page.getByRole('link', { name: 'Local stack' }).click()
  const text = await copyFromPage(page)
  expect(text).toContain('resource "clickhouse_service" "local_stack" {')
  expect(text).toMatch(/password_wo\s+= var\.service_local_stack_password/)
  expect(text).toContain('ignore_changes = [password_wo_version]')
})
