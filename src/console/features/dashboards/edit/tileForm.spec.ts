import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { tileConfigStrict } from '#contract/stack/dashboards/tileConfigs.ts'
import { numericUnits } from '#domain/charts/numberFormat.ts'
import { numberFormat, numericUnit } from '#contract/stack/dashboards/tileParts.ts'
import { anyDashboard } from '#domain/dashboards/testing/arbitraries.ts'
import { diff } from '#domain/json/diff.ts'
import { newTile } from './newTile.ts'
import { tileKinds } from './tileKinds.ts'
import { newSeries, readForm, writeForm } from './tileForm.ts'

test('an unchanged form writes back the same tile', () => {
  fc.assert(
    fc.property(anyDashboard, ({ tiles }) => {
      for (const tile of tiles) expect(writeForm(tile, readForm(tile))).toEqual(tile)
    }),
  )
})

test('one changed field changes only that field', () => {
  fc.assert(
    fc.property(anyDashboard, ({ tiles }) => {
      for (const tile of tiles) {
        const next = writeForm(tile, { ...readForm(tile), groupBy: 'Changed' })
        expect(diff(tile, next).map(({ path }) => path)).toEqual([['config', 'groupBy']])
      }
    }),
  )
})

const line = {
  name: 'Errors',
  config: {
    displayType: 'line',
    sourceId: 's',
    future: 1,
    fillNulls: true,
    select: [
      { aggFn: 'count', where: 'a:b', shiny: true },
      { aggFn: 'quantile', valueExpression: 'd', level: 0.95 },
    ],
  },
}

test('keeps unknown fields of a series when series are removed and reordered', () => {
  const form = readForm(line)
  const [first, second] = form.series
  const next = writeForm(line, { ...form, series: [second!, { ...first!, alias: 'errors' }, newSeries] })
  expect(next.config.select).toEqual([
    { aggFn: 'quantile', valueExpression: 'd', level: 0.95 },
    { aggFn: 'count', where: 'a:b', shiny: true, alias: 'errors' },
    { aggFn: 'count', whereLanguage: 'lucene' },
  ])
})

test('the description and how a line is drawn are fields', () => {
  const form = { ...readForm(line), description: 'Errors of all services', lineInterpolation: 'step' }
  expect(writeForm(line, form)).toEqual({
    ...line,
    description: 'Errors of all services',
    config: { ...line.config, lineInterpolation: 'step' },
  })
})

test('another type drops fields that it does not have, and keeps unknown ones', () => {
  const next = writeForm(line, { ...readForm(line), kind: 'number' })
  expect(next.config).toMatchObject({ displayType: 'number', sourceId: 's', future: 1 })
  expect(next.config).not.toHaveProperty('fillNulls')
  expect(writeForm(line, { ...readForm(line), kind: 'markdown', markdown: 'Hi' }).config).toEqual({
    displayType: 'markdown',
    markdown: 'Hi',
  })
})

test('drops level and expression when a percentile becomes a count', () => {
  const form = readForm(line)
  const series = form.series.map((seriesForm) => ({ ...seriesForm, aggFn: 'count' }))
  expect(writeForm(line, { ...form, series }).config.select).toEqual([
    { aggFn: 'count', where: 'a:b', shiny: true },
    { aggFn: 'count' },
  ])
})

test('a metric without an expression uses its value, and stays that way if it was read so', () => {
  const series = { ...newSeries, aggFn: 'avg', metricName: 'cpu', metricType: 'gauge' }
  const next = writeForm(line, { ...readForm(line), series: [series] })
  expect(next.config.select).toEqual([
    { aggFn: 'avg', metricName: 'cpu', metricType: 'gauge', valueExpression: 'Value', whereLanguage: 'lucene' },
  ])
  const read = { name: 'Metric', config: { select: [{ aggFn: 'avg', metricName: 'cpu' }] } }
  const form = readForm(read)
  const renamed = writeForm(read, {
    ...form,
    series: form.series.map((seriesForm) => ({ ...seriesForm, alias: 'CPU' })),
  })
  expect(renamed.config.select).toEqual([{ aggFn: 'avg', metricName: 'cpu', alias: 'CPU' }])
})

test('escapes the colons of a text in a condition that is new, as other deployments need it', () => {
  const tile = { name: 't', config: { displayType: 'line', select: [{ aggFn: 'count', where: '12:30:45' }] } }
  const form = readForm(tile)
  const [first = newSeries] = form.series
  const wheres = (where: string) =>
    writeForm(tile, { ...form, series: [first, { ...newSeries, where }] }).config.select.map(({ where }) => where)
  expect(wheres('std::exception SeverityText:error')).toEqual([
    '12:30:45',
    String.raw`std\:\:exception AND SeverityText:error`,
  ])
})

test('writes a number format where deployments expect it', () => {
  const euros = writeForm(line, { ...readForm(line), output: 'currency', unit: '€' })
  expect(euros.config).toMatchObject({ numberFormat: { output: 'currency', currencySymbol: '€' } })
  expect(writeForm(euros, { ...readForm(euros), output: '' }).config).not.toHaveProperty('numberFormat')
})

const formatOf = ({ config }: { config: object }): unknown =>
  'numberFormat' in config ? config.numberFormat : undefined

test('free text is always a unit, and the unit of the values is chosen', () => {
  const throughput = { ...readForm(line), output: 'throughput', unit: 'orders/s' }
  const orders = writeForm(line, throughput)
  expect(formatOf(orders)).toEqual({ output: 'throughput', unit: 'orders/s' })
  expect(formatOf(writeForm(orders, { ...readForm(orders), unit: 'rps' }))).toEqual({
    output: 'throughput',
    unit: 'rps',
  })
  const requests = writeForm(orders, { ...readForm(orders), unit: '', numericUnit: 'rps' })
  expect(formatOf(requests)).toEqual({ output: 'throughput', numericUnit: 'rps' })
  expect(formatOf(writeForm(requests, { ...readForm(requests), factor: 2 }))).toEqual({
    output: 'throughput',
    numericUnit: 'rps',
    factor: 2,
  })
  const digits = { ...readForm(requests), mantissa: 0, thousandSeparated: true, average: true }
  expect(formatOf(writeForm(requests, digits))).toEqual({
    output: 'throughput',
    numericUnit: 'rps',
    mantissa: 0,
    thousandSeparated: true,
    average: true,
  })
  // Another output has other units, and a symbol is no unit.
  expect(formatOf(writeForm(requests, { ...readForm(requests), output: 'byte' }))).toEqual({ output: 'byte' })
  const euros = writeForm(orders, { ...readForm(orders), output: 'currency', unit: '€' })
  expect(formatOf(euros)).toEqual({ output: 'currency', currencySymbol: '€' })
  for (const tile of [orders, requests]) expect(numberFormat.safeParse(formatOf(tile)).error?.issues).toBeUndefined()
})

test('every unit of the API has a text, in one place', () => {
  const named = Object.values(numericUnits).flatMap((units) => [...units.keys()])
  expect(named.toSorted()).toEqual(numericUnit.options.toSorted())
})

const source = { id: '65f5e4a3b9e77c001a901234', connection: '65f5e4a3b9e77c001a905678' }

test.each([...tileKinds.map(({ kind }) => kind), 'sql'])('a new tile of the type %s is valid for the stack', (kind) => {
  const { config } = newTile(kind, source)
  expect(tileConfigStrict.safeParse(config).error?.issues).toBeUndefined()
})
