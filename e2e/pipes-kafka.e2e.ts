/** A Kafka pipe over a real broker: its consumer group, its bad records, and a reset of its offsets. */
import { readFileSync } from 'node:fs'
import { Producer } from '@platformatic/kafka'
import { pipeAt, test } from './support/cloud.ts'
import { plainBrokerFile } from './support/environment.ts'
import { expect } from './support/test.ts'

test('shows partitions and bad records, and resets a stopped pipe after a preview', async ({ page, cloud }) => {
  const pipe = await cloud.createPipe()
  const producer = new Producer({ clientId: 'e2e', bootstrapBrokers: [readFileSync(plainBrokerFile, 'utf8')] })
  const values = ['{"at":"2026-01-01 00:00:00.000","event":"paid"}', '{"at":"never"}']
  await producer.send({
    messages: values.map((value) => ({ topic: 'events', partition: 3, value: Buffer.from(value) })),
    acks: 1,
  })
  await producer.close()
  await page.goto(pipeAt(pipe))
  const partitions = page.getByRole('table', { name: 'Partitions' })
  await expect(partitions.getByRole('row')).toHaveCount(5, { timeout: 30_000 })
  const bad = page.getByRole('table', { name: 'Bad records' })
  await expect(bad).toContainText('{"at":"never"}', { timeout: 30_000 })
  await bad
    .getByRole('button', { name: /^Copy record 3:/ })
    .first()
    .click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('"at"')
  const reset = page.getByRole('button', { name: 'Reset offsets…' })
  await expect(reset).toBeDisabled()

  await page.getByRole('button', { name: 'Stop' }).click()
  await page.getByRole('dialog').getByRole('button', { name: /Stop/ }).click()
  await expect(reset).toBeEnabled({ timeout: 30_000 })
  await reset.click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Preview' }).click()
  await expect(dialog.getByText(/will be loaded again, and be there twice/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Reset and start' }).click()
  await expect(page.getByText('was reset, and starts.')).toBeVisible()
  await expect.poll(async () => (await cloud.pipe(pipe.id)).state, { timeout: 30_000 }).toBe('Running')
})
