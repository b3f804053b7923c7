/** Accessibility (axe) of forms, reviews, dialogs and pending changes, in both themes. */
import { expectNoViolations, violations } from './support/axe.ts'
import { pipeAt, serviceAt, test } from './support/cloud.ts'
import { chooseAction, expect, managed, openSource } from './support/test.ts'

test('alerts and their form have no accessibility violations', async ({ page, api }) => {
  const [alert] = await api.alerts()
  for (const at of ['', '/edit']) {
    await page.goto(`/c/${openSource}/alerts/${alert?.id}${at}`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expectNoViolations(page, at)
  }
})

test('sources and webhooks, their forms, reviews and dialogs have no accessibility violations', async ({
  page,
  api,
}) => {
  const [source] = await api.sources()
  const [hook] = await api.webhooks()
  for (const at of [`sources/${source?.id}`, 'sources/new', `webhooks/${hook?.id}`, 'webhooks/new', 'webhooks/none']) {
    await page.goto(`/c/${openSource}/${at}`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expectNoViolations(page, at)
  }
  for (const at of [`sources/${source?.id}`, `webhooks/${hook?.id}`]) {
    await page.goto(`/c/${openSource}/${at}`)
    await chooseAction(page, 'Delete')
    await expect(page.getByRole('dialog')).toBeVisible()
    expect(await violations(page), `deleting ${at}`).toEqual([])
  }
  await page.goto(`/c/${openSource}/webhooks/${hook?.id}/edit`)
  await page.getByRole('textbox', { name: 'URL' }).fill('https://elsewhere.example/')
  await page.getByRole('button', { name: 'Replace headers' }).click()
  // A button that the bar at the bottom half covers is too small a target, until one scrolls.
  await page.getByLabel('Header 1 name').evaluate((input) => input.scrollIntoView({ block: 'center' }))
  expect(await violations(page), 'headers').toEqual([])
  await page.getByRole('button', { name: 'Remove header 1' }).click()
  await page.getByRole('button', { name: /^Review/ }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  expect(await violations(page), 'review').toEqual([])
  await page.goto(`/c/${openSource}/sources/${source?.id}/edit`)
  await page.getByRole('textbox', { name: 'Table', exact: true }).fill('')
  await page.getByRole('button', { name: /^Review/ }).click()
  await expect(page.getByRole('textbox', { name: 'Table', exact: true })).toHaveAttribute('aria-invalid', 'true')
  expect(await violations(page), 'a refused field').toEqual([])
})

test.describe('with telemetry', () => {
  test.use({ telemetry: true })

  test('services and data pipes have no accessibility violations', async ({ page, cloud }) => {
    const [kafka, files] = [await cloud.createPipe(), await cloud.createPipe('objectStorage')]
    const addresses = [
      ...['', '/edit', '/scaling', '/pipe-size'].map((at) => serviceAt(cloud.serviceId, at)),
      ...['', '/edit', '/scaling', '/settings'].flatMap((at) => [pipeAt(kafka, at), pipeAt(files, at)]),
      pipeAt({ ...kafka, id: 'nowhere' }),
    ]
    for (const address of addresses) {
      await page.goto(address)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expectNoViolations(page, address)
    }
  })
})

test('the form of a new data pipe has no accessibility violations for any source type, with and without errors', async ({
  page,
}) => {
  await page.goto(`/c/${managed}/pipes/new`)
  for (const kind of ['Object storage', 'Kafka', 'Kinesis', 'Postgres']) {
    await page.getByRole('radio', { name: new RegExp(kind) }).check()
    await page.getByRole('button', { name: /^Next: / }).click()
    await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toHaveAttribute('aria-invalid', 'true')
    expect(await violations(page), kind).toEqual([])
  }
  await page.getByRole('radio', { name: /Object storage/ }).check()
  const field = (name: string) => page.getByRole('textbox', { name, exact: true })
  await field('Name').fill('Orders')
  await field('File URL').fill('https://bucket.example/*.json')
  for (const [title, fill] of [
    ['Test and preview', () => field('Column 1').fill('id')],
    ['Destination', () => field('Table').fill('orders')],
    ['Size and review', () => page.getByText('1 request, as cURL').click()],
  ] as const) {
    await page.getByRole('button', { name: `Next: ${title}` }).click()
    await fill()
    expect(await violations(page), title).toEqual([])
  }
})

test.describe('with telemetry', () => {
  test.use({ telemetry: true })

  test('a review, a rejected value and a pending change have no accessibility violations', async ({ page, cloud }) => {
    await page.goto(pipeAt(await cloud.createPipe(), '/scaling'))
    const replicas = page.getByRole('textbox', { name: 'Replicas', exact: true })
    await replicas.fill('99')
    await expect(replicas).toHaveAttribute('aria-invalid', 'true')
    expect(await violations(page)).toEqual([])
    await replicas.fill('3')
    await page.getByRole('button', { name: 'Review' }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    expect(await violations(page)).toEqual([])
    await page.getByRole('dialog').getByRole('button', { name: 'Scale pipe' }).click()
    await expect(page.getByText(/It is not in effect yet/)).toBeVisible()
    expect(await violations(page)).toEqual([])
  })
})
