import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { readTrace, timeByService, type TraceSpan } from './trace.ts'

const span = (id: string, parentId: string, start: number, end: number, more: Partial<TraceSpan> = {}): TraceSpan => ({
  id,
  parentId,
  name: id,
  service: 's',
  start,
  duration: end - start,
  failed: false,
  ...more,
})
const order = (spans: TraceSpan[]) => readTrace(spans).nodes.map(({ span: { id }, depth }) => `${depth}${id}`)
const path = (spans: TraceSpan[]) =>
  readTrace(spans).criticalPath.map(({ spanId, start, end }) => `${spanId} ${start}-${end}`)

test('children follow their parent by start; spans without a known parent are roots', () => {
  expect(
    order([
      span('c', 'a', 5, 6),
      span('b', 'a', 1, 9),
      span('a', '', 0, 10),
      span('d', 'b', 2, 3),
      span('x', 'lost', 4, 5),
    ]),
  ).toEqual(['0a', '1b', '2d', '1c', '0x'])
})

test('spans in a circle, and one that is its own parent, are shown once', () => {
  expect(order([span('a', 'b', 0, 2), span('b', 'a', 1, 2), span('c', 'c', 3, 4)])).toEqual(['0c', '0a', '1b'])
})

test('the critical path goes back from the end over the children that ended last', () => {
  const spans = [span('a', '', 0, 100), span('b', 'a', 10, 40), span('c', 'a', 50, 90), span('d', 'c', 60, 90)]
  expect(path(spans)).toEqual(['a 0-10', 'b 10-40', 'a 40-50', 'c 50-60', 'd 60-90', 'a 90-100'])
})

test('of children side by side, the one that ended last counts', () => {
  expect(path([span('a', '', 0, 10), span('b', 'a', 0, 8), span('c', 'a', 5, 10)])).toEqual(['a 0-5', 'c 5-10'])
})

test('a child that outlives its parent counts until the end of the parent', () => {
  expect(path([span('a', '', 0, 10), span('b', 'a', 4, 20)])).toEqual(['a 0-4', 'b 4-10'])
})

test('only the span that failed first is marked', () => {
  const failed = { failed: true }
  const { nodes } = readTrace([span('a', '', 0, 9, failed), span('b', 'a', 1, 8, failed), span('c', 'a', 2, 3)])
  expect(nodes.map(({ span: { id }, failedFirst }) => [id, failedFirst])).toEqual([
    ['a', false],
    ['b', true],
    ['c', false],
  ])
})

test('time by service sums the critical path', () => {
  const trace = readTrace([span('a', '', 0, 10, { service: 'web' }), span('b', 'a', 2, 10, { service: 'db' })])
  expect(timeByService(trace)).toEqual([
    { service: 'db', time: 8, share: 0.8 },
    { service: 'web', time: 2, share: 0.2 },
  ])
  expect(timeByService(readTrace([]))).toEqual([])
})

test('every span is there once, and the critical path covers the longest root without overlap', () => {
  const spans = fc
    .array(fc.record({ parent: fc.nat(30), start: fc.nat(100), duration: fc.nat(100), failed: fc.boolean() }), {
      maxLength: 30,
    })
    .map((all) =>
      all.map(({ parent, start, duration, failed }, at) =>
        span(String(at), at === 0 ? '' : String(parent), start, start + duration, { failed }),
      ),
    )
  fc.assert(
    fc.property(spans, (spans) => {
      const trace = readTrace(spans)
      expect(trace.nodes.map(({ span: { id } }) => id).toSorted()).toEqual(spans.map(({ id }) => id).toSorted())
      const ends = trace.criticalPath.map(({ end }) => end)
      trace.criticalPath.slice(1).forEach(({ start }, at) => expect(start).toBe(ends[at]))
    }),
  )
})

test('reads a deep trace of 5,000 spans', () => {
  const deep = Array.from({ length: 5000 }, (_, at) => span(String(at), at === 0 ? '' : String(at - 1), at, 10_000))
  expect(readTrace(deep).nodes.at(-1)?.depth).toBe(4999)
  const wide = Array.from({ length: 5000 }, (_, at) => span(String(at), at === 0 ? '' : '0', at, 10_000))
  expect(readTrace(wide).nodes).toHaveLength(5000)
})
