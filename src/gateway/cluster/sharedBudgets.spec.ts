import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { Budget } from '#node/upstream/requestBudget.ts'
import { openTestDatabase } from '../testing/testDatabase.ts'
import { SharedBudgets } from './sharedBudgets.ts'

test('a pause that begins while portions are divided is stored for other consoles', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'budgets-'))
  const database = await openTestDatabase(folder)
  onTestFinished(async () => {
    await database.close()
    rmSync(folder, { recursive: true })
  })
  let isDividing = false
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  const errors: unknown[] = []
  const budgets = new SharedBudgets({
    database: {
      transactConcurrently: async (work) => {
        isDividing = true
        await held
        return database.transactConcurrently(work)
      },
    },
    presence: { id: 'one', isSure: true, everyBeat: () => {} },
    others: { follow: () => {} },
    onError: (error) => errors.push(error),
    digestKey: new Uint8Array(32),
  })
  const budget = new Budget({ limit: 20, window: 60_000 })
  const divider = budgets.dividerFor('key', budget)
  budget.divide(divider)
  const dividing = divider.refresh()
  await expect.poll(() => isDividing).toBe(true)
  budget.learn({ retryAfter: 300_000 }, true, performance.now())
  release()
  await dividing
  await expect.poll(() => database.rows('SELECT name FROM request_budgets WHERE paused_for > 0')).toHaveLength(1)
  expect(errors).toEqual([])
})
