import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { nextBatch } from './sourceFiles.ts'

test('batches contain every file once, in order, within their limits', () => {
  const sizes = fc.array(fc.integer({ min: 0, max: 1000 }), { maxLength: 60 })
  const limits = fc.record({ files: fc.integer({ min: 1, max: 20 }), bytes: fc.integer({ min: 1, max: 3000 }) })
  fc.assert(
    fc.property(sizes, limits, (bytes, limit) => {
      const files = bytes.map((size, at) => ({ path: String(at), bytes: size }))
      const taken: typeof files = []
      while (taken.length < files.length) {
        const batch = nextBatch(files.slice(taken.length), limit)
        expect(batch.length).toBeGreaterThan(0)
        expect(batch.length).toBeLessThanOrEqual(limit.files)
        const sum = batch.reduce((total, file) => total + (file.bytes ?? 0), 0)
        if (batch.length > 1) expect(sum).toBeLessThanOrEqual(limit.bytes)
        taken.push(...files.slice(taken.length, taken.length + batch.length))
        expect(batch).toEqual(taken.slice(-batch.length))
      }
    }),
  )
})
