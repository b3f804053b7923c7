import type { Page } from '@playwright/test'
import { serviceAt, test } from './support/cloud.ts'
import { naming } from './support/environment.ts'
import { chooseAction, expect, managed, setFaults, unique } from './support/test.ts'

const save = (page: Page) => page.getByRole('button', { name: 'Save service' })
const name = (page: Page) => page.getByRole('textbox', { name: 'Name', exact: true })

test('edits a service with a diff, and sends only changes', async ({ page, cloud }) => {
  const before = await cloud.service()
  const renamed = unique('Stack').replace('-', ' ')
  await page.goto(serviceAt(cloud.serviceId, '/edit'))
  await expect(save(page)).toBeDisabled()
  await name(page).fill(renamed)
  await page.getByRole('button', { name: 'Review' }).click()
  const review = page.getByRole('dialog')
  await expect(review.getByRole('row', { name: /Name/ })).toContainText(renamed)
  await expect(review.getByText(/curl -X PATCH/)).toContainText(`{\n  "name": "${renamed}"\n}`)
  await review.getByRole('button', { name: 'Save service' }).click()
  await expect(page.getByRole('heading', { level: 1, name: renamed })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Recent changes' })).toContainText(renamed)
  expect(await cloud.service()).toEqual({ ...before, name: renamed })
  await cloud.updateService({ name: before.name })
})

test('merges the access list with changes by somebody else', async ({ page, cloud }) => {
  await cloud.updateService({ ipAccessList: { add: [{ source: '198.51.100.0/24', description: 'old office' }] } })
  await page.goto(serviceAt(cloud.serviceId, '/edit'))
  await page.getByRole('button', { name: 'Remove 198.51.100.0/24' }).click()
  await expect(page.getByText(/You lock yourself out if/)).toBeVisible()
  await page.getByRole('textbox', { name: 'Your IP address' }).fill('198.51.100.9')
  await expect(page.getByText(/Your IP address 198.51.100.9 would lose access/)).toBeVisible()
  await page.getByRole('button', { name: 'Add entry' }).click()
  const last = page.getByRole('textbox', { name: /^Source/ }).last()
  await last.fill('0.0.0.0/0')
  await expect(page.getByText(/allows access from any IP address/)).toBeVisible()
  await last.fill('300.1.1.1')
  await last.blur()
  await expect(page.getByText(/Must be an IP address or a range/)).toBeVisible()
  await last.fill('203.0.113.0/24')
  await cloud.updateService({ ipAccessList: { add: [{ source: '192.0.2.77', description: 'theirs' }] } })
  await save(page).click()
  await expect(page.getByRole('region', { name: 'IP access list' })).toContainText('203.0.113.0/24')
  const sources = ((await cloud.service()).ipAccessList ?? []).map(({ source }) => source)
  expect(sources).toEqual(expect.arrayContaining(['203.0.113.0/24', '192.0.2.77']))
  expect(sources).not.toContain('198.51.100.0/24')
  await cloud.updateService({ ipAccessList: { remove: [{ source: '203.0.113.0/24' }, { source: '192.0.2.77' }] } })
})

test('resolves a conflicting name side by side before sending', async ({ page, cloud }) => {
  const before = await cloud.service()
  const theirs = { name: 'Theirs', releaseChannel: 'slow' }
  await page.goto(serviceAt(cloud.serviceId, '/edit'))
  await name(page).fill('Mine')
  await cloud.updateService(theirs)
  await save(page).click()
  const choice = page.getByRole('region', { name: 'Changed by somebody else' })
  await expect(choice.getByRole('row', { name: /^Name/ })).toContainText(/Theirs.*Mine/)
  await expect(choice.getByRole('row', { name: /^Release channel/ })).toContainText(/slow.*not changed.*Theirs/)
  await expect(save(page)).toBeDisabled()
  expect(await cloud.service()).toMatchObject(theirs)
  await choice.getByRole('button', { name: 'Yours' }).click()
  await choice.getByRole('button', { name: 'Continue with these values' }).click()
  await expect(page.getByText(/1 change: name/)).toBeVisible()
  await save(page).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Mine' })).toBeVisible()
  expect(await cloud.service()).toMatchObject({ ...theirs, name: 'Mine' })
  await cloud.updateService({ name: before.name, releaseChannel: before.releaseChannel })
})

test('shows a rejected value at its field, and checks rules before sending', async ({ page, cloud }) => {
  setFaults({
    match: `PATCH ${cloud.root}`,
    status: 400,
    body: { status: 400, error: 'BAD_REQUEST: request body.name: Name is taken <string:Taken>', requestId: 'r' },
    times: 1,
  })
  await page.goto(serviceAt(cloud.serviceId, '/edit'))
  await name(page).fill('---')
  await name(page).blur()
  // The product's own names may have hyphens.
  const rule = naming === 'neutral' ? 'May hold letters, digits and spaces only.' : 'Must hold a letter or digit.'
  await expect(page.getByText(rule)).toBeVisible()
  await name(page).fill('Taken')
  await save(page).click()
  await expect(page.getByText('Name is taken')).toBeVisible()
  await expect(name(page)).toHaveAttribute('aria-invalid', 'true')
  await expect(name(page)).toHaveValue('Taken')
})

test('toggles an endpoint only after the service name was typed', async ({ page, cloud }) => {
  const before = await cloud.service()
  await page.goto(serviceAt(cloud.serviceId, '/edit'))
  await page.getByRole('switch', { name: 'MySQL endpoint' }).check()
  await save(page).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('button', { name: 'Save service' })).toBeDisabled()
  await dialog.getByRole('textbox').fill(before.name ?? '')
  await dialog.getByRole('button', { name: 'Save service' }).click()
  await expect(page.getByRole('region', { name: 'Endpoints', exact: true })).toContainText('mysql')
  await cloud.updateService({ endpoints: [{ protocol: 'mysql', enabled: false }] })
})

test('explains why a release channel cannot be chosen, and shows an unknown state', async ({ page, cloud }) => {
  const service = await cloud.service()
  setFaults({
    match: `GET ${cloud.root}`,
    status: 200,
    body: { status: 200, requestId: 'r', result: { ...service, tier: 'development', state: 'half_asleep' } },
  })
  await page.goto(serviceAt(cloud.serviceId, '/edit'))
  await expect(page.getByText(/Only production services can choose a release channel/)).toBeVisible()
  await page.goto(serviceAt(cloud.serviceId))
  await expect(page.getByText('Half asleep')).toBeVisible()
})

test('scales a service by keyboard and by number field, tracks the change and reverts it', async ({ page, cloud }) => {
  const before = await cloud.service()
  await page.goto(serviceAt(cloud.serviceId, '/scaling'))
  await page.getByRole('slider', { name: 'Maximum memory per replica' }).focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  const wanted = (before.maxReplicaMemoryGb ?? 0) + 8
  await expect(page.getByRole('textbox', { name: 'Maximum memory per replica' })).toHaveValue(String(wanted))
  await page.getByRole('textbox', { name: 'Minimum memory per replica' }).fill('10')
  await expect(page.getByText(/Must be 8 to 356 GiB, in steps of 4/)).toBeVisible()
  await page.getByRole('textbox', { name: 'Minimum memory per replica' }).fill('12')
  await page.getByRole('button', { name: 'Scale service' }).click()
  await expect(page.getByText(/Change applied/)).toBeVisible()
  expect(await cloud.service()).toMatchObject({ minReplicaMemoryGb: 12, maxReplicaMemoryGb: wanted })
  await page.getByRole('button', { name: 'Revert' }).click()
  await expect.poll(async () => (await cloud.service()).maxReplicaMemoryGb).toBe(before.maxReplicaMemoryGb)
})

test('the size of a new service is set by sliders, whose ends keep their order', async ({ page }) => {
  await page.goto(`/c/${managed}/services/new`)
  const end = (of: string) => ({
    thumb: page.getByRole('slider', { name: `${of} memory per replica` }),
    number: page.getByRole('textbox', { name: `${of} memory per replica` }),
  })
  const [least, most] = [end('Minimum'), end('Maximum')]
  await least.number.fill('18')
  await page.getByRole('button', { name: 'Create service' }).click()
  await expect(page.getByText(/multiple of 4/).first()).toBeVisible()
  // A value between the steps stays until its own end is moved.
  await most.thumb.press('ArrowRight')
  await expect(least.number).toHaveValue('18')
  await expect(most.number).toHaveValue('124')
  await least.thumb.press('ArrowRight')
  await expect(least.number).toHaveValue('20')
  await most.thumb.press('Home')
  await expect(most.number).toHaveValue('20')
  await most.thumb.press('PageUp')
  await expect(most.number).not.toHaveValue('20')
  const cost = page.getByRole('table', { name: 'Cost of the size' })
  await expect(cost.getByRole('row', { name: /^Memory / })).toContainText(/60 to \d+ GiB/)
  // No list has the price: without one there is no figure.
  await expect(cost.getByRole('row', { name: /^Per month/ })).toContainText('not known')
  await most.number.fill('20')
  await page.getByRole('textbox', { name: /^Price of 8 GiB/ }).fill('0.2')
  await expect(cost.getByRole('row', { name: /^Per hour/ })).toContainText('$1.50')
  await expect(cost.getByRole('row', { name: /^Per month/ })).toContainText('$1,095')
  await most.number.fill('128')
  await expect(page.getByText('More than 120 GiB per replica needs a paid organization.')).toBeVisible()
})

test('shows side by side how somebody else scaled the service meanwhile', async ({ page, cloud }) => {
  const { minReplicaMemoryGb, maxReplicaMemoryGb, numReplicas } = await cloud.service()
  const [min, max, replicas] = [Number(minReplicaMemoryGb), Number(maxReplicaMemoryGb), Number(numReplicas)]
  await page.goto(serviceAt(cloud.serviceId, '/scaling'))
  await page.getByRole('textbox', { name: 'Minimum memory per replica' }).fill(String(min + 4))
  await page.getByRole('textbox', { name: 'Maximum memory per replica' }).fill(String(max + 8))
  await cloud.scaleService({ maxReplicaMemoryGb: max + 12, numReplicas: replicas + 1 })
  const scale = page.getByRole('button', { name: 'Scale service' })
  await scale.click()
  const choice = page.getByRole('region', { name: 'Changed by somebody else' })
  await expect(choice.getByRole('row', { name: /^Maximum memory/ })).toContainText(
    new RegExp(`${max} GiB.*${max + 12} GiB.*${max + 8} GiB`),
  )
  await expect(choice.getByRole('row', { name: /^Replicas/ })).toContainText(/not changed.*Theirs/)
  await expect(scale).toBeDisabled()
  expect(await cloud.service()).toMatchObject({ minReplicaMemoryGb: min, maxReplicaMemoryGb: max + 12 })
  await choice.getByRole('button', { name: 'Theirs' }).click()
  await choice.getByRole('button', { name: 'Continue with these values' }).click()
  await expect(choice).toBeHidden()
  await expect(page.getByText(/^1 change: minimum memory/)).toBeVisible()
  await scale.click()
  await expect(page.getByText(/Change applied/)).toBeVisible()
  const merged = { minReplicaMemoryGb: min + 4, maxReplicaMemoryGb: max + 12, numReplicas: replicas + 1 }
  expect(await cloud.service()).toMatchObject(merged)
  await cloud.scaleService({ minReplicaMemoryGb, maxReplicaMemoryGb, numReplicas })
})

test('does not treat a pending change of a service as unsaved', async ({ page, cloud }) => {
  const before = await cloud.service()
  const asIs = { status: 200, body: { status: 200, requestId: 'r', result: before } }
  await page.goto(serviceAt(cloud.serviceId, '/scaling'))
  await page.getByRole('switch', { name: 'Automatic idling' }).click()
  setFaults({ match: `PATCH ${cloud.root}/replicaScaling`, ...asIs }, { match: `GET ${cloud.root}`, ...asIs })
  await page.getByRole('button', { name: 'Scale service' }).click()
  await expect(page.getByText(/It is not in effect yet/)).toBeVisible()
  await expect(page.getByText(/^No changes/).first()).toBeVisible()
  await page.getByRole('link', { name: 'Data pipes' }).first().click()
  await expect(page.getByRole('heading', { level: 1, name: 'Data pipes' })).toBeVisible()
})

test('stops a service only after its name was typed', async ({ page, cloud }) => {
  const service = await cloud.service()
  await page.goto(serviceAt(cloud.serviceId))
  await chooseAction(page, 'Stop')
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('queries and pipes fail')
  await expect(dialog.getByRole('button', { name: 'Stop service' })).toBeDisabled()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  // The list has the same commands, with the reason if one is not available.
  await page.goto(`/c/${managed}/services`)
  await page.getByRole('button', { name: `Actions of ${service.name}` }).click()
  await expect(page.getByRole('menuitem', { name: /^Start/ })).toHaveAttribute('aria-disabled', 'true')
  await page.getByRole('menuitem', { name: 'Stop', exact: true }).click()
  await expect(dialog.getByRole('button', { name: 'Stop service' })).toBeDisabled()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  expect((await cloud.service()).state).toBe(service.state)
})
