/** Pipe metrics sampled by the gateway, in charts and tables. */
import { addConnection, createKey, pipeAt, test } from '../support/cloud.ts'
import { clearFaults, expect, managed, setFaults, unique } from '../support/test.ts'

// The pages follow pipes by polling.
test.use({ telemetry: true, polling: true })

test('draws live charts and the load of a pipe from its metrics', async ({ page, cloud }) => {
  const pipe = await cloud.createPipe()
  await page.goto(pipeAt(pipe, '/scaling'))
  await expect(page.getByRole('table', { name: 'Resource utilization' })).toContainText('0.125 vCPU')
  const throughput = page.getByRole('region', { name: 'Throughput' })
  await expect(throughput.getByRole('button', { name: 'Read' })).toBeVisible({ timeout: 40_000 })
  await throughput.getByRole('button', { name: 'Table' }).click()
  const rows = throughput.getByRole('table').getByRole('row')
  await expect(rows.nth(1)).toBeVisible()
  // On a slow machine the oldest bucket is the newest as well, and marked as not complete.
  const oldest = (await rows.last().innerText()).split('\t')[0]?.replace(' (not complete)', '') ?? ''
  await expect(page.getByText(/^Metrics are sampled every \d+ s/)).toBeVisible()

  // The gateway keeps the samples: they survive a reload and show in a second tab.
  await page.reload()
  await throughput.getByRole('button', { name: 'Table' }).click()
  await expect(rows.nth(1)).toBeVisible()
  await expect(throughput.getByRole('table')).toContainText(oldest)
  const tab = await page.context().newPage()
  await tab.goto(pipeAt(pipe))
  const there = tab.getByRole('region', { name: 'Throughput' })
  await there.getByRole('button', { name: 'Table' }).click()
  await expect(there.getByRole('table')).toContainText(oldest)
})

test('sampling stops with a message if the key is rejected, and resumes on request', async ({ page, cloud }) => {
  const pipe = await cloud.createPipe()
  // A separate connection: the shared one already has samples, and would stop for the tests that follow.
  const key = await createKey()
  const connectionId = await addConnection(page, key)
  setFaults({
    match: `GET ${cloud.metricsAt}`,
    key: key.keyId,
    status: 401,
    body: { status: 401, error: 'Invalid credentials' },
  })
  await page.goto(pipeAt(pipe, '/scaling').replace(managed, connectionId))
  await expect(page.getByText(/^Sampling has stopped/)).toBeVisible()
  await expect(page.getByRole('alert').filter({ hasText: 'rejected the key' })).toBeVisible()
  await expect(page.getByRole('slider', { name: 'Replicas' })).toBeEnabled()
  await page.goto(`/c/${connectionId}/pipes`)
  await expect(page.getByText(/Metrics could not be updated/)).toBeVisible()
  await expect(page.getByRole('row', { name: new RegExp(pipe.name) })).toBeVisible()

  clearFaults()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText(/could not be updated/)).toHaveCount(0)
  await page.goto(pipeAt(pipe, '/scaling').replace(managed, connectionId))
  await expect(page.getByRole('table', { name: 'Resource utilization' })).toContainText('0.125 vCPU')
})

test('names metrics that are not reported, and draws the others', async ({ page, cloud }) => {
  const pipe = await cloud.createPipe()
  const metric = (name: string, value: number) =>
    `ClickPipes_${name}{clickhouse_service="${cloud.serviceId}",clickpipe_id="${pipe.id}",clickpipe_source="postgres"} ${value}`
  const key = await createKey()
  const connectionId = await addConnection(page, key)
  setFaults({
    match: `GET ${cloud.metricsAt}`,
    key: key.keyId,
    status: 200,
    contentType: 'text/plain',
    body: [metric('FetchedBytesCompressed_Total', 1000), metric('SourceReplicationLatency_MiB', 3)].join('\n'),
  })
  await page.goto(pipeAt(pipe, '/scaling').replace(managed, connectionId))
  await expect(page.getByText('The deployment does not report CPU or memory usage for this pipe.')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Throughput (bytes/s)' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Replication lag' })).toBeVisible()
  await expect(page.getByRole('table', { name: 'Resource utilization' })).toContainText('3 MiB')
})

test('lists a pipe at its limit first, with a suggested size that is only sent on request', async ({ page, cloud }) => {
  const pipe = await cloud.createPipe()
  const metric = (name: string, value: number) =>
    `ClickPipes_Replica_${name}{clickhouse_service="${cloud.serviceId}",clickpipe_id="${pipe.id}",clickpipe_source="kafka"} ${value}`
  const key = await createKey()
  const connection = unique('Busy cloud')
  const connectionId = await addConnection(page, { ...key, name: connection })
  setFaults({
    match: `GET ${cloud.metricsAt}`,
    key: key.keyId,
    status: 200,
    contentType: 'text/plain',
    body: [
      metric('CPUUsage', 122),
      metric('CPULimit', 125),
      metric('MemoryUsage', 2 ** 27),
      metric('MemoryLimit', 2 ** 29),
    ].join('\n'),
  })
  await page.goto(pipeAt(pipe, '/scaling').replace(managed, connectionId))
  await expect(
    page.getByRole('status').filter({ hasText: /^CPU has been at its limit for .*; memory has headroom\./ }),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Try size S (+$9 per month)' }).click()
  await expect(page.getByRole('textbox', { name: 'CPU per replica' })).toHaveValue('250')
  await expect(page.getByRole('textbox', { name: 'Memory per replica' })).toHaveValue('1')
  await expect(page.getByText(/2 changes/)).toBeVisible()
  await expect(page.getByRole('button', { name: /^Try size/ })).toHaveCount(0)
  expect((await cloud.pipe(pipe.id)).scaling).toMatchObject({ replicaCpuMillicores: 125 })

  // The list shows it too, from the first sample on.
  await page.goto(`/c/${connectionId}/pipes`)
  await expect(page.getByRole('row', { name: new RegExp(pipe.name) })).toContainText('98 % ↑')

  // So does Home, with the way to the form.
  await page.goto('/')
  const advice = page
    .getByRole('list', { name: 'Needs attention' })
    .getByRole('listitem')
    .filter({ hasText: pipe.name })
    // On a busy machine, the pipe itself is at its limit too: the other connection to the stack tells so.
    .filter({ hasText: connection })
  await expect(advice).toContainText(/CPU has been at its limit for .*; memory has headroom\./)
  await advice.getByRole('link', { name: `Scale pipe: ${pipe.name}` }).press('Enter')
  await expect(page).toHaveURL(new RegExp(`${pipeAt(pipe, '/scaling').replace(managed, connectionId)}$`))
})

test('without metrics, the page says so and pipes can still be scaled', async ({ page, cloud }) => {
  const pipe = await cloud.createPipe()
  const key = await createKey()
  const connectionId = await addConnection(page, key)
  setFaults({
    match: `GET ${cloud.metricsAt}`,
    key: key.keyId,
    status: 404,
    body: { status: 404, error: 'NOT_FOUND' },
  })
  await page.goto(pipeAt(pipe, '/scaling').replace(managed, connectionId))
  await expect(page.getByText('This deployment does not provide pipe metrics.')).toBeVisible()
  await expect(page.getByRole('slider', { name: 'Replicas' })).toBeEnabled()
})
