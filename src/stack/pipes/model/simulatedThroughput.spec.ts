import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { advance, arrivalAt, capacityOf, readModel, type PipeModel } from './simulatedThroughput.ts'

const start: PipeModel = { at: 1_700_000_000_000, fetchedBytes: 0, sentBytes: 0, backlog: 0 }
const small = { replicas: 1, replicaCpuMillicores: 125, replicaMemoryGb: 0.5 }
const large = { replicas: 4, replicaCpuMillicores: 1000, replicaMemoryGb: 4 }
const sizes = fc.record({
  replicas: fc.integer({ min: 1, max: 10 }),
  replicaCpuMillicores: fc.integer({ min: 125, max: 2000 }),
  replicaMemoryGb: fc.double({ min: 0.5, max: 8, noNaN: true }),
})

test('reads in between change nothing, and counters only grow', () => {
  const steps = fc.array(fc.integer({ min: 0, max: 60_000 }), { minLength: 1, maxLength: 20 })
  fc.assert(
    fc.property(fc.uuid(), sizes, fc.boolean(), steps, (id, size, runs, waits) => {
      let model = start
      for (const wait of waits) {
        const next = advance(id, model, runs ? size : null, model.at + wait)
        expect(next.sentBytes).toBeGreaterThanOrEqual(model.sentBytes)
        model = next
      }
      const once = advance(id, start, runs ? size : null, model.at)
      expect(model.sentBytes).toBeCloseTo(once.sentBytes, 0)
      expect(model.backlog).toBeCloseTo(once.backlog, 0)
      if (!runs) expect(model.sentBytes).toBe(0)
    }),
  )
})

test('all data that arrives is sent or waiting', () => {
  const id = '0a000000-0000-4000-8000-000000000000'
  const later = start.at + 600_000
  const [slow, fast] = [small, large].map((size) => advance(id, start, size, later))
  expect((slow?.sentBytes ?? 0) + (slow?.backlog ?? 0)).toBeCloseTo(fast?.sentBytes ?? 0, -3)
  expect(fast?.backlog).toBe(0)
  expect(arrivalAt(id, start.at)).toBeGreaterThan(capacityOf(small))
  expect(slow?.backlog).toBeGreaterThan(0)
})

test('a larger size ends a lag at lower utilization', () => {
  const id = '0a000000-0000-4000-8000-000000000000'
  const behind = advance(id, start, small, start.at + 600_000)
  const before = readModel(id, behind, small, true, 5000)
  expect(before.cpuMillicores / small.replicaCpuMillicores).toBeGreaterThan(0.9)
  expect(before.latencyMs).toBeGreaterThan(10_000)
  const caughtUp = advance(id, behind, large, behind.at + 300_000)
  const after = readModel(id, caughtUp, large, true, 5000)
  expect(after.backlog).toBe(0)
  expect(after.latencyMs).toBeLessThan(5000)
  expect(after.cpuMillicores / large.replicaCpuMillicores).toBeLessThan(0.5)
})

test('usage stays below its limit for any size', () => {
  fc.assert(
    fc.property(fc.uuid(), sizes, fc.integer({ min: 0, max: 600_000 }), (id, size, wait) => {
      const reading = readModel(id, advance(id, start, size, start.at + wait), size, true, 5000)
      expect(reading.cpuMillicores).toBeLessThanOrEqual(size.replicaCpuMillicores)
      expect(reading.memoryBytes).toBeLessThanOrEqual(size.replicaMemoryGb * 2 ** 30)
    }),
  )
})
