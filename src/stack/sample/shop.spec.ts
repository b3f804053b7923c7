import { describe, expect, test } from 'vitest'
import { sampleLabel } from './otlpRequests.ts'
import { createRandom } from './random.ts'
import { incidentOf, liveIncidentAt, trafficAt, troubleAt } from './rhythm.ts'
import { generateSlice, generateStep, sliceAt, sliceCount, stepLength } from './shop.ts'

const anchor = Date.UTC(2026, 4, 14, 9, 41, 7)
const hour = 3_600_000

interface Span {
  traceId: string
  spanId: string
  parentSpanId?: string
  startTimeUnixNano: string
  endTimeUnixNano: string
  status: { code?: number }
}

/** The generated records are OTLP JSON, which the collector reads; the tests read it too. */
const spansOf = (index: number) => generateSlice(anchor, index).traces.map(({ record }) => record as Span)
const textsOf = (index: number) =>
  generateSlice(anchor, index).logs.map(({ record }) => (record as { body: { stringValue: string } }).body.stringValue)

test('the same start gives the same shop, another slice a different one', () => {
  expect(generateSlice(anchor, 3)).toEqual(generateSlice(anchor, 3))
  expect(spansOf(3)[0]).not.toEqual(spansOf(4)[0])
})

test('slices join without a gap or an overlap', () => {
  for (let index = 1; index < sliceCount; index += 1) {
    expect(sliceAt(anchor, index).end).toBe(sliceAt(anchor, index - 1).start)
  }
  expect(anchor - sliceAt(anchor, sliceCount - 1).start).toBe(7 * 24 * hour)
})

test('every trace has one root, and every other span lies within its parent', () => {
  const spans = spansOf(0)
  const byId = new Map(spans.map((span) => [span.spanId, span]))
  expect(byId.size).toBe(spans.length)
  const roots = spans.filter((span) => span.parentSpanId === undefined)
  expect(roots.length).toBe(new Set(spans.map((span) => span.traceId)).size)
  for (const span of spans) {
    const parent = span.parentSpanId === undefined ? span : byId.get(span.parentSpanId)!
    expect(parent.traceId).toBe(span.traceId)
    expect(BigInt(span.startTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(parent.startTimeUnixNano))
    expect(BigInt(span.endTimeUnixNano)).toBeLessThanOrEqual(BigInt(parent.endTimeUnixNano))
  }
})

test('no two slices have the same prefix of trace IDs', () => {
  const { tracePrefix } = sliceAt(anchor, 5)
  expect(spansOf(5).every(({ traceId }) => traceId.startsWith(tracePrefix))).toBe(true)
  for (const index of [4, 6, 80]) {
    expect(spansOf(index).some(({ traceId }) => traceId.startsWith(tracePrefix))).toBe(false)
  }
})

describe('daily and weekly load', () => {
  test('is low at night and high in the evening', () => {
    const at = (clock: number) => trafficAt(Date.UTC(2026, 4, 13, clock))
    expect(at(20)).toBeGreaterThan(5 * at(3))
  })

  test('drops on the weekend', () => {
    expect(trafficAt(Date.UTC(2026, 4, 16, 12))).toBeLessThan(0.7 * trafficAt(Date.UTC(2026, 4, 15, 12)))
  })
})

describe('incident', () => {
  const { start, end } = incidentOf(anchor)
  const during = Math.floor((anchor - start) / hour) - 1

  test('takes forty minutes, thirty hours ago', () => {
    expect([anchor - start, end - start]).toEqual([30 * hour, 40 * 60_000])
    expect([start - 1, start + 10 * 60_000, end].map((time) => troubleAt(time, { start, end }))).toEqual([0, 1, 0])
  })

  test('shows in errors and latencies, with its cause in the log', () => {
    const errors = (index: number) => spansOf(index).filter((span) => span.status.code === 2).length
    expect(errors(during)).toBeGreaterThan(10 * errors(during - 3))
    expect(textsOf(during).some((text) => text.includes('pool.size 50 -> 5'))).toBe(true)
    expect(textsOf(during).some((text) => text.includes('no connection to the payment provider'))).toBe(true)
    expect(textsOf(during - 3).some((text) => text.includes('no connection'))).toBe(false)
  })
})

test('the label is the one that the removal searches for', () => {
  expect(sampleLabel).toEqual({ key: 'telemetry.sample', value: 'true' })
})

test('random numbers are uniform and repeatable, and latencies have their median', () => {
  const random = createRandom(7)
  const tenths = Array.from({ length: 10 }, () => 0)
  for (let at = 0; at < 20_000; at += 1) tenths[random.below(10)]! += 1
  for (const count of tenths) expect(Math.abs(count - 2000)).toBeLessThan(200)
  const latencies = Array.from({ length: 5001 }, () => random.latency(100)).toSorted((a, b) => a - b)
  expect(Math.abs(latencies[2500]! - 100)).toBeLessThan(5)
  expect(random.hex(8)).toMatch(/^[0-9a-f]{16}$/)
  expect(createRandom(7).next()).toBe(createRandom(7).next())
})

describe('what comes after the seven days', () => {
  const minute = 60_000
  const noon = Math.ceil(anchor / minute) * minute
  const stepsFrom = (start: number) =>
    Array.from({ length: minute / stepLength }, (_, at) => generateStep(anchor, start + at * stepLength))

  test('is always the same for the same times, and has whole traces of its own', () => {
    expect(generateStep(anchor, noon)).toEqual(generateStep(anchor, noon))
    const traces = stepsFrom(noon).map((step) => step.traces.map(({ record }) => record as Span))
    const ids = traces.map((spans) => new Set(spans.map(({ traceId }) => traceId)))
    expect(new Set(ids.flatMap((each) => [...each])).size).toBe(ids.reduce((sum, each) => sum + each.size, 0))
    const roots = traces.flat().filter(({ parentSpanId }) => parentSpanId === undefined)
    expect(roots).toHaveLength(ids.reduce((sum, each) => sum + each.size, 0))
    expect(roots.length).toBeGreaterThan(0)
    expect(roots.every(({ traceId }) => traceId.startsWith('5b'))).toBe(true)
  })

  test('has the metrics of a minute in its last step, with every request', () => {
    const steps = stepsFrom(noon)
    expect(steps.slice(0, -1).flatMap(({ metrics }) => metrics)).toEqual([])
    const counts = (steps.at(-1)?.metrics ?? []).flatMap(({ record }) => {
      const { sum } = record as { sum?: { dataPoints: { asInt: string }[] } }
      return sum?.dataPoints.map(({ asInt }) => Number(asInt)) ?? []
    })
    const served = steps.flatMap(({ traces }) => traces).filter(({ record }) => (record as { kind: number }).kind === 2)
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(served.length)
  })

  test('has an incident every four hours, which is logged and ends', () => {
    const hours = Array.from({ length: 48 }, (_, at) => liveIncidentAt(anchor + at * hour, anchor))
    expect(new Set(hours.map(({ start }) => start)).size).toBe(12)
    expect(hours.every(({ start }) => start > anchor)).toBe(true)
    const { start, end } = liveIncidentAt(anchor, anchor)
    const logged = (time: number) =>
      generateStep(anchor, Math.floor(time / stepLength) * stepLength).logs.some(({ record }) =>
        JSON.stringify(record).includes('provider.pool.size'),
      )
    expect([logged(start), logged(end), logged((start + end) / 2)]).toEqual([true, true, false])
  })
})
