/** Agents propose, people approve: a token and a configuration from the page, a proposal by the official client, and its approval. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Page } from '@playwright/test'
import { expectNoViolations } from '../support/axe.ts'
import { test } from '../support/cloud.ts'
import { withOtherStack } from '../support/otherStack.ts'
import { send } from '../support/requests.ts'
import { expect, managed, unique } from '../support/test.ts'
import { joinAs } from './joinAs.ts'

const other = withOtherStack()

/** An agent with a token, as it would be configured. */
async function agentOf(page: Page, token: string): Promise<Client> {
  const client = new Client({ name: 'E2E agent', version: '1' })
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', page.url()), { requestInit })
  // Its optional fields may be undefined, which the interface of the SDK does not say.
  await client.connect(transport as Parameters<Client['connect']>[0])
  return client
}

test('an agent gets a token, proposes a dashboard, and a person approves it', async ({ page, otherBrowser }) => {
  const id = await other.connect(page)
  const [name, title] = [unique('Ana Reis'), unique('Checkout')]
  const email = `${name.replaceAll(' ', '.')}@example.com`
  const { link } = await send(page, 'POST', '/api/people', { name, email, role: 'administrator' })
  const ana = await (await otherBrowser()).newPage()
  await ana.goto(String(link))
  await ana.getByLabel('Password').fill('a-password-of-this-test')
  await ana.getByRole('button', { name: 'Set password and sign in' }).click()
  await expect(ana.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible()

  // Without an account there are no tokens. What to configure is shown all the same.
  await page.goto('/agents')
  await expect(page.getByText('Agents need a personal token')).toBeVisible()
  await expectNoViolations(page, 'the agents without an account')

  await ana.goto('/settings')
  await ana.getByRole('link', { name: 'Agents', exact: true }).click()
  await expect(ana.getByText('No tokens yet. Create one for each agent')).toBeVisible()
  await expect(ana.getByText('No agent has called a tool yet.')).toBeVisible()
  await ana.getByRole('group', { name: 'Agent' }).getByRole('button', { name: 'Cursor' }).click()
  const setup = ana.locator('pre')
  await expect(setup).toContainText(`"url": "${new URL('/mcp', ana.url()).href}"`)
  await expect(setup).toContainText('Bearer YOUR_TOKEN')
  await ana.getByRole('button', { name: 'Create token' }).click()
  const dialog = ana.getByRole('dialog', { name: 'Create token' })
  await dialog.getByLabel('Name').fill('assistant')
  await dialog.getByLabel('Highest role').click()
  await ana.getByRole('option', { name: 'Editor' }).click()
  await expect(dialog.getByLabel('Valid for')).toHaveText('Agents only')
  await dialog.getByRole('button', { name: 'Create token' }).click()
  const token = await ana.getByRole('dialog').locator('code').first().innerText()
  await ana.getByRole('button', { name: 'Done' }).click()
  await expect(ana.getByRole('row', { name: /assistant/ })).toContainText('agents only')
  // A stolen token can do no more than the agent.
  const outside = await fetch(new URL('/api/connections', ana.url()), { headers: { authorization: `Bearer ${token}` } })
  expect(outside.status).toBe(403)

  const agent = await agentOf(ana, token)
  const dashboard = { name: title, tiles: [], tags: [] }
  const reason = 'Checkout fails since 14:02, and no dashboard shows it.'
  const proposed = await agent.callTool({ name: 'create_dashboard', arguments: { connection: id, dashboard, reason } })
  expect(JSON.stringify(proposed.content)).toContain('waitsForApproval')
  await agent.close()

  await ana.goto('/change-requests?who=forMe')
  const row = ana.getByRole('row', { name: new RegExp(title) })
  await expect(row).toBeVisible()
  await expect(row).toContainText('agent E2E agent 1, for you')
  await row.getByRole('link').click()
  await expect(ana.getByText(reason).first()).toBeVisible()
  await expectNoViolations(ana, 'the change request of an agent')
  await ana.getByRole('button', { name: 'Approve and apply' }).click()
  await ana.getByRole('dialog').getByRole('button', { name: 'Approve and apply' }).click()
  await expect(ana.getByText('Applied', { exact: true })).toBeVisible()
  await ana.goto(`/c/${id}/dashboards`)
  await expect(ana.getByRole('link', { name: title })).toBeVisible()

  await ana.goto('/agents')
  const call = ana.getByRole('table', { name: 'Calls of agents' }).getByRole('row', { name: /create_dashboard/ })
  await expect(call).toContainText(`${name} (assistant), agent E2E agent 1`)
  await expect(call).toContainText('sent for approval')
  await expectNoViolations(ana, 'the agents')

  // Tools that need no approval are chosen for each connection.
  await ana.goto(`/connections/${id}/approval`)
  await ana.getByRole('combobox', { name: 'Tools that agents may use without approval' }).click()
  await ana.getByRole('option', { name: 'Create dashboards' }).click()
  await ana.keyboard.press('Escape')
  await ana.getByRole('button', { name: 'Save' }).click()
  await expect(ana.getByText(/^Approval settings of .* saved/)).toBeVisible()
  const again = await agentOf(ana, token)
  const made = await again.callTool({ name: 'create_dashboard', arguments: { connection: id, dashboard, reason } })
  expect(JSON.stringify(made.content)).toContain('carriedOut')
  await again.close()
})

test('on a managed connection, a person carries out the proposals of an agent, or declines them', async ({
  page,
  otherBrowser,
  cloud,
  api,
}) => {
  const ana = await joinAs(page, otherBrowser, unique('Ana Reis'), 'administrator')
  const given = { name: 'assistant', role: 'operator', connections: null, days: 1, validFor: 'agents' }
  const { secret } = await send(ana.page, 'POST', '/api/account/tokens', given)
  const agent = await agentOf(ana.page, String(secret))
  const call = async (name: string, more: object) => {
    const { content } = await agent.callTool({ name, arguments: { connection: managed, ...more } })
    return JSON.stringify(content)
  }
  const { id: dashboardId, name: oldName } = await api.createDashboard(
    unique('Shop'),
    (await api.sources())[0]?.id ?? '',
  )
  const title = unique('Checkout')
  const revision = /revision\W+([\w.-]+)/.exec(await call('read_dashboard', { dashboardId }))?.[1]
  const renaming = { dashboardId, revision, changes: { name: title }, reason: 'It shows the checkout alone.' }
  const { serviceId } = cloud
  const size = (gib: number) => ({ minReplicaMemoryGb: gib, maxReplicaMemoryGb: gib })
  const reason = 'Its memory was at 91 % in the last hour, and queries failed.'
  for (const proposed of [
    await call('update_dashboard', renaming),
    await call('scale_service', { serviceId, scaling: size(12), reason }),
    await call('scale_service', { serviceId, scaling: size(64), reason: 'More is always better.' }),
  ]) {
    expect(proposed).toContain('waitsForApproval')
  }
  await agent.close()
  const before = await cloud.service()

  const openRequest = async (request: string, nth = 0) => {
    await ana.page.goto('/change-requests?who=forMe')
    await ana.page
      .getByRole('link', { name: new RegExp(request) })
      .nth(nth)
      .click()
  }
  // The newest is the first.
  await openRequest('Scale service')
  await expect(ana.page.getByText('More is always better.').first()).toBeVisible()
  const plan = ana.page.getByRole('table', { name: 'Plan' })
  await expect(plan.getByRole('rowheader', { name: /service scale$/ })).toBeVisible()
  await expect(plan.getByRole('row', { name: /^Maximum memory per replica \d+ GiB 64 GiB$/ })).toBeVisible()
  await ana.page.getByRole('button', { name: 'Decline…' }).click()
  const declining = ana.page.getByRole('dialog', { name: /^Decline change request/ })
  await declining.getByLabel('Reason').fill('It uses 3 GiB.')
  await declining.getByRole('button', { name: 'Decline' }).click()
  await expect(ana.page.getByText('Declined', { exact: true })).toBeVisible()
  expect(await cloud.service()).toMatchObject({
    minReplicaMemoryGb: before.minReplicaMemoryGb,
    maxReplicaMemoryGb: before.maxReplicaMemoryGb,
  })

  for (const request of ['Scale service', `Update dashboard ${oldName}`]) {
    await openRequest(request)
    await ana.page.getByRole('button', { name: 'Approve and apply' }).click()
    await ana.page.getByRole('dialog').getByRole('button', { name: 'Approve and apply' }).click()
    await expect(ana.page.getByText('Applied', { exact: true })).toBeVisible()
  }
  expect(await cloud.service()).toMatchObject(size(12))
  await ana.page.goto(`/c/${managed}/dashboards`)
  await expect(ana.page.getByRole('link', { name: title })).toBeVisible()
  await ana.leave()
})
