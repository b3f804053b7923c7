import { expect, test, vi } from 'vitest'
import { EngineMissing } from './engineError.ts'

test('reports a missing engine in a sentence', async () => {
  // The package cannot be removed while others use it, so its absence is simulated.
  vi.doMock('chdb', () => {
    throw new Error("Cannot find package 'chdb'")
  })
  const { openEngine } = await import('./engine.ts')
  const error: unknown = await openEngine({ dataDir: '/nowhere' }).catch((error: unknown) => error)
  expect(error).toBeInstanceOf(EngineMissing)
  expect(String(error)).toMatch(/CLICKHOUSE_URL/)
})
