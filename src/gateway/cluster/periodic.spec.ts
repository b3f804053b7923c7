import { expect, test, vi } from 'vitest'
import { Periodic } from './periodic.ts'

const hour = 3_600_000

test('is never under way twice, begins again for whoever asked meanwhile, and ends with the console', async () => {
  const begun: (() => void)[] = []
  const presence = { isSure: true }
  const errors: unknown[] = []
  const work = () => new Promise<void>((done) => begun.push(done))
  const periodic = new Periodic({ presence, every: hour, work, onError: (error) => errors.push(error) })
  periodic.now()
  await vi.waitFor(() => expect(begun).toHaveLength(1), { timeout: 30_000 })
  periodic.now()
  periodic.now()
  expect(begun).toHaveLength(1)
  begun[0]?.()
  await vi.waitFor(() => expect(begun).toHaveLength(2), { timeout: 30_000 })
  // Another console may have taken the place of this one.
  presence.isSure = false
  periodic.now()
  begun[1]?.()
  await periodic.close()
  expect(begun).toHaveLength(2)
  presence.isSure = true
  periodic.now()
  await periodic.close()
  expect(begun).toHaveLength(2)
  expect(errors).toEqual([])
})

test('goes on after an error', async () => {
  const errors: unknown[] = []
  const work = vi.fn<() => Promise<void>>().mockRejectedValueOnce(new Error('once')).mockResolvedValue()
  const parts = { presence: { isSure: true }, every: 1, work, onError: (error: unknown) => errors.push(error) }
  const periodic = new Periodic(parts)
  await vi.waitFor(() => expect(work.mock.calls.length).toBeGreaterThan(1), { timeout: 30_000 })
  await periodic.close()
  expect(errors).toEqual([new Error('once')])
})
