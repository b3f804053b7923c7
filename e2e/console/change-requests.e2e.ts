/** Two-person approval in two browsers: a change is sent for approval, and applied by somebody else's approval. */
import { expectNoViolations } from '../support/axe.ts'
import { withOtherStack } from '../support/otherStack.ts'
import { joinAs } from './joinAs.ts'
import { send } from '../support/requests.ts'
import { expect, test, unique } from '../support/test.ts'

const other = withOtherStack()

test('a change waits for a second person, who approves it as it is shown', async ({ page, otherBrowser }) => {
  const id = await other.connect(page)
  const [janaName, tomName] = [unique('Jana Novak'), unique('Tom Aldridge')]
  const jana = await joinAs(page, otherBrowser, janaName, 'operator')
  const tom = await joinAs(page, otherBrowser, tomName, 'operator')
  const url = 'https://hooks.example.com/services/T0KENofTheHook'
  const hook = await send(page, 'POST', `/api/c/${id}/stack/webhooks`, { name: 'Pager', service: 'generic', url })
  const webhookId = String(Object(hook['result']).id)

  await page.goto(`/connections/${id}/approval`)
  await page.getByRole('switch', { name: 'Changes need approval by a second person' }).check()
  await expectNoViolations(page, 'the approval settings')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText(/^Approval settings of .* saved/)).toBeVisible()

  const asker = jana.page
  await asker.goto(`/c/${id}/webhooks/${webhookId}/edit`)
  await asker.getByLabel('Name').fill('Pager of payments')
  await asker.getByRole('button', { name: /^Review/ }).click()
  await asker.getByRole('dialog').getByRole('button', { name: /^Save/ }).click()
  const dialog = asker.getByRole('dialog', { name: 'Send for approval' })
  await dialog.getByLabel('Title').fill('Follow the larger payment pool')
  await dialog.getByLabel('Reason').fill('shop-payment runs with 8 since this morning.')
  await expectNoViolations(asker, 'the dialog of an approval')
  await dialog.getByRole('button', { name: 'Send for approval' }).click()
  await expect(asker.getByText(/Sent for approval as change request \d+/).first()).toBeVisible()
  // Nothing of the draft is lost.
  await expect(asker.getByLabel('Name')).toHaveValue('Pager of payments')
  await asker.getByRole('button', { name: 'Open request' }).first().click()
  await expect(asker.getByRole('heading', { level: 1, name: 'Follow the larger payment pool' })).toBeVisible()
  const ownButton = asker.getByRole('button', { name: 'Approve and apply' })
  await expect(ownButton).toBeDisabled()
  await expect(asker.getByText('You asked for it, so somebody else must approve it.').first()).toBeVisible()

  const approver = tom.page
  await approver.goto('/change-requests?who=forMe')
  await expectNoViolations(approver, 'the change requests')
  await approver.getByRole('link', { name: 'Follow the larger payment pool' }).click()
  const plan = approver.getByRole('table', { name: 'Plan' })
  await expect(plan).toContainText('Pager of payments')
  await expect(plan).not.toContainText('T0KEN')
  await approver.getByRole('textbox', { name: 'Comment' }).fill('Fine with me.')
  await approver.getByRole('button', { name: 'Comment', exact: true }).click()
  await expect(approver.getByRole('list', { name: 'Timeline' })).toContainText('Fine with me.')
  await expectNoViolations(approver, 'a change request')
  await approver.getByRole('button', { name: 'Approve and apply' }).click()
  await approver.getByRole('dialog').getByRole('button', { name: 'Approve and apply' }).click()
  await expect(approver.getByText('Applied', { exact: true })).toBeVisible()
  await expect(approver.getByRole('region', { name: 'Notifications' })).toContainText(/request \d+ applied/)
  await expect(approver.getByRole('list', { name: 'Outcomes' })).toContainText('done')
  // The audit log is for administrators.
  await expect(approver.getByRole('table', { name: 'Audit' })).toHaveCount(0)
  await page.goto(new URL(approver.url()).pathname)
  const audit = page.getByRole('table', { name: 'Audit' })
  await expect(audit.getByRole('row', { name: new RegExp(`${tomName} 127.0.0.1 approved request`) })).toBeVisible()
  await expect(
    audit.getByRole('row', { name: new RegExp(`${janaName} 127.0.0.1 changed webhook .* sent for approval`) }),
  ).toBeVisible()
  await approver.goto(`/c/${id}/webhooks/${webhookId}`)
  await expect(approver.getByRole('heading', { level: 1, name: 'Pager of payments' })).toBeVisible()

  // Another one is declined, with a reason.
  await asker.goto(`/c/${id}/webhooks/${webhookId}/edit`)
  await asker.getByLabel('Name').fill('Pager of nobody')
  await asker.getByRole('button', { name: /^Review/ }).click()
  await asker.getByRole('dialog').getByRole('button', { name: /^Save/ }).click()
  await asker.getByRole('dialog', { name: 'Send for approval' }).getByLabel('Title').fill('Rename the pager again')
  await asker.getByRole('dialog').getByRole('button', { name: 'Send for approval' }).click()
  await expect(asker.getByText(/Sent for approval as change request \d+/).first()).toBeVisible()
  await approver.goto('/change-requests?who=forMe')
  await approver.getByRole('link', { name: 'Rename the pager again' }).click()
  await approver.getByRole('button', { name: 'Decline…' }).click()
  const declining = approver.getByRole('dialog', { name: /^Decline change request/ })
  await expect(declining.getByRole('button', { name: 'Decline' })).toBeDisabled()
  await declining.getByLabel('Reason').fill('Everybody knows it by its name.')
  await declining.getByRole('button', { name: 'Decline' }).click()
  await expect(approver.getByRole('list', { name: 'Timeline' })).toContainText('Everybody knows it by its name.')

  // In an emergency, one person changes it alone, and everybody sees that.
  const lena = await joinAs(page, otherBrowser, unique('Lena Fischer'), 'administrator')
  const breaker = lena.page
  await breaker.goto(`/c/${id}/webhooks`)
  await breaker.getByRole('button', { name: new RegExp(other.connection) }).click()
  await breaker.getByRole('menuitem', { name: /Break the glass/ }).click()
  const glass = breaker.getByRole('dialog', { name: 'Break the glass' })
  await glass.getByLabel('Reason').fill('Payments are down')
  await glass.getByLabel(/Type .* to confirm/).fill(other.connection)
  await expectNoViolations(breaker, 'the dialog of a break-glass')
  await glass.getByRole('button', { name: 'Break the glass' }).click()
  await expect(breaker.getByRole('region', { name: 'Break-glass' })).toContainText('you change it without approval')
  await asker.goto(`/c/${id}/webhooks`)
  const banner = asker.getByRole('region', { name: 'Break-glass' })
  await expect(banner).toContainText('Payments are down')
  await expectNoViolations(asker, 'the banner of a break-glass')
  await send(breaker, 'PUT', `/api/connections/${id}/approval`, { twoPersonApproval: false })
  await banner.getByRole('button', { name: 'End it now' }).click()
  await expect(banner).toHaveCount(0)

  for (const person of [jana, tom, lena]) await person.leave()
  await other.disconnect(page)
})
