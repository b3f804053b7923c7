/** Right-sizing: the load of days against size, the change of several sizes at once, and what was measured afterwards. */
import { createClient } from '@libsql/client/sqlite3'
import { join } from 'node:path'
import { expectNoViolations } from '../support/axe.ts'
import { sampleNow, test } from '../support/cloud.ts'
import { dataDir } from '../support/environment.ts'
import { joinAs } from '../console/joinAs.ts'
import { send } from '../support/requests.ts'
import { expect, managed, unique } from '../support/test.ts'

test.use({ telemetry: true })

const at = `/c/${managed}/pipes/right-sizing`
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
 * the size that it had before are removed: hours count since the last one at another size. Those of an earlier hour are
 * replaced: a service is measured from the start of the stack on, which can be in the hour before.
 */
async function plantHours(pipeId: string, hours: number, { limit, used }: Measured): Promise<void> {
  const database = openDatabase()
  try {
    const copied = Array.from({ length: hours }, (_, ago) => ({
      sql: `INSERT OR REPLACE INTO size_loads SELECT connection_id, revision, resource, resource_id, at - ?, cpu_limit, memory_limit,
          at - ? + 3500000, 3600, ?, memory_high FROM size_loads WHERE resource_id = ? AND connection_id = ? AND cpu_limit = ?
          ORDER BY at DESC LIMIT 1`,
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

/** Repeats the newest measurement of a service as that of the next hour: the hour of a change of its size does not count. */
async function plantNextHour(serviceId: string): Promise<void> {
  const database = openDatabase()
  try {
    const sql = `INSERT INTO size_loads SELECT connection_id, revision, resource, resource_id, at + ?, cpu_limit, memory_limit,
        last_at, seconds, cpu_high, memory_high FROM size_loads WHERE resource_id = ? AND connection_id = ? ORDER BY at DESC LIMIT 1`
    await database.execute({ sql, args: [hour, serviceId, managed] })
  } finally {
    database.close()
  }
}

/** Makes a load the highest that has been measured of a pipe at a size. */
async function noteHighest(pipeId: string, { limit, used }: Measured): Promise<void> {
  const database = openDatabase()
  try {
    const sql = 'UPDATE size_loads SET cpu_high = ? WHERE resource_id = ? AND connection_id = ? AND cpu_limit = ?'
    await database.execute({ sql, args: [used, pipeId, managed, limit] })
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

test('sizes of pipes and a service become one change request, which somebody else approves', async ({
  page,
  otherBrowser,
  cloud,
}) => {
  const service = await cloud.service()
  const memory = async () => {
    const { minReplicaMemoryGb, maxReplicaMemoryGb } = await cloud.service()
    return { minReplicaMemoryGb, maxReplicaMemoryGb }
  }
  const whole = await memory()
  const pipes = [await cloud.createPipe(), await cloud.createPipe()]
  for (const { id } of pipes) await cloud.scalePipe(id, { replicaCpuMillicores: 2000, replicaMemoryGb: 8 })
  const sizes = () => Promise.all(pipes.map(async ({ id }) => (await cloud.pipe(id)).currentScaling))
  const large = { replicaCpuMillicores: 2000, replicaMemoryGb: 8 }
  await expect.poll(sizes).toMatchObject([large, large])
  await page.goto(`/c/${managed}/pipes`)
  const measured = async () => {
    await sampleNow(page, managed)
    return Promise.all(pipes.map(async ({ id }) => (await measuredLimits(id)).includes(2_000)))
  }
  await expect.poll(measured, { intervals: [1_000, 5_000] }).toEqual([true, true])
  for (const { id } of pipes) await plantHours(id, 30, { limit: 2_000, used: 200 })
  // A service reports neither its CPU nor limits.
  await plantHours(cloud.serviceId, 30, { limit: -1, used: -1 })
  const names = [...pipes.map(({ name }) => name), service.name ?? '']
  // Two people who may approve, so that nobody is locked out.
  const [asker, approver] = [
    await joinAs(page, otherBrowser, unique('Jana Novak'), 'operator'),
    await joinAs(page, otherBrowser, unique('Mira Sand'), 'administrator'),
  ]
  await send(page, 'PUT', `/api/connections/${managed}/approval`, { twoPersonApproval: true })
  try {
    const theirs = asker.page
    await theirs.goto(at)
    for (const name of names) await theirs.getByRole('checkbox', { name: `Select ${name}` }).check()
    await theirs.getByRole('button', { name: 'Review changes' }).click()
    const review = theirs.getByRole('dialog', { name: 'Change 3 sizes' })
    await expect(review).toContainText('They become one change request, which somebody else approves.')
    await review.getByRole('button', { name: 'Change 3 sizes' }).click()
    const asking = theirs.getByRole('dialog', { name: 'Send for approval' })
    await asking.getByLabel('Title').fill('Smaller sizes')
    await asking.getByRole('button', { name: 'Send for approval' }).click()
    await expect(review.getByRole('list', { name: 'Outcomes' })).toContainText('waits for approval')
    await review.getByRole('button', { name: 'Close' }).click()
    const changed = theirs.getByRole('region', { name: 'Changed sizes' })
    for (const name of names) {
      await expect(changed.getByRole('row', { name: new RegExp(name) })).toContainText('waits for approval')
    }
    expect(await sizes()).toMatchObject([large, large])
    expect(await memory()).toEqual(whole)

    await approver.page.goto('/change-requests?who=forMe')
    await approver.page.getByRole('link', { name: 'Smaller sizes' }).click()
    const plan = approver.page.getByRole('table', { name: 'Plan' })
    for (const name of names) await expect(plan).toContainText(name)
    await approver.page.getByRole('button', { name: 'Approve and apply' }).click()
    await approver.page.getByRole('dialog').getByRole('button', { name: 'Approve and apply' }).click()
    await expect(approver.page.getByText('Applied', { exact: true })).toBeVisible()
    const medium = { replicaCpuMillicores: 500, replicaMemoryGb: 2 }
    await expect.poll(sizes).toMatchObject([medium, medium])
    expect(await memory()).toEqual({ minReplicaMemoryGb: 8, maxReplicaMemoryGb: 8 })

    // The load at the new sizes is compared with the predicted one: as predicted, and higher.
    const remeasured = async () => {
      await sampleNow(page, managed)
      return Promise.all(pipes.map(async ({ id }) => (await measuredLimits(id)).includes(500)))
    }
    await expect.poll(remeasured, { intervals: [1_000, 5_000] }).toEqual([true, true])
    await noteHighest(pipes[0]!.id, { limit: 500, used: 190 })
    await noteHighest(pipes[1]!.id, { limit: 500, used: 480 })
    await plantNextHour(cloud.serviceId)
    await theirs.reload()
    await expect(changed.getByRole('row', { name: new RegExp(pipes[0]!.name) })).toContainText('as predicted')
    await expect(changed.getByRole('row', { name: new RegExp(pipes[1]!.name) })).toContainText('higher than predicted')
    await expect(changed.getByRole('row', { name: new RegExp(service.name ?? '') })).toContainText('as predicted')
  } finally {
    await cloud.scaleService(whole)
    const glass = { reason: 'The test is over', confirmedName: 'Local (managed)' }
    await send(approver.page, 'POST', `/api/connections/${managed}/break-glass`, glass)
    await send(approver.page, 'PUT', `/api/connections/${managed}/approval`, { twoPersonApproval: false })
    // One that goes on would refuse that of the next test.
    await send(approver.page, 'DELETE', `/api/connections/${managed}/break-glass`)
    for (const person of [asker, approver]) await person.leave()
  }
})

test('claims nothing about loads that could not be read', async ({ page, cloud }) => {
  const pipe = await cloud.createPipe()
  const unreachable = { code: 'unreachable', message: 'The console could not be reached', status: 502 }
  await page.route('**/size-loads', (route) => route.fulfill({ status: 502, json: unreachable }))
  await page.goto(at)
  await expect(page.getByText(/^The measured loads could not be read/)).toBeVisible()
  const row = page.getByRole('row', { name: new RegExp(pipe.name) })
  await expect(row).toContainText('Its load could not be read.')
  await expect(row).not.toContainText('measured')
})

test('says why nothing is suggested for a pipe without a size', async ({ page, cloud }) => {
  const pipe = await cloud.createPipe('objectStorage')
  await page.goto(at)
  const row = page.getByRole('row', { name: new RegExp(pipe.name) })
  await expect(row).toContainText('It has no size: it loads files with the memory of its service.')
  await expect(page.getByRole('checkbox', { name: `Select ${pipe.name}` })).toBeDisabled()
  await expect(page.getByRole('button', { name: 'Review changes' })).toBeDisabled()
})
