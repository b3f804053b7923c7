/** Right-sizing: the load of days against size, the change of several sizes at once, and what was measured afterwards. */
import { createClient } from '@libsql/client/sqlite3'
import { join } from 'node:path'
import { expectNoViolations } from '../support/axe.ts'
import { sampleNow, test } from '../support/cloud.ts'
import { dataDir } from '../support/environment.ts'
import { expect, managed } from '../support/test.ts'

test.use({ telemetry: true })

const at = `/c/${managed}/right-sizing`
const hour = 3_600_000

const openDatabase = () => createClient({ url: `file:${join(dataDir, 'console.db')}`, timeout: 10_000 })

/** The CPU limits at which a pipe has been measured, millicores. */
async function measuredLimits(pipeId: string): Promise<number[]> {
  const database = openDatabase()
  try {
    const sql = 'SELECT DISTINCT cpu_limit FROM size_loads WHERE resource_id = ? AND connection_id = ?'
    const { rows } = await database.execute({ sql, args: [pipeId, managed] })
    return rows.map(({ cpu_limit: limit }) => Number(limit))
  } finally {
    database.close()
  }
}

interface Measured {
  /** Millicores. */
  limit: number
  /** The highest of each hour, millicores. */
  used: number
}

/**
 * Repeats the newest measurement of a pipe at a size in the hours before, because nobody can wait for them. Measurements at
 * the size that it had before are removed: hours count since the last one at another size.
 */
async function plantHours(pipeId: string, hours: number, { limit, used }: Measured): Promise<void> {
  const database = openDatabase()
  try {
    const copied = Array.from({ length: hours }, (_, ago) => ({
      sql: `INSERT INTO size_loads SELECT connection_id, revision, resource, resource_id, at - ?, cpu_limit, memory_limit,
          at - ? + 3500000, 3600, ?, memory_high FROM size_loads WHERE resource_id = ? AND connection_id = ? AND cpu_limit = ?
          ORDER BY last_at DESC LIMIT 1`,
      args: [(ago + 1) * hour, (ago + 1) * hour, used, pipeId, managed, limit],
    }))
    const others = {
      sql: 'DELETE FROM size_loads WHERE resource_id = ? AND connection_id = ? AND cpu_limit <> ?',
      args: [pipeId, managed, limit],
    }
    // Each copies the newest hour, which stays the newest.
    await database.batch([others, ...copied], 'write')
  } finally {
    database.close()
  }
}

test('sizes are suggested from the load of days, changed together, and compared with what was predicted', async ({
  page,
  cloud,
}) => {
  const [large, fresh] = [await cloud.createPipe(), await cloud.createPipe()]
  await cloud.scalePipe(large.id, { replicaCpuMillicores: 2000, replicaMemoryGb: 8 })
  await expect.poll(async () => (await cloud.pipe(large.id)).currentScaling).toMatchObject({ replicaMemoryGb: 8 })
  await page.goto(`/c/${managed}/pipes`)
  await sampleNow(page, managed)
  await page.getByRole('link', { name: 'Right-sizing' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Right-sizing' })).toBeVisible()
  const table = page.getByRole('table', { name: 'Sizes of pipes and services' })
  const rowOf = (name: string) => table.getByRole('row', { name: new RegExp(name) })
  await expect(rowOf(fresh.name)).toContainText(/measured|Nothing is measured yet/)
  await expect(page.getByRole('checkbox', { name: `Select ${fresh.name}` })).toBeDisabled()

  // The size is measured some time after it was chosen.
  const measured = async () => {
    await sampleNow(page, managed)
    return measuredLimits(large.id)
  }
  await expect.poll(measured, { intervals: [1_000, 5_000] }).toContain(2_000)
  await plantHours(large.id, 30, { limit: 2_000, used: 200 })
  await page.reload()
  const row = rowOf(large.name)
  await expect(row).toContainText('1 × XL')
  await expect(row).toContainText(/CPU p95 10 % peak 10 %/)
  await expect(row).toContainText('1 × M')
  await expect(row).toContainText(/Expected peak: CPU 40 %, memory \d+ %\. Stays under 70 % at the peak seen\./)
  await expect(row).toContainText('Fair: 30 h measured')
  await expect(row).toContainText('−$109')
  await expectNoViolations(page, 'right-sizing')

  await page.getByRole('checkbox', { name: `Select ${large.name}` }).focus()
  await page.keyboard.press('Space')
  const selection = page.getByRole('region', { name: 'Selection' })
  await expect(selection).toContainText('1 selected−$109 per month')
  await selection.getByRole('button', { name: 'Review changes' }).focus()
  await page.keyboard.press('Enter')
  const review = page.getByRole('dialog', { name: 'Change 1 size' })
  await expect(review.getByRole('table', { name: 'Changes' })).toContainText('CPU per replica: 2 vCPU → 0.5 vCPU')
  await review.getByRole('button', { name: 'Change 1 size' }).click()
  await expect(review.getByRole('list', { name: 'Outcomes' })).toContainText('done')
  await review.getByRole('button', { name: 'Close' }).click()
  const changed = page.getByRole('region', { name: 'Changed sizes' }).getByRole('row', { name: new RegExp(large.name) })
  await expect(changed).toContainText(/(Expected peak: CPU|CPU: predicted peak) 40 %/)
  // Right after a change, placeholders are reported.
  await expect
    .poll(async () => (await cloud.pipe(large.id)).currentScaling)
    .toMatchObject({ replicaCpuMillicores: 500, replicaMemoryGb: 2 })
})

test('says why nothing is suggested for a pipe without a size', async ({ page, cloud }) => {
  const pipe = await cloud.createPipe('objectStorage')
  await page.goto(at)
  const row = page.getByRole('row', { name: new RegExp(pipe.name) })
  await expect(row).toContainText('It has no size: it loads files with the memory of its service.')
  await expect(page.getByRole('checkbox', { name: `Select ${pipe.name}` })).toBeDisabled()
  await expect(page.getByRole('button', { name: 'Review changes' })).toBeDisabled()
})
