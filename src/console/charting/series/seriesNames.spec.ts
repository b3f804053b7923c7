import { array, assert, constantFrom, property, record } from 'fast-check'
import { expect, test } from 'vitest'
import { seriesName, seriesNames } from './seriesNames.ts'

test('names a series by its computation or its alias', () => {
  expect(seriesName({})).toBe('count')
  expect(seriesName({ aggFn: 'count', valueExpression: 'Body' })).toBe('count')
  expect(seriesName({ aggFn: 'quantile', level: 0.999, valueExpression: 'Duration' })).toBe('p99.9(Duration)')
  expect(seriesName({ aggFn: 'avg', metricName: 'cpu', valueExpression: 'Value' })).toBe('avg(cpu)')
  expect(seriesName({ aggFn: 'avg', alias: ' Errors ' })).toBe('Errors')
})

test('adds the condition to equal names, or the letter if that is equal too', () => {
  expect(seriesNames([{}, { where: 'SeverityText:error' }])).toEqual(['count', 'count where SeverityText:error'])
  expect(seriesNames([{}, {}, { alias: 'All' }])).toEqual(['A: count', 'B: count', 'All'])
  expect(seriesNames([{ where: 'a:1' }, { where: 'b:2', aggFn: 'avg', valueExpression: 'x' }])).toEqual([
    'count',
    'avg(x)',
  ])
})

test('no two of ordinary series have the same name', () => {
  const word = constantFrom('', 'a', 'b', 'a:1', 'x'.repeat(60), `${'x'.repeat(60)}y`)
  const one = record({ aggFn: constantFrom('count', 'avg'), valueExpression: word, where: word })
  assert(
    property(array(one, { maxLength: 5 }), (series) => {
      const names = seriesNames(series)
      expect(new Set(names).size).toBe(series.length)
    }),
  )
})
