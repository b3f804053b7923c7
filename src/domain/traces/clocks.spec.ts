import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { alignClocks, type ClockedSpan } from './clocks.ts'

const ms = 1_000_000
const span = (
  id: string,
  parentId: string,
  service: string,
  kind: string,
  start: number,
  end: number,
): ClockedSpan => ({
  id,
  parentId,
  name: id,
  service,
  kind,
  start: start * ms,
  duration: (end - start) * ms,
  failed: false,
})
/** Where the spans are after they were aligned, in milliseconds. */
const placed = (spans: ClockedSpan[]) =>
  Object.fromEntries(
    alignClocks(spans).spans.map(({ id, start, duration }) => [id, [start / ms, (start + duration) / ms]]),
  )
const far = 1_000_000

/** A call of another service, whose clock is off by so many milliseconds. */
const call = (by: number) => [
  span('a', '', 'web', 'Server', 0, 100),
  span('b', 'a', 'web', 'Client', 10, 90),
  span('c', 'b', 'stock', 'Server', 20 + by, 80 + by),
  span('d', 'c', 'stock', 'Internal', 30 + by, 60 + by),
]
const right = { a: [0, 100], b: [10, 90], c: [20, 80], d: [30, 60] }

describe('a call by a host whose clock is off', () => {
  test.each([far, -far, 73, -13])('by %d ms is in the middle of its caller, with what is below it', (by) => {
    expect(placed(call(by))).toEqual(right)
    expect(alignClocks(call(by)).clocks).toEqual([{ service: 'stock', ahead: by * ms }])
  })

  test('is not touched by what may have been', () => {
    for (const by of [0, 5, -10, 70])
      expect(alignClocks(call(by))).toMatchObject({ clocks: [], origin: 0, spans: call(by) })
  })

  test('begins with its caller if it lasted longer', () => {
    const spans = [span('a', '', 'web', 'Client', 0, 10), span('b', 'a', 'stock', 'Server', far, far + 50)]
    expect(placed(spans)).toEqual({ a: [0, 10], b: [0, 50] })
  })

  test('begins the trace where the caller began, when the clock is behind', () => {
    // Times are since the first span that was recorded.
    const spans = call(-far).map((clockedSpan) => ({ ...clockedSpan, start: clockedSpan.start + (far - 20) * ms }))
    expect(placed(spans)).toEqual(right)
    expect(alignClocks(spans).origin).toBe((far - 20) * ms)
  })
})

test('calls that follow each other keep their distance', () => {
  const spans = [
    span('a', '', 'web', 'Server', 0, 100),
    span('b', 'a', 'stock', 'Server', far + 10, far + 40),
    span('c', 'a', 'stock', 'Server', far + 55, far + 65),
  ]
  const { b, c } = placed(spans)
  expect(c![0]! - b![0]!).toBe(45)
})

test('what a host with a wrong clock calls is placed by its own clock', () => {
  const spans = [
    ...call(far),
    span('e', 'd', 'stock', 'Client', 31 + far, 59 + far),
    span('f', 'e', 'db', 'Server', 40, 50),
  ]
  expect(placed(spans)).toEqual({ ...right, e: [31, 59], f: [40, 50] })
})

test('a server of the same service on the same host moves with its caller', () => {
  const spans = [...call(far), span('e', 'd', 'stock', 'Server', 35 + far, 40 + far)]
  expect(placed(spans)).toMatchObject({ e: [35, 40] })
})

describe('a message', () => {
  test('may be consumed long after it was sent', () => {
    const spans = [span('a', '', 'web', 'Producer', 0, 1), span('b', 'a', 'mail', 'Consumer', far, far + 5)]
    expect(alignClocks(spans)).toMatchObject({ clocks: [], spans })
  })

  test('is not consumed before it was sent', () => {
    const spans = [span('a', '', 'web', 'Producer', 0, 9), span('b', 'a', 'mail', 'Consumer', -far, 5 - far)]
    expect(placed(spans)).toEqual({ a: [0, 9], b: [2, 7] })
  })
})

test('work of the same process is where it was, also after its parent has ended', () => {
  const spans = [span('a', '', 'web', 'Server', 0, 10), span('b', 'a', 'web', 'Internal', far, far + 5)]
  expect(alignClocks(spans)).toMatchObject({ clocks: [], spans })
})

test('without kinds, a call is one by another service', () => {
  expect(placed(call(far).map((clockedSpan) => ({ ...clockedSpan, kind: '' })))).toEqual(right)
})

test('spans in a circle, with the same ID, or without a parent stay where they are', () => {
  const circle = [span('a', 'b', 'x', 'Server', 0, 1), span('b', 'a', 'y', 'Server', 0, 1)]
  const twins = [span('c', '', 'x', 'Client', 0, 1), span('c', 'c', 'y', 'Server', 0, 1)]
  const lost = [span('d', 'gone', 'x', 'Server', 5, 6)]
  const spans = [...circle, ...twins, ...lost]
  expect(alignClocks(spans)).toMatchObject({ clocks: [], spans })
  expect(alignClocks([])).toEqual({ spans: [], origin: 0, ahead: new Map(), clocks: [] })
})

test('in any trace, spans keep their length and no call begins before its caller', () => {
  const kinds = fc.constantFrom('Server', 'Client', 'Producer', 'Consumer', 'Internal', '')
  const spans = fc
    .array(
      fc.record({
        parent: fc.nat(),
        service: fc.constantFrom('x', 'y', 'z'),
        kind: kinds,
        at: fc.integer(),
        length: fc.nat(1e6),
      }),
      { minLength: 1, maxLength: 30 },
    )
    .map((all) =>
      all.map(({ parent, service, kind, at, length }, index) =>
        span(String(index), index === 0 ? '' : String(parent % index), service, kind, at, at + length),
      ),
    )
  fc.assert(
    fc.property(spans, (given) => {
      const { spans: aligned, origin } = alignClocks(given)
      expect(aligned.map(({ id, duration }) => [id, duration])).toEqual(given.map(({ id, duration }) => [id, duration]))
      expect(Math.min(...aligned.map(({ start }) => start))).toBe(0)
      const byId = new Map(aligned.map((clockedSpan) => [clockedSpan.id, clockedSpan]))
      const givenById = new Map(given.map((clockedSpan) => [clockedSpan.id, clockedSpan]))
      for (const clockedSpan of aligned) {
        const parent = byId.get(clockedSpan.parentId)
        const before = givenById.get(clockedSpan.id)!
        const shift = clockedSpan.start + origin - before.start
        const isCall = parent && (parent.service !== clockedSpan.service || /Server|Consumer/.test(clockedSpan.kind))
        if (isCall) expect(clockedSpan.start).toBeGreaterThanOrEqual(parent.start - ms)
        if (!parent) expect(shift).toBe(0)
      }
    }),
  )
})

test('aligns a deep trace of 5,000 spans', () => {
  const deep = Array.from({ length: 5000 }, (_, at) =>
    span(String(at), at === 0 ? '' : String(at - 1), `s${at % 2}`, 'Server', at * far, at * far + 1),
  )
  expect(placed(deep)['4999']).toEqual([0, 1])
})
