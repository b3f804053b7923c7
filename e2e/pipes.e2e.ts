import type { Page } from '@playwright/test'
import { addConnection, pipeAt, test } from './cloud.ts'
import { apiURL } from './environment.ts'
import { clearFaults, expect, managed, setFaults } from './support.ts'

const slider = (page: Page, name: string) => page.getByRole('slider', { name })
const number = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
const scaleButton = (page: Page) => page.getByRole('button', { name: 'Scale pipe' })

/** Until the deployment reports what was asked for. */
async function converged(page: Page): Promise<void> {
  await expect(page.getByText(/The deployment reports what was asked for/)).toBeVisible({ timeout: 20_000 })
}

test('a streaming pipe is scaled by keyboard, its convergence watched, and taken back with one click', async ({
  page,
  cloud,
}) => {
  const pipe = await cloud.createPipe()
  await page.goto(pipeAt(pipe, '/scaling'))
  await slider(page, 'CPU per replica').focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await expect(number(page, 'CPU per replica')).toHaveValue('500')
  await slider(page, 'Memory per replica').focus()
  await page.keyboard.press('End')
  await slider(page, 'Replicas').focus()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByText(/3 changes · 1 request/)).toBeVisible()
  await expect(page.getByRole('row', { name: /vCPU/ })).toContainText('+0.875')

  await page.getByRole('button', { name: 'Review' }).click()
  const review = page.getByRole('dialog')
  await expect(review.getByRole('row', { name: /CPU per replica/ })).toContainText(/125 m.*500 m/)
  await expect(review.getByText(/curl -X PATCH/)).toContainText('"replicaMemoryGb": 8')
  await expect(review.getByText(/curl -X PATCH/)).toContainText('$KEY_ID')
  await review.getByRole('button', { name: 'Scale pipe' }).click()

  await expect(page.getByText(/The deployment still reports the former values/)).toBeVisible()
  await converged(page)
  const scaled = { replicas: 2, replicaCpuMillicores: 500, replicaMemoryGb: 8 }
  expect((await cloud.pipe(pipe.id)).scaling).toMatchObject(scaled)
  await expect(number(page, 'Replicas')).toHaveValue('2')

  await page.getByRole('button', { name: 'Back to former values' }).click()
  await expect
    .poll(async () => (await cloud.pipe(pipe.id)).scaling, { timeout: 20_000 })
    .toMatchObject(pipe.scaling ?? {})
  await converged(page)
})

test('a streaming pipe is scaled by number field; what is out of bounds is not sent, what is emptied stays', async ({
  page,
  cloud,
}) => {
  const pipe = await cloud.createPipe()
  await page.goto(pipeAt(pipe, '/scaling'))
  await number(page, 'Replicas').fill('11')
  await expect(page.getByText('Must be 1 to 10, whole number.')).toBeVisible()
  await scaleButton(page).click()
  await expect(number(page, 'Replicas')).toHaveAttribute('aria-invalid', 'true')
  expect((await cloud.pipe(pipe.id)).scaling).toMatchObject({ replicas: 1 })

  await number(page, 'Replicas').fill('')
  await expect(page.getByText('No changes')).toBeVisible()
  await number(page, 'Replicas').fill('3')
  await number(page, 'Memory per replica').fill('0.75')
  await scaleButton(page).click()
  await converged(page)
  expect((await cloud.pipe(pipe.id)).scaling).toEqual({
    replicas: 3,
    replicaCpuMillicores: 125,
    replicaMemoryGb: 0.75,
  })
})

test('a streaming pipe is scaled by drag', async ({ page, cloud }) => {
  const pipe = await cloud.createPipe()
  await page.goto(pipeAt(pipe, '/scaling'))
  const rail = page.locator('.MuiSlider-root', { has: slider(page, 'CPU per replica') })
  const box = await rail.boundingBox()
  if (!box) throw new Error('the slider is not drawn')
  const middle = box.y + box.height / 2
  await page.mouse.move(box.x, middle)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.5, middle, { steps: 8 })
  await page.mouse.move(box.x + box.width * 0.74, middle, { steps: 8 })
  await page.mouse.up()
  await expect(number(page, 'CPU per replica')).toHaveValue('1000')
  await scaleButton(page).click()
  await converged(page)
  expect((await cloud.pipe(pipe.id)).scaling).toMatchObject({ replicaCpuMillicores: 1000 })
})

test('an object-storage pipe is scaled by concurrency; the other knobs say why they do not turn', async ({
  page,
  cloud,
}) => {
  const pipe = await cloud.createPipe('objectStorage')
  await page.goto(pipeAt(pipe, '/scaling'))
  await expect(page.getByText(/pipes scale by concurrency/)).toHaveCount(3)
  await expect(page.getByRole('slider')).toHaveCount(1)
  await slider(page, 'Concurrency').focus()
  for (let at = 0; at < 4; at++) await page.keyboard.press('ArrowRight')
  await scaleButton(page).click()
  await converged(page)
  expect((await cloud.pipe(pipe.id)).scaling).toMatchObject({ concurrency: 4 })
})

test('while a change is under way, placeholders are not shown as sizes', async ({ page, cloud }) => {
  const pipe = await cloud.createPipe()
  await page.goto(pipeAt(pipe, '/scaling'))
  await number(page, 'Replicas').fill('4')
  await scaleButton(page).click()
  await expect(page.getByText(/The deployment still reports/)).toBeVisible()
  await expect(number(page, 'Replicas')).toHaveValue('')
  await expect(number(page, 'Replicas')).toHaveAttribute('placeholder', 'unchanged')
  await expect(page.getByRole('row', { name: /vCPU/ })).toContainText('not reported')
  await converged(page)
  await expect(number(page, 'Replicas')).toHaveValue('4')
})

test('a value that the deployment refuses stands at its field', async ({ page, cloud }) => {
  const pipe = await cloud.createPipe()
  setFaults({
    match: `PATCH ${cloud.root}/datapipes/${pipe.id}/scaling`,
    status: 400,
    body: {
      status: 400,
      error: 'BAD_REQUEST: request body.replicas: Number of replicas must be less than 3 <number:4>',
      requestId: 'r',
    },
    times: 1,
  })
  await page.goto(pipeAt(pipe, '/scaling'))
  await number(page, 'Replicas').fill('4')
  await scaleButton(page).click()
  await expect(page.getByText('Number of replicas must be less than 3')).toBeVisible()
  await expect(number(page, 'Replicas')).toHaveAttribute('aria-invalid', 'true')
  await expect(number(page, 'Replicas')).toHaveValue('4')
})

test('a write whose answer is lost is followed, and found done', async ({ page, cloud }) => {
  const pipe = await cloud.createPipe()
  await page.goto(pipeAt(pipe, '/scaling'))
  setFaults({ match: `PATCH ${cloud.root}/datapipes/${pipe.id}/scaling`, reset: 'after', times: 1 })
  await number(page, 'Replicas').fill('2')
  await scaleButton(page).click()
  await expect(page.getByText(/It is not known whether this was done/)).toBeVisible()
  await expect(page.getByText(/The answer was lost/)).toBeVisible()
  await converged(page)
  expect((await cloud.pipe(pipe.id)).scaling).toMatchObject({ replicas: 2 })
})

test('too many requests: the page counts down, and the next try works', async ({ page, cloud }) => {
  const pipe = await cloud.createPipe()
  // Another spelling of the host, and so a budget of its own: the others must not wait for this one.
  const connectionId = await addConnection(page, { baseUrl: apiURL.replace('127.0.0.1', 'localhost') })
  await page.goto(pipeAt(pipe, '/scaling').replace(managed, connectionId))
  await number(page, 'Replicas').fill('2')
  setFaults({
    match: `PATCH ${cloud.root}/datapipes/${pipe.id}/scaling`,
    status: 429,
    headers: { 'retry-after': '65' },
    body: { status: 429, error: 'Rate limit exceeded' },
    times: 1,
  })
  await page.clock.install()
  await scaleButton(page).click()
  await expect(page.getByText(/Too many requests/).first()).toBeVisible()
  await expect(page.getByRole('timer')).toContainText(/Try again in \d+ s/)
  await page.clock.fastForward(70_000)
  await expect(page.getByRole('timer')).toContainText('You can try again now.')
})

test('an expired key and a state that nobody knows are told as they are', async ({ page, cloud }) => {
  const pipe = await cloud.createPipe()
  setFaults({
    match: `GET ${cloud.root}/datapipes`,
    status: 200,
    body: { status: 200, requestId: 'r', result: [{ ...pipe, state: 'Hibernating' }] },
    times: 1,
  })
  await page.goto(`/c/${managed}/pipes`)
  await expect(page.getByRole('row', { name: new RegExp(pipe.name) })).toContainText('Hibernating')

  setFaults({ match: `GET ${cloud.root}`, status: 401, body: { status: 401, error: 'Invalid credentials' } })
  await page.goto(pipeAt(pipe))
  await expect(page.getByRole('alert')).toContainText('The deployment rejected the key')
  await expect(page.getByRole('link', { name: 'Connections' }).last()).toBeVisible()
})

test('a read-only connection scales nothing, and says why', async ({ page, cloud }) => {
  const pipe = await cloud.createPipe()
  const connectionId = await addConnection(page, { readOnly: true })
  await page.goto(pipeAt(pipe, '/scaling').replace(managed, connectionId))
  await expect(slider(page, 'Replicas')).toBeDisabled()
  await expect(scaleButton(page)).toBeDisabled()
  await page.goto(pipeAt(pipe).replace(managed, connectionId))
  await expect(page.getByRole('button', { name: 'Stop' })).toBeDisabled()
})

test('bulk scaling tells the result of each pipe, and tries again what failed', async ({ page, cloud }) => {
  const [first, second] = [await cloud.createPipe(), await cloud.createPipe('objectStorage')]
  const third = await cloud.createPipe()
  setFaults({
    match: `PATCH ${cloud.root}/datapipes/${third.id}/scaling`,
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
  await expect(dialog.getByText(/none of these knobs turns on its kind/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Scale 2 data pipes' }).click()
  await expect(dialog.getByRole('status')).toContainText('1 of 2 done, 1 not')
  await dialog.getByRole('button', { name: 'Try the 1 again' }).click()
  await expect(dialog.getByRole('status')).toContainText('2 of 2 done')
  for (const { id } of [first, third]) {
    await expect.poll(async () => (await cloud.pipe(id)).scaling, { timeout: 20_000 }).toMatchObject({ replicas: 2 })
  }
  expect((await cloud.pipe(second.id)).scaling).toMatchObject({ concurrency: 0 })
})

test('pipes are stopped together, and one is started again after saying what will happen', async ({ page, cloud }) => {
  const pipe = await cloud.createPipe()
  await page.goto(`/c/${managed}/pipes`)
  await page
    .getByRole('row', { name: new RegExp(pipe.name) })
    .getByRole('checkbox')
    .check()
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Stop', exact: true }).click()
  await expect(page.getByRole('dialog').getByRole('status')).toContainText('1 of 1 done')
  await expect.poll(async () => (await cloud.pipe(pipe.id)).state, { timeout: 20_000 }).toBe('Stopped')

  await page.goto(pipeAt(pipe))
  await page.getByRole('button', { name: 'Start' }).click()
  await expect(page.getByRole('dialog')).toContainText('reads from where it stopped')
  await page.getByRole('button', { name: 'Start pipe' }).click()
  await expect(page.getByText('Running', { exact: true })).toBeVisible({ timeout: 20_000 })
  const history = page.getByRole('region', { name: 'Changed from this browser' })
  await expect(history).toContainText('Start')
  await expect(history).toContainText('Stopped')
})

test('settings: meaning, default and bounds of each key; only what changed is sent', async ({ page, cloud }) => {
  const pipe = await cloud.createPipe('objectStorage')
  await page.goto(pipeAt(pipe, '/settings'))
  const files = page.getByRole('textbox', { name: 'object_storage_max_file_count' })
  await expect(files).toHaveAttribute('placeholder', /default \(100 files\)/)
  await files.fill('0')
  await files.blur()
  await expect(page.getByText(/Must be 1 to 10000 files/)).toBeVisible()
  await files.fill('7')
  await page.getByRole('combobox', { name: 'db_parallel_view_processing' }).click()
  await page.getByRole('option', { name: 'on', exact: true }).click()
  await page.getByRole('button', { name: 'Review' }).click()
  await expect(page.getByRole('dialog').getByRole('row', { name: /max_file_count/ })).toContainText('7 files')
  setFaults({
    match: `PUT ${cloud.root}/datapipes/${pipe.id}/settings`,
    status: 424,
    body: { status: 424, error: 'FAILED_DEPENDENCY: the service is idle' },
    times: 1,
  })
  await page.getByRole('dialog').getByRole('button', { name: 'Save settings' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'depends on' })).toBeVisible()
  await page.getByRole('button', { name: 'Save settings' }).click()
  await expect(page.getByText(/saved/).first()).toBeVisible()
  expect(await cloud.settings(pipe.id)).toMatchObject({
    object_storage_max_file_count: 7,
    db_parallel_view_processing: true,
  })
})

test('live charts and the load of a pipe come from its metrics', async ({ page, cloud }) => {
  const pipe = await cloud.createPipe()
  await page.goto(pipeAt(pipe, '/scaling'))
  await expect(page.getByRole('table', { name: 'Load against limits' })).toContainText('125 m', { timeout: 30_000 })
  const throughput = page.getByRole('region', { name: 'Throughput' })
  await expect(throughput.getByRole('button', { name: 'read from source' })).toBeVisible({ timeout: 40_000 })
  await throughput.getByRole('button', { name: 'Table' }).click()
  const rows = throughput.getByRole('table').getByRole('row')
  await expect(rows.nth(1)).toBeVisible()
  const oldest = await rows.last().innerText()
  await expect(page.getByText(/^Metrics are sampled every \d+ s/)).toBeVisible()

  // The gateway keeps what it sampled: a reload loses none of it, and a second tab has it too.
  await page.reload()
  await throughput.getByRole('button', { name: 'Table' }).click()
  await expect(rows.nth(1)).toBeVisible()
  await expect(throughput.getByRole('table')).toContainText(oldest.split('\t')[0] ?? '')
  const tab = await page.context().newPage()
  await tab.goto(pipeAt(pipe))
  const there = tab.getByRole('region', { name: 'Throughput' })
  await there.getByRole('button', { name: 'Table' }).click()
  await expect(there.getByRole('table')).toContainText(oldest.split('\t')[0] ?? '')
})

test('sampling stops where the key is refused, says so, and goes on when somebody asks', async ({ page, cloud }) => {
  const pipe = await cloud.createPipe()
  // Samples of its own: those of the other tests' connection would be there already.
  const connectionId = await addConnection(page, {})
  setFaults({
    match: `GET ${cloud.root.replace(/\/services.*/, '')}/prometheus`,
    status: 401,
    body: { status: 401, error: 'Invalid credentials' },
  })
  await page.goto(pipeAt(pipe, '/scaling').replace(managed, connectionId))
  await expect(page.getByText(/^Sampling has stopped/)).toBeVisible()
  await expect(page.getByRole('alert').filter({ hasText: 'rejected the key' })).toBeVisible()
  await expect(slider(page, 'Replicas')).toBeEnabled()
  await page.goto(`/c/${connectionId}/pipes`)
  await expect(page.getByText(/Throughput, latency and errors are not up to date/)).toBeVisible()
  await expect(page.getByRole('row', { name: new RegExp(pipe.name) })).toBeVisible()

  clearFaults()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText(/not up to date/)).toHaveCount(0)
  await page.goto(pipeAt(pipe, '/scaling').replace(managed, connectionId))
  await expect(page.getByRole('table', { name: 'Load against limits' })).toContainText('125 m')
})

test('what a kind of pipe does not report is said, and charts show what it does', async ({ page, cloud }) => {
  const pipe = await cloud.createPipe()
  const metric = (name: string, value: number) =>
    `ClickPipes_${name}{clickhouse_service="${cloud.serviceId}",clickpipe_id="${pipe.id}",clickpipe_source="postgres"} ${value}`
  const connectionId = await addConnection(page, {})
  setFaults({
    match: `GET ${cloud.root.replace(/\/services.*/, '')}/prometheus`,
    status: 200,
    contentType: 'text/plain',
    body: [metric('FetchedBytesCompressed_Total', 1000), metric('SourceReplicationLatency_MiB', 3)].join('\n'),
  })
  await page.goto(pipeAt(pipe, '/scaling').replace(managed, connectionId))
  await expect(page.getByText('The deployment reports no usage of this pipe.')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Throughput, bytes per second' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Lag, held back by the source' })).toBeVisible({ timeout: 30_000 })
  await expect(page.getByRole('table', { name: 'Load against limits' })).toContainText('3 MiB')
})

test('a service that cannot take a new size is told as what the pipe depends on', async ({ page, cloud }) => {
  const pipe = await cloud.createPipe()
  setFaults({
    match: `PATCH ${cloud.root}/datapipes/${pipe.id}/scaling`,
    status: 424,
    body: { status: 424, error: 'FAILED_DEPENDENCY: the service is idle' },
    times: 1,
  })
  await page.goto(pipeAt(pipe, '/scaling'))
  await number(page, 'Replicas').fill('2')
  await scaleButton(page).click()
  const alert = page.getByRole('alert').filter({ hasText: 'Something that this depends on failed' })
  await expect(alert).toContainText('the service is idle')
  await expect(number(page, 'Replicas')).toHaveValue('2')
  await scaleButton(page).click()
  await converged(page)
  expect((await cloud.pipe(pipe.id)).scaling).toMatchObject({ replicas: 2 })
})

test('the secret of a source reaches no page', async ({ page, cloud }) => {
  const pipe = await cloud.createPipe()
  await page.goto(pipeAt(pipe))
  await expect(page.getByRole('region', { name: 'Source' })).toContainText('broker.example:9092')
  expect(await page.content()).not.toContain('e2e-kafka-password')
})

test('a pipe is deleted only after it was named', async ({ page, cloud }) => {
  const pipe = await cloud.createPipe()
  await page.goto(pipeAt(pipe))
  await page.getByRole('button', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('button', { name: 'Delete pipe' })).toBeDisabled()
  await dialog.getByRole('textbox').fill(pipe.name)
  await dialog.getByRole('button', { name: 'Delete pipe' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Data pipes' })).toBeVisible()
  await expect(page.getByRole('row', { name: new RegExp(pipe.name) })).toHaveCount(0)
  expect((await cloud.pipes()).map(({ id }) => id)).not.toContain(pipe.id)
})

test('database pipes share one size: cores and memory move together, and are watched', async ({ page, cloud }) => {
  const address = `/c/${managed}/services/${cloud.serviceId}/pipe-size`
  await page.goto(address)
  await expect(page.getByText('No database pipes yet')).toBeVisible()

  // A database to read from would be needed for a pipe: the deployment's answers are put in their place.
  const at = `${cloud.root}/datapipesCdcScaling`
  const answer = (replicaCpuMillicores: number, replicaMemoryGb: number) => ({
    status: 200,
    body: { status: 200, requestId: 'r', result: { replicaCpuMillicores, replicaMemoryGb } },
  })
  setFaults({ match: `GET ${at}`, ...answer(2000, 8) }, { match: `PATCH ${at}`, ...answer(2000, 8) })
  await page.goto(address)
  await number(page, 'Memory').fill('9')
  await expect(page.getByText('Must be 4 to 128 GiB, in steps of 4.')).toBeVisible()
  await number(page, 'Memory').fill('')
  await number(page, 'CPU').fill('')
  await slider(page, 'CPU').focus()
  await page.keyboard.press('ArrowRight')
  await expect(number(page, 'CPU')).toHaveValue('4000')
  await expect(number(page, 'Memory')).toHaveValue('16')
  await expect(page.getByRole('row', { name: /Cost per hour/ })).toContainText('+$0.20')
  await page.getByRole('button', { name: 'Scale database pipes' }).click()
  await expect(page.getByText(/The deployment still reports the former values/)).toBeVisible()
  setFaults({ match: `GET ${at}`, ...answer(4000, 16) })
  await converged(page)
})
