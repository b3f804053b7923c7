import { expect, test } from 'vitest'
import type { Source } from '#contract/stack/sources.ts'
import { formatValue } from '../charts/units.ts'
import { comparedUnit, tileFormat } from './comparedUnit.ts'
import { inUnit } from './notification/inUnit.ts'
import { tileAlertQuery } from './alertQuery.ts'
import { tileConfigStrict } from '#contract/stack/dashboards/tileConfigs.ts'

const sourceId = 'a'.repeat(24)
const line = (...select: object[]) =>
  tileConfigStrict.parse({ displayType: 'line', sourceId, select: select.map((one) => ({ where: '', ...one })) })
// Only the fields of a source on which units depend.
const traces = { id: sourceId, kind: 'trace', durationExpression: 'Duration', durationPrecision: 9 } as Source
const metrics = { id: sourceId, kind: 'metric' } as Source

const unitOf = (config: ReturnType<typeof line>, source: Source, units = new Map<string, string>()) => {
  const query = tileAlertQuery(config)
  if (query.kind !== 'series') throw new Error('A builder tile has series.')
  return comparedUnit(query, source, units)
}

test('of durations is that of the source, of metrics their own, and of counts none', () => {
  const p95 = { aggFn: 'quantile', level: 0.95, valueExpression: 'Duration' }
  expect(unitOf(line(p95), traces)).toBe('ns')
  expect(unitOf(line(p95, { aggFn: 'count' }), traces)).toBe('number')
  const memory = { aggFn: 'avg', valueExpression: 'Value', metricType: 'gauge', metricName: 'memory' }
  expect(unitOf(line(memory), metrics, new Map([['gauge memory', 'By']]))).toBe('bytes')
  expect(unitOf(line(memory), metrics)).toBe('number')
})

test('the number format of a tile is that of its compared value', () => {
  const written = (config: object) => {
    const format = tileFormat(config)
    return format && formatValue(1536, format)
  }
  const [own, whole] = [
    { output: 'byte', numericUnit: 'gibibytes' },
    { output: 'number', unit: 'req' },
  ]
  expect(written({ select: [{}, { numberFormat: own }], numberFormat: whole })).toBe('1536 GiB')
  expect(written({ select: [{ numberFormat: own }, {}], numberFormat: whole })).toBe('1536 req')
  expect(written({ select: [{ numberFormat: own }], formulas: [{ expression: 'A' }], numberFormat: whole })).toBe(
    '1536 req',
  )
  expect(written({ select: [{ numberFormat: own }, { numberFormat: own }], asRatio: true })).toBeUndefined()
  expect(written({ select: 'none' })).toBeUndefined()
})

test('a value and its threshold are written in the unit, and not at all without one', () => {
  const alert = { id: 'a', threshold: 1.5e9, thresholdType: 'above', interval: '5m', source: 'tile' }
  expect(inUnit(alert, 1_876_514_168.7, 'ns')).toEqual({ value: '1.88 s', threshold: '1.5 s' })
  const between = { ...alert, thresholdType: 'between', thresholdMax: 2e9 }
  expect(inUnit(between, 1.75e9, 'ns')).toEqual({ value: '1.75 s', threshold: '1.5 s to 2 s' })
  expect(inUnit(alert, 1, 'number')).toBeUndefined()
})
