import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { dashboardCreateStrict, dashboardUpdateStrict } from '#contract/stack/dashboards/dashboardRules.ts'
import { filterVariable } from '#contract/stack/dashboards/filterVariables.ts'
import { dashboard as dashboardSchema, type Dashboard } from '#contract/stack/dashboards/dashboards.ts'
import { check } from '../validation.ts'
import { changedDashboard, newDashboard } from './dashboardDocument.ts'

const text = fc.string({ maxLength: 12 })
const filled = fc.string({ minLength: 1, maxLength: 12 })
const sourceId = fc.constantFrom('a'.repeat(24), 'b'.repeat(24))
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
const whereLanguage = maybe(fc.constantFrom('sql', 'lucene'))
const numberFormat = maybe(
  fc.record({ output: fc.constantFrom('number', 'byte', 'duration'), mantissa: maybe(fc.nat(5)) }),
)

const selectItem = fc.oneof(
  fc.record({ aggFn: fc.constant('count'), where: maybe(text), whereLanguage, alias: maybe(text) }),
  fc.record({ aggFn: fc.constantFrom('sum', 'avg', 'none', 'increase'), valueExpression: filled, numberFormat }),
  fc.record({ aggFn: fc.constant('quantile'), valueExpression: filled, level: fc.constantFrom(0.5, 0.9, 0.95, 0.99) }),
)
const select = fc.array(selectItem, { minLength: 1, maxLength: 4 })
const formulas = maybe(fc.array(fc.record({ expression: fc.constantFrom('A', 'A*2', '-A') }), { maxLength: 2 }))

const config = fc.oneof(
  fc.record({
    displayType: fc.constantFrom('line', 'stacked_bar'),
    sourceId,
    select,
    groupBy: maybe(text),
    fillNulls: maybe(fc.boolean()),
    formulas,
    seriesLimit: maybe(fc.nat(100)),
  }),
  fc.record({
    displayType: fc.constant('table'),
    sourceId,
    select,
    having: maybe(text),
    orderBy: maybe(text),
    formulas,
  }),
  fc.record({
    displayType: fc.constant('number'),
    sourceId,
    select: select.map((items) => items.slice(0, 1)),
    numberFormat,
  }),
  fc.record({ displayType: fc.constantFrom('pie', 'bar'), sourceId, select: select.map((items) => items.slice(0, 1)) }),
  fc.record({ displayType: fc.constant('search'), sourceId, select: text, where: maybe(text), whereLanguage }),
  fc.record({ displayType: fc.constant('event_patterns'), sourceId, where: maybe(text) }),
  fc.record({ displayType: fc.constant('markdown'), markdown: maybe(text) }),
  fc.record({
    configType: fc.constant('sql'),
    displayType: fc.constantFrom('line', 'stacked_bar', 'table', 'number', 'pie', 'bar'),
    connectionId: sourceId,
    sqlTemplate: text,
  }),
)

const tile = fc.record({
  name: text,
  x: fc.integer({ min: 0, max: 23 }),
  y: fc.nat(1000),
  w: fc.integer({ min: 1, max: 24 }),
  h: fc.integer({ min: 1, max: 40 }),
  config,
})

const filter = fc.record({
  type: fc.constant('QUERY_EXPRESSION'),
  name: filled,
  expression: filled,
  sourceId,
  appliesToSourceIds: maybe(fc.array(sourceId, { maxLength: 2 })),
})

const input = fc.record({
  name: text,
  tiles: fc.array(tile, { maxLength: 5 }),
  tags: maybe(fc.array(text, { maxLength: 4 })),
  filters: maybe(fc.array(filter, { maxLength: 3 })),
  savedQuery: maybe(fc.option(text)),
  savedFilterValues: maybe(fc.array(fc.record({ condition: text }), { maxLength: 2 })),
})

/** The JSON of a value, without undefined fields. */
const sent = <T>(value: T): unknown => JSON.parse(JSON.stringify(value))

function accepted<T extends Parameters<typeof check>[0]>(schema: T, value: unknown) {
  const checked = check(schema, value)
  if (!checked.ok) throw new Error(JSON.stringify(checked.issues))
  return checked.data
}

/** An empty query is stored without a language, and rejected with null as language. */
function asTaken({ savedQueryLanguage, ...read }: Dashboard) {
  return { ...read, ...(read.savedQuery !== '' && { savedQueryLanguage }) }
}

test('a dashboard that is written back unchanged stays the same', () => {
  fc.assert(
    fc.property(input, (body) => {
      const stored = sent(newDashboard(accepted(dashboardCreateStrict, sent(body))))
      const read = dashboardSchema.parse(stored)
      const again = changedDashboard(
        stored as Parameters<typeof changedDashboard>[0], // it was sent as JSON, and came back unchanged
        accepted(dashboardUpdateStrict, asTaken(read)),
      )
      expect(sent(again)).toEqual(stored)
    }),
    { numRuns: 500 },
  )
})

test('a query can name the variable of a filter with any name', () => {
  fc.assert(
    fc.property(fc.string(), (name) => {
      expect(filterVariable({ name, isVariableEnabled: true })).toMatch(/^[a-zA-Z][a-zA-Z0-9_]*$/)
      expect(filterVariable({ name })).toBeNull()
    }),
  )
  expect(filterVariable({ name: '1 Service name!', isVariableEnabled: true })).toBe('v1_Service_name')
})
