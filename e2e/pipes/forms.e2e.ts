import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { kinesisWriter } from '../../src/stack/testing/streams/kinesisServer.ts'
import { addConnection, pipeAt, test } from '../support/cloud.ts'
import { dataDir, kinesisEndpoint } from '../support/environment.ts'
import { started } from '../support/started.ts'
import { chooseAction, expect, managed, openSource, setFaults, typeDateTime, unique } from '../support/test.ts'

// The pages follow pipes by polling.
test.use({ telemetry: true, polling: true })

const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
const newPipe = (connection: string = managed) => `/c/${connection}/pipes/new`
const next = (page: Page) => page.getByRole('button', { name: /^Next: / })
const create = (page: Page) => page.getByRole('button', { name: 'Create pipe' })
const title = (page: Page, name: string) => page.getByRole('heading', { level: 2, name })
/** The steps at the side, each of which can be opened. */
const step = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Steps' }).getByRole('button', { name: new RegExp(name) })
/** The request of the last step, without secrets. */
async function command(page: Page) {
  await page.getByText('1 request, as cURL').click()
  return page.getByRole('group', { name: 'Request as cURL' })
}

/** Writes JSON files that the stack can read. Returns their path with a wildcard. */
function writeFiles(folder: string, files: readonly (readonly object[])[]): string {
  const at = join(dataDir, 'pipe-files', folder)
  mkdirSync(at, { recursive: true })
  files.forEach((rows, file) =>
    writeFileSync(join(at, `${file}.jsonl`), rows.map((row) => `${JSON.stringify(row)}\n`).join('')),
  )
  return join(at, '*.jsonl')
}

async function choose(page: Page, name: string, option: string | RegExp): Promise<void> {
  await page.getByRole('combobox', { name, exact: true }).click()
  await page.getByRole('option', { name: option }).click()
}

test('creates an object storage pipe in four steps, and loads its rows', async ({ page, cloud }) => {
  const name = unique('Orders')
  const table = name.replaceAll(/\W/g, '_')
  const rows = [{ id: 1, at: '2026-01-01 00:00:00', amount: 2.5 }]
  const url = writeFiles(name, [rows, [...rows, ...rows]])
  await page.goto(`/c/${managed}/pipes`)
  await page.getByRole('link', { name: 'New pipe' }).first().click()
  await next(page).click()
  await expect(field(page, 'Name')).toHaveAttribute('aria-invalid', 'true')
  await expect(field(page, 'Name')).toBeFocused()

  await field(page, 'Name').fill(name)
  await choose(page, 'Storage', /Local files/)
  await field(page, 'File URL').fill(join(dataDir, 'nowhere', '*.jsonl'))
  await next(page).click()
  // The connection is tested on the way: what is wrong is said before anything else is asked for.
  await expect(page).toHaveURL(/step=preview/)
  await expect(page.getByText(/The folder of .* does not exist/)).toBeVisible()
  await page.getByRole('button', { name: 'Edit File URL' }).click()
  await expect(field(page, 'File URL')).toBeFocused()
  await next(page).click()
  await next(page).click()
  await expect(field(page, 'Column 1')).toHaveAttribute('aria-invalid', 'true')
  await field(page, 'Detect columns from a sample').fill(JSON.stringify(rows[0]))
  await page.getByRole('button', { name: 'Use these 3 columns' }).click()
  await expect(field(page, 'Column 3')).toHaveValue('amount')
  await expect(page.getByRole('combobox', { name: 'Type 3' })).toHaveValue('Float64')
  await next(page).click()
  await field(page, 'Table').fill(table)
  await page.getByRole('combobox', { name: 'Sorting key' }).fill('id')
  await page.keyboard.press('Enter')
  await next(page).click()

  await expect(page.getByText('id Int64, at DateTime64(3), amount Float64')).toBeVisible()
  await expect(await command(page)).toContainText(`"table": "${table}"`)
  await create(page).click()
  // The deployment checks the source: the error leads to the step of its field, and no input is lost.
  await expect(title(page, 'Step 1 of 4: Source')).toBeVisible()
  await expect(page.getByText(/The folder of .* does not exist/)).toBeVisible()
  await expect(field(page, 'File URL')).toHaveAttribute('aria-invalid', 'true')
  await expect(field(page, 'File URL')).toBeFocused()
  await field(page, 'File URL').fill(url)
  await step(page, 'Size and review').click()
  await create(page).click()

  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  const made = (await cloud.pipes()).find((pipe) => pipe.name === name)
  cloud.deleteLater(made?.id)
  expect(made).toMatchObject({
    source: { objectStorage: { type: 'file', format: 'JSONEachRow', url, isContinuous: false } },
    destination: { table, tableDefinition: { engine: { type: 'MergeTree' }, sortingKey: ['id'] } },
  })
  await expect(page.getByText('Completed', { exact: true }).first()).toBeVisible()
  await expect.poll(() => cloud.written(made?.id ?? '')).toBe(3)
  // Its rows are queried on the connection that answers for this one, through a source for its table.
  await page.getByRole('link', { name: 'Query this table' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'New source' })).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`/c/${openSource}/`))
  await expect(page.getByRole('textbox', { name: 'Table', exact: true })).toHaveValue(table)
  await field(page, 'Timestamp').fill('at')
  await field(page, 'Default columns').fill('id, at')
  await page.getByRole('button', { name: 'Create source' }).click()
  await expect(page.getByRole('heading', { level: 1, name: table })).toBeVisible()
  if (made) await page.goto(pipeAt(made))
  await page.getByRole('link', { name: 'Query this table' }).click()
  await expect(page).toHaveURL(/\/search\?source=/)
})

test('sends the secrets of a new pipe, and shows them neither in the review nor in the command', async ({
  page,
  cloud,
}) => {
  const name = unique('Clicks')
  await page.goto(newPipe())
  await page.getByRole('radio', { name: /Kafka/ }).check()
  await field(page, 'Name').fill(name)
  await field(page, 'Brokers').fill('broker.example:9092')
  await field(page, 'Topics').fill('clicks')
  await next(page).click()
  await expect(field(page, 'Username')).toHaveAttribute('aria-invalid', 'true')
  await field(page, 'Username').fill('reader')
  await page.getByLabel('Password').fill('e2e-kafka-password')
  await next(page).click()
  await field(page, 'Column 1').fill('event')
  await next(page).click()
  await field(page, 'Table').fill(name.replaceAll(/\W/g, '_'))
  await next(page).click()
  await field(page, 'Replicas').fill('11')
  await page.keyboard.press('Tab')
  await expect(page.getByText(/At most 10/)).toBeVisible()
  await field(page, 'Replicas').fill('2')
  await expect(page.getByRole('region', { name: 'Cost' })).toContainText('$18')
  await expect(await command(page)).toContainText('"password": "***"')
  await expect(page.getByRole('main')).not.toContainText('e2e-kafka-password')
  await create(page).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  const made = (await cloud.pipes()).find((pipe) => pipe.name === name)
  cloud.deleteLater(made?.id)
  expect(made).toMatchObject({ scaling: { replicas: 2 }, source: { kafka: { authentication: 'SCRAM-SHA-512' } } })
})

test('creates a Kinesis pipe with an access key, a start time and the chosen size', async ({ page, cloud }) => {
  const name = unique('Payments')
  const stream = name.replaceAll(/\W/g, '-')
  await started('kinesis')
  const kinesis = kinesisWriter(kinesisEndpoint)
  await kinesis.createStream(stream, 1)
  await kinesis.put(stream, ['{"event":"paid","amount":1}'])
  await kinesis.close()
  await page.goto(newPipe())
  await page.getByRole('radio', { name: /Kinesis/ }).check()
  await field(page, 'Name').fill(name)
  await field(page, 'Stream name').fill(stream)
  await field(page, 'Region').fill('eu-central-1')
  await choose(page, 'Start position', 'From a timestamp')
  await choose(page, 'Authentication', 'Access key')
  await field(page, 'Access key ID').fill('reader')
  await next(page).click()
  // Only the fields required by the chosen options are missing.
  await expect(page.getByLabel('Secret access key')).toHaveAttribute('aria-invalid', 'true')
  await page.getByLabel('Secret access key').fill('e2e-kinesis-secret')
  await typeDateTime(page, 'Start time', '2026-01-02 03:04')
  await field(page, 'Stream name').fill('absent')
  await next(page).click()
  await expect(page.getByText(/the stream does not exist in this region/)).toBeVisible()
  await page.getByRole('button', { name: 'Back', exact: true }).click()
  await field(page, 'Stream name').fill(stream)
  await next(page).click()
  const sample = page.getByRole('group', { name: 'Sample of the source' })
  await expect(sample.getByRole('row').nth(1)).toHaveText('paid1')
  // The columns of the sample are filled in where there were none.
  await expect(field(page, 'Column 2')).toHaveValue('amount')
  await page.getByRole('button', { name: 'Remove amount' }).click()
  await page.getByRole('button', { name: 'Use these 2 columns' }).click()
  await expect(field(page, 'Column 2')).toHaveValue('amount')
  await next(page).click()
  await field(page, 'Table').fill(name.replaceAll(/\W/g, '_'))
  await next(page).click()
  await page.getByRole('slider', { name: 'Replicas' }).press('ArrowRight')
  await expect(await command(page)).toContainText(`"streamName": "${stream}"`)
  await expect(page.getByRole('main')).not.toContainText('e2e-kinesis-secret')
  await create(page).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  const made = (await cloud.pipes()).find((pipe) => pipe.name === name)
  cloud.deleteLater(made?.id)
  const timestamp = Date.parse('2026-01-02T03:04') / 1000
  expect(made).toMatchObject({
    scaling: { replicas: 2, replicaCpuMillicores: 125 },
    source: {
      kinesis: { region: 'eu-central-1', iteratorType: 'AT_TIMESTAMP', timestamp, authentication: 'IAM_USER' },
    },
  })
  await expect(page.getByText('Running', { exact: true }).first()).toBeVisible()
  // The page reads the details of a running pipe when it is opened.
  const detail = async () => (await cloud.pipes()).find((pipe) => pipe.name === name)?.stateDetail
  await expect.poll(detail).toContain('reading 1 shard of ')
  await page.reload()
  await expect(page.getByText(/Reading 1 shard of /)).toBeVisible()
  const shard = page.getByRole('table', { name: 'Shards' }).getByRole('row', { name: /shardId-000000000000/ })
  await expect(shard).toContainText('0 s')
  await expect(page.getByText('1 replica beyond the number of shards does nothing.')).toBeVisible()
})

test('shows the fields of each source type, and asks for confirmation before leaving', async ({ page }) => {
  await page.goto(newPipe())
  await page.getByRole('radio', { name: /Object storage/ }).focus()
  await page.keyboard.press('ArrowDown')
  await expect(field(page, 'Brokers')).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await expect(field(page, 'Stream name')).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await expect(field(page, 'Host')).toBeVisible()
  await field(page, 'Name').fill('Not saved')
  await page.getByRole('link', { name: 'Services' }).first().click()
  await page.getByRole('button', { name: 'Keep editing' }).click()
  await expect(field(page, 'Name')).toHaveValue('Not saved')
})

test('keeps everything on the way back, by the button and by the browser, and starts over without it', async ({
  page,
}) => {
  await page.goto(newPipe())
  await page.getByRole('radio', { name: /Postgres/ }).check()
  await field(page, 'Name').fill('Kept')
  await field(page, 'Host').fill('127.0.0.1')
  await field(page, 'Port').fill('1')
  await field(page, 'Source database').fill('shop')
  await field(page, 'Username').fill('reader')
  // By keyboard alone: Enter goes on, and the heading of the step has the focus.
  await page.keyboard.press('Enter')
  await expect(title(page, 'Step 2 of 4: Test and preview')).toBeVisible()
  await expect(page.getByText(/was not reached/)).toBeVisible()
  // Where no tables are found, they are typed.
  await expect(page.getByRole('group', { name: 'Table 1' })).toBeVisible()
  await field(page, 'Source table').fill('orders')
  await field(page, 'Target table').fill('orders')
  await next(page).click()
  await expect(title(page, 'Step 3 of 4: Destination')).toBeVisible()
  await page.goBack()
  await expect(field(page, 'Source table')).toHaveValue('orders')
  await page.getByRole('button', { name: 'Back', exact: true }).click()
  await expect(field(page, 'Host')).toHaveValue('127.0.0.1')
  // A step ahead opens only after the ones before it.
  await field(page, 'Host').fill('')
  await step(page, 'Destination').click()
  await expect(title(page, 'Step 1 of 4: Source')).toBeVisible()
  await expect(field(page, 'Host')).toBeFocused()
  await field(page, 'Password').fill('hush-draft')
  await field(page, 'Host').fill('db.example.com')
  const stored = () => page.evaluate(() => JSON.stringify(localStorage))
  await expect.poll(stored).toContain('db.example.com')
  expect(await stored()).not.toContain('hush-draft')
  page.once('dialog', (dialog) => void dialog.accept())
  await page.goto(`${newPipe()}?step=review`)
  await expect(title(page, 'Step 1 of 4: Source')).toBeVisible()
  await expect(field(page, 'Name')).toHaveValue('')
  // The entered values wait in the browser, without its secrets.
  await page.getByRole('button', { name: 'Continue draft' }).click()
  await expect(field(page, 'Host')).toHaveValue('db.example.com')
  await expect(field(page, 'Name')).toHaveValue('Kept')
  await expect(field(page, 'Password')).toHaveValue('')
  page.once('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await page.getByRole('button', { name: 'Discard draft' }).click()
  expect(await stored()).not.toContain('db.example.com')
})

test('edits a pipe: shows a diff, sends only changes, and hides secrets', async ({ page, cloud }) => {
  const pipe = await cloud.createPipe()
  const name = unique('Renamed')
  await page.goto(pipeAt(pipe))
  await chooseAction(page, 'Edit')
  await expect(page.getByRole('button', { name: 'Save pipe' })).toBeDisabled()
  await field(page, 'Name').fill(name)
  await page.getByRole('button', { name: 'Add column' }).click()
  await field(page, 'Column 3').fill('page')
  await page.getByRole('button', { name: 'Review' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('row', { name: /^Name/ })).toContainText(name)
  await expect(dialog.getByRole('row', { name: /^Columns/ })).toContainText('page String')
  await expect(dialog.getByText(/curl -X PATCH/)).not.toContainText('"source":')
  await dialog.getByRole('button', { name: 'Save pipe' }).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  const saved = await cloud.pipe(pipe.id)
  expect(saved).toMatchObject({ name, source: pipe.source })
  expect(saved.destination?.columns?.map((column) => column.name)).toEqual(['at', 'event', 'page'])
})

test('resolves a conflict with somebody else, and shows a rejected value at its field', async ({ page, cloud }) => {
  const pipe = await cloud.createPipe()
  await page.goto(pipeAt(pipe, '/edit'))
  await field(page, 'Name').fill('Mine')
  await cloud.updatePipe(pipe.id, { name: 'Theirs' })
  await page.getByRole('button', { name: 'Save pipe' }).click()
  const choice = page.getByRole('region', { name: 'Changed by somebody else' })
  await expect(choice.getByRole('row', { name: /^Name/ })).toContainText(/Theirs.*Mine/)
  await choice.getByRole('button', { name: 'Yours' }).click()
  await choice.getByRole('button', { name: 'Continue with these values' }).click()
  setFaults({
    match: `PATCH ${cloud.pipesAt}/${pipe.id}`,
    status: 400,
    body: { status: 400, error: 'BAD_REQUEST: request body.name: Name is taken <string:Mine>', requestId: 'r' },
    times: 1,
  })
  await page.getByRole('button', { name: 'Save pipe' }).click()
  await expect(page.getByText('Name is taken')).toBeVisible()
  await expect(field(page, 'Name')).toHaveAttribute('aria-invalid', 'true')
  expect((await cloud.pipe(pipe.id)).name).toBe('Theirs')
  await page.getByRole('button', { name: 'Save pipe' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Mine' })).toBeVisible()
})

test('a read-only connection explains why no pipe can be created', async ({ page }) => {
  const connection = await addConnection(page, { readOnly: true })
  await page.goto(`/c/${connection}/pipes`)
  await expect(page.getByRole('link', { name: 'New pipe' }).first()).toHaveAttribute('aria-disabled', 'true')
  await page.goto(newPipe(connection))
  await expect(page.getByText(/read-only/i).first()).toBeVisible()
  await expect(next(page)).toBeDisabled()
})

test('without a running service, the form says so and what to do', async ({ page, cloud }) => {
  const idle = { ...(await cloud.service()), state: 'idle' }
  const list = { status: 200, body: { status: 200, requestId: 'r', result: [idle] } }
  setFaults({ match: `GET ${cloud.servicesAt}`, ...list })
  await page.goto(newPipe())
  await expect(page.getByText(/No service is running/).first()).toBeVisible()
  await expect(next(page)).toBeDisabled()
  await page.getByRole('link', { name: 'View services' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Services' })).toBeVisible()
})
