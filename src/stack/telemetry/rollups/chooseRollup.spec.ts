import { describe, expect, test } from 'vitest'
import { chooseRollup, type RollupQuestion } from './chooseRollup.ts'
import type { Rollup } from './rollup.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
/** A midnight. */
const start = 1_795_737_600_000

const quarter: Rollup = {
  table: { database: 'default', table: 'rolled' },
  time: 'Timestamp',
  step: 900,
  dimensions: ['ServiceName', 'SeverityText'],
  aggregates: [
    { aggFn: 'count', column: 'count', of: undefined },
    { aggFn: 'sum', column: 'total', of: 'Duration' },
    { aggFn: 'quantile', column: 'median', of: 'Duration' },
  ],
  from: 0,
}

const question: RollupQuestion = {
  startTime: start,
  endTime: start + day,
  step: 3600,
  phase: 0,
  isLocal: false,
  fields: ['ServiceName'],
  aggregates: [{ aggFn: 'count', field: undefined }],
}

const chosen = (change: Partial<RollupQuestion>, rollups: readonly Rollup[] = [quarter]) => {
  const choice = chooseRollup({ ...question, ...change }, rollups)
  return 'rollup' in choice ? choice.steps : choice.reasons.join('; ')
}

test('a roll-up answers whole steps, and the rows the rest', () => {
  expect(chosen({})).toEqual({ from: start, to: start + day })
  const range = { startTime: start + 1, endTime: start + day - 1 }
  expect(chosen(range)).toEqual({ from: start + 15 * minute, to: start + day - 15 * minute })
})

test('it answers from the time on that its source names', () => {
  expect(chosen({}, [{ ...quarter, from: start + hour + 1 }])).toEqual({
    from: start + hour + 15 * minute,
    to: start + day,
  })
})

const fittingAggregates: RollupQuestion['aggregates'] = [
  { aggFn: 'count', field: 'Duration' },
  { aggFn: 'sum', field: 'Duration' },
  { aggFn: 'avg', field: 'Duration' },
]
test.each(fittingAggregates)('it adds up $aggFn', (aggregate) => {
  expect(chosen({ aggregates: [aggregate] })).toHaveProperty('from')
})

test('ranges that are one bucket have any length', () => {
  expect(chosen({ step: null })).toHaveProperty('from')
})

test('the coarsest one is read, and of equal ones that with the fewest dimensions', () => {
  const named = (table: string, change: Partial<Rollup>): Rollup => ({
    ...quarter,
    ...change,
    table: { database: 'default', table },
  })
  const small = named('small', { dimensions: ['ServiceName'] })
  const coarse = named('coarse', { step: 3600 })
  const nameOf = (rollups: readonly Rollup[], change: Partial<RollupQuestion> = {}) => {
    const choice = chooseRollup({ ...question, ...change }, rollups)
    return 'rollup' in choice && choice.rollup.table.table
  }
  expect(nameOf([quarter, small])).toBe('small')
  expect(nameOf([small, coarse])).toBe('coarse')
  expect(nameOf([small, coarse], { step: 1800 })).toBe('small')
  expect(nameOf([quarter, small], { fields: ['SeverityText'] })).toBe('rolled')
})

test('values of one attribute or column are read from a roll-up of values', () => {
  const values: Rollup = {
    ...quarter,
    table: { database: 'default', table: 'values' },
    dimensions: [],
    aggregates: quarter.aggregates.slice(0, 1),
    valuesOf: { maps: ['LogAttributes'], columns: ['ServiceName'] },
    total: { map: '', key: '' },
  }
  const chosenOf = (valuesOf: RollupQuestion['valuesOf'], fields: string[], all = [values]) => {
    const choice = chooseRollup({ ...question, fields, valuesOf }, all)
    return 'rollup' in choice ? choice.rollup.table.table : choice.reasons.join('; ')
  }
  const route = { column: 'LogAttributes', key: 'route' }
  expect(chosenOf(route, ["LogAttributes['route']"])).toBe('values')
  expect(chosenOf({ column: 'ServiceName' }, ['ServiceName'])).toBe('values')
  expect(chosenOf({ column: 'ServiceName' }, ['ServiceName'], [values, quarter])).toBe('rolled')
  const alone = 'values: it has the values of one attribute at a time'
  expect(chosenOf({ column: 'ScopeAttributes', key: 'route' }, ["ScopeAttributes['route']"])).toBe(alone)
  expect(chosenOf({ column: 'SpanName' }, ['SpanName'])).toBe(alone)
  expect(chosenOf(undefined, ["LogAttributes['route']", 'ServiceName'])).toBe(alone)
})

describe('the rows are read', () => {
  const against: [reason: string, change: Partial<RollupQuestion>, rollup?: Partial<Rollup>][] = [
    ['buckets of 60 s are no multiples of 900 s', { step: 60 }],
    ['buckets of 600 s are no multiples of 900 s', { step: 600 }],
    ['its steps begin at other times than the buckets', { phase: 60 }],
    ['its steps may lie on both sides of a local midnight', { isLocal: true }, { step: 3600 }],
    ['the range has fewer than 12 of its steps', { endTime: start + 3 * hour - 1 }],
    ['the range has fewer than 12 of its steps', {}, { from: start + 22 * hour }],
    ['conditions or groups are more than plain columns and attributes', { fields: null }],
    ['it has no column SpanName', { fields: ['ServiceName', 'SpanName'] }],
    ['its steps are no parts of a day', { step: 7 * 86_400 }, { step: 7 * 86_400 }],
    ['it has no min of Duration that adds up to the same', { aggregates: [{ aggFn: 'min', field: 'Duration' }] }],
    ['it has no sum of Size that adds up to the same', { aggregates: [{ aggFn: 'sum', field: 'Size' }] }],
    ['it has no quantile of Duration', { aggregates: [{ aggFn: 'quantile', field: 'Duration' }] }],
    ['it has no count_distinct of ServiceName', { aggregates: [{ aggFn: 'count_distinct', field: 'ServiceName' }] }],
    ['nothing tells whether it is complete', {}, { aggregates: quarter.aggregates.slice(1) }],
  ]
  test.each(against)('%s', (reason, change, rollup = {}) => {
    expect(chosen(change, [{ ...quarter, ...rollup }])).toContain(`rolled: `)
    expect(chosen(change, [{ ...quarter, ...rollup }])).toContain(reason)
  })
})
