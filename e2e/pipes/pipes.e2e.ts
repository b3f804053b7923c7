import { Producer } from '@platformatic/kafka'
import { pipeAt, plainBroker, test } from '../support/cloud.ts'
import { hold } from '../support/requests.ts'
import { chooseAction, expect, managed, setFaults, typeDateTime } from '../support/test.ts'

// The pages follow pipes by polling.
test.use({ telemetry: true, polling: true })

test('shows an expired key and an unknown state', async ({ page, cloud }) => {
  const pipe = await cloud.createPipe()
  setFaults({
    match: `GET ${cloud.pipesAt}`,
    status: 200,
    body: { status: 200, requestId: 'r', result: [{ ...pipe, state: 'Hibernating' }] },
    times: 1,
  })
  await page.goto(`/c/${managed}/pipes`)
  await expect(page.getByRole('row', { name: new RegExp(pipe.name) })).toContainText('Hibernating')

  setFaults({ match: `GET ${cloud.root}`, status: 401, body: { status: 401, error: 'Invalid credentials' } })
  await page.goto(pipeAt(pipe))
  await expect(page.getByRole('alert')).toContainText('The deployment rejected the key')
  await expect(page.getByRole('main').getByRole('link', { name: 'Edit the connection' })).toBeVisible()
})

test('scales pipes in bulk, shows the result of each, and retries failed ones', async ({ page, cloud }) => {
  const [first, second] = [await cloud.createPipe(), await cloud.createPipe('objectStorage')]
  const third = await cloud.createPipe()
  setFaults({
    match: `PATCH ${cloud.pipesAt}/${third.id}/scaling`,
    status: 500,
    body: { status: 500, error: 'Internal error' },
    times: 1,
  })
  await page.goto(`/c/${managed}/pipes`)
  for (const { name } of [first, second, third]) {
    await page
      .getByRole('row', { name: new RegExp(name) })
      .getByRole('checkbox')
      .check()
  }
  await page.getByRole('button', { name: 'Scale', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Replicas', exact: true }).fill('2')
  await expect(dialog.getByText(/these settings don’t apply to this pipe type/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Scale 2 data pipes' }).click()
  await expect(dialog.getByRole('status')).toContainText('1 of 2 done, 1 not')
  await dialog.getByRole('button', { name: 'Retry 1' }).click()
  await expect(dialog.getByRole('status')).toContainText('2 of 2 done')
  for (const { id } of [first, third]) {
    await expect.poll(async () => (await cloud.pipe(id)).scaling).toMatchObject({ replicas: 2 })
  }
  expect((await cloud.pipe(second.id)).scaling).toMatchObject({ concurrency: 0 })
})

test('stops pipes in bulk, and starts one again after a confirmation', async ({ page, cloud }) => {
  const pipe = await cloud.createPipe()
  await page.goto(`/c/${managed}/pipes`)
  await page
    .getByRole('row', { name: new RegExp(pipe.name) })
    .getByRole('checkbox')
    .check()
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Stop', exact: true }).click()
  await expect(page.getByRole('dialog').getByRole('status')).toContainText('1 of 1 done')
  await expect.poll(async () => (await cloud.pipe(pipe.id)).state).toBe('Stopped')

  await page.goto(pipeAt(pipe))
  await chooseAction(page, 'Start')
  await expect(page.getByRole('dialog')).toContainText('resumes from where it stopped')
  await page.getByRole('button', { name: 'Start pipe' }).click()
  await expect(page.getByText('Running', { exact: true })).toBeVisible()
  const history = page.getByRole('region', { name: 'Recent changes' })
  await expect(history).toContainText('Start')
  await expect(history).toContainText('Stopped')
})

test('settings show description, default and bounds of each key; only changes are sent', async ({ page, cloud }) => {
  const pipe = await cloud.createPipe('objectStorage')
  await page.goto(pipeAt(pipe, '/settings'))
  const files = page.getByRole('textbox', { name: 'object_storage_max_file_count' })
  await expect(files).toHaveAttribute('placeholder', /default \(100 files\)/)
  await files.fill('0')
  await files.blur()
  await expect(page.getByText(/Must be 1 to 10,000 files/)).toBeVisible()
  await files.fill('7')
  await page.getByRole('combobox', { name: 'db_parallel_view_processing' }).click()
  await page.getByRole('option', { name: 'on', exact: true }).click()
  await page.getByRole('button', { name: 'Review' }).click()
  await expect(page.getByRole('dialog').getByRole('row', { name: /max_file_count/ })).toContainText('7 files')
  setFaults({
    match: `PUT ${cloud.pipesAt}/${pipe.id}/settings`,
    status: 424,
    body: { status: 424, error: 'FAILED_DEPENDENCY: the service is idle' },
    times: 1,
  })
  await page.getByRole('dialog').getByRole('button', { name: 'Save settings' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'A dependency failed' })).toBeVisible()
  await page.getByRole('button', { name: 'Save settings' }).click()
  await expect(page.getByText(/saved/).first()).toBeVisible()
  await expect
    .poll(() => cloud.settings(pipe.id))
    .toMatchObject({ object_storage_max_file_count: 7, db_parallel_view_processing: true })
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(page.getByText(/^Save of settings of .* undone/)).toBeVisible()
  await expect.poll(() => cloud.settings(pipe.id)).not.toMatchObject({ object_storage_max_file_count: 7 })
})

test('never shows the secret of a source', async ({ page, cloud }) => {
  const pipe = await cloud.createPipe()
  await page.goto(pipeAt(pipe))
  await expect(page.getByRole('region', { name: 'Source', exact: true })).toContainText('127.0.0.1')
  expect(await page.content()).not.toContain('e2e-kafka-password')
})

test('deletes a pipe only after its name was typed', async ({ page, cloud }) => {
  const pipe = await cloud.createPipe()
  await page.goto(pipeAt(pipe))
  await chooseAction(page, 'Delete')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('button', { name: 'Delete pipe' })).toBeDisabled()
  await dialog.getByRole('textbox').fill(pipe.name)
  await dialog.getByRole('button', { name: 'Delete pipe' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Data pipes' })).toBeVisible()
  await expect(page.getByRole('row', { name: new RegExp(pipe.name) })).toHaveCount(0)
  expect((await cloud.pipes()).map(({ id }) => id)).not.toContain(pipe.id)
})

test('shows the pipes of many services as they load', async ({ page, cloud }) => {
  const pipe = await cloud.createPipe()
  const own = await cloud.service()
  const others = Array.from({ length: 19 }, (_, at) => ({ id: `00000000-0000-4000-8000-0000000000${at + 10}` }))
  const list = (result: unknown) => ({ status: 200, body: { status: 200, requestId: 'r', result } })
  setFaults(
    { match: `GET ${cloud.pipesAt}`, ...list([pipe]) },
    { match: `GET ${cloud.servicesAt}/`, ...list([]) },
    { match: `GET ${cloud.servicesAt}`, ...list([own, ...others]) },
  )
  const answerOthers = await hold(page, /\/00000000-0000-4000-/)
  await page.goto(`/c/${managed}/pipes`)
  await expect(page.getByText(/^Loaded the pipes of \d+ of 20 services/)).toBeVisible()
  await expect(page.getByRole('row', { name: new RegExp(pipe.name) })).toBeVisible()
  answerOthers()
  await expect(page.getByText(/^Loaded the pipes of/)).toHaveCount(0)
})

test('shows partitions and bad records, and resets a stopped pipe after a preview', async ({ page, cloud }) => {
  const pipe = await cloud.createPipe()
  const producer = new Producer({ clientId: 'e2e', bootstrapBrokers: [await plainBroker()] })
  const values = ['{"at":"2026-01-01 00:00:00.000","event":"paid"}', '{"at":"never"}']
  await producer.send({
    messages: values.map((value) => ({ topic: 'events', partition: 3, value: Buffer.from(value) })),
    acks: 1,
  })
  await producer.close()
  await page.goto(pipeAt(pipe))
  const partitions = page.getByRole('table', { name: 'Partitions' })
  await expect(partitions.getByRole('row')).toHaveCount(5)
  const bad = page.getByRole('table', { name: 'Bad records' })
  await expect(bad).toContainText('{"at":"never"}')
  await bad
    .getByRole('button', { name: /^Copy record 3:/ })
    .first()
    .click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('"at"')
  await page.getByRole('button', { name: 'Load again' }).click()
  await expect(page.getByText('The bad records are loaded again.')).toBeVisible()
  const reset = page.getByRole('button', { name: 'Reset offsets…' })
  await expect(reset).toBeDisabled()

  await chooseAction(page, 'Stop')
  await page.getByRole('dialog').getByRole('button', { name: /Stop/ }).click()
  await expect(reset).toBeEnabled()
  await reset.click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: 'Continue from' }).click()
  await page.getByRole('option', { name: 'A time' }).click()
  await expect(dialog.getByRole('button', { name: 'Preview' })).toBeDisabled()
  await typeDateTime(page, 'Time (UTC)', '2026-01-02 03:04')
  const previewed = page.waitForRequest((request) => request.url().endsWith('/offsets/preview'))
  await dialog.getByRole('button', { name: 'Preview' }).click()
  expect((await previewed).postDataJSON()).toEqual({ strategy: 'from_timestamp', timestamp: '2026-01-02T03:04' })
  await expect(dialog.getByRole('button', { name: 'Reset and start' })).toBeEnabled()
  // Something else is previewed again.
  await dialog.getByRole('combobox', { name: 'Continue from' }).click()
  await page.getByRole('option', { name: 'The beginning' }).click()
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await expect(dialog.getByText(/will be loaded again, and be there twice/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Reset and start' }).click()
  await expect(page.getByText('reset. It starts.')).toBeVisible()
  await expect.poll(async () => (await cloud.pipe(pipe.id)).state).toBe('Running')
})
