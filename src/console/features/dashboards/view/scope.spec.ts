import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { dashboard as dashboardSchema } from '#contract/dashboards.ts'
import { chosenValues, choiceOf, filtersOf, unknownChoices, valuesConfig } from './filters.ts'
import { conditionsOf, hasOwnScope, variablesOf, withDefaults } from './scope.ts'
import { filterPatch, filterValues, viewSchema } from './viewState.ts'

const dashboard = dashboardSchema.parse({
  id: 'd',
  name: 'D',
  savedQuery: 'level:error',
  savedQueryLanguage: 'lucene',
  filters: [
    { id: 'f', name: 'Service', expression: 'ServiceName', sourceId: 's', appliesToSourceIds: ['s'] },
    { id: 'v', name: 'Variable', expression: 'x', isBroadcastEnabled: false, isVariableEnabled: true },
  ],
})
const saved = {
  ...dashboard,
  savedFilterValues: [
    { type: 'sql', condition: "ServiceName IN ('api')", later: true },
    { type: 'sql', condition: 'Duration > 5', later: true },
  ],
}
const stateOf = (values: Record<string, string | undefined>) => viewSchema.parse(values)

test('the saved query holds until the address has one, an empty one included', () => {
  expect(conditionsOf(dashboard, stateOf({}))).toMatchObject([{ lucene: 'level:error' }])
  expect(conditionsOf(dashboard, stateOf({ q: 'a = 1', ql: 'sql' }))).toMatchObject([{ sql: 'a = 1' }])
  // An address holds no empty texts: the language alone says that the query was emptied.
  expect(conditionsOf(dashboard, stateOf({ ql: 'lucene' }))).toEqual([])
  expect(withDefaults(dashboard, stateOf({ ql: 'lucene' }))).toMatchObject({
    savedQuery: null,
    savedQueryLanguage: null,
  })
})

test('chosen filter values are conditions on the tiles they are for; variables are not', () => {
  const state = stateOf({ q: '', ...filterPatch('f', ['api', 'web']), ...filterPatch('v', ['1']) })
  expect(conditionsOf(dashboard, state)).toEqual([
    {
      sql: "ServiceName IN ('api', 'web')",
      lucene: '(ServiceName:"api" OR ServiceName:"web")',
      label: 'the filter Service',
      sourceIds: ['s'],
    },
  ])
})

test('variables bear the names that queries know, and what is chosen', () => {
  const state = stateOf(filterPatch('v', ['1']))
  expect(variablesOf(dashboard, state)).toEqual([{ name: 'Variable', expression: 'x', values: ['1'] }])
})

test('saved filter values are what a filter begins with; others hold whatever is chosen', () => {
  const of = (state: Record<string, string | undefined>) => conditionsOf(saved, stateOf({ q: '', ...state }))
  expect(of({})).toMatchObject([{ sql: 'Duration > 5' }, { sql: "ServiceName IN ('api')" }])
  expect(of(filterPatch('f', ['web']))).toMatchObject([{ sql: 'Duration > 5' }, { sql: "ServiceName IN ('web')" }])
  expect(of(filterPatch('f', []))).toMatchObject([{ sql: 'Duration > 5' }])
})

test('what is chosen and kept as default is what the dashboard then begins with', () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { maxLength: 3 }), fc.string(), (values, q) => {
      const state = stateOf({ q, ...filterPatch('f', values) })
      const kept = withDefaults(saved, state)
      expect(conditionsOf(kept, stateOf({}))).toEqual(conditionsOf(saved, state))
      expect(kept.savedFilterValues).toContainEqual(saved.savedFilterValues[1])
    }),
  )
})

test('a choice that is the default is not in the address, and none is', () => {
  const [filter] = filtersOf(saved)
  expect(chosenValues(filter!, stateOf({}))).toEqual(['api'])
  expect(choiceOf(filter!, ['api'])).toEqual({ 'f.f': undefined })
  expect(choiceOf(filter!, [])).toEqual({ 'f.f': '[]' })
})

test('an address that says what is kept anyway has nothing of its own', () => {
  expect(hasOwnScope(saved, stateOf({}))).toBe(false)
  expect(hasOwnScope(saved, stateOf({ q: 'level:error', ql: 'lucene', ...filterPatch('f', ['api']) }))).toBe(false)
  expect(hasOwnScope(saved, stateOf({ ql: 'lucene' }))).toBe(true)
  expect(hasOwnScope(saved, stateOf(filterPatch('f', [])))).toBe(true)
})

test('choices for filters that are not there are found', () => {
  expect(unknownChoices(dashboard, stateOf({ 'f.f': '["a"]', 'f.gone': '["a"]' }))).toEqual(['f.gone'])
})

test('values are those of the rows that the filter names; metrics are asked of one that a tile shows', () => {
  const metric = {
    displayType: 'line',
    sourceId: 'm',
    select: [{ aggFn: 'avg', metricName: 'cpu', metricType: 'gauge' }],
  }
  const filters = [{ id: 'f', name: 'Host', expression: 'host', sourceId: 'm', where: 'a:b', whereLanguage: 'lucene' }]
  const own = dashboardSchema.parse({
    id: 'd',
    name: 'D',
    filters,
    tiles: [{ id: 't', x: 0, y: 0, w: 1, h: 1, config: metric }],
  })
  expect(valuesConfig(filtersOf(own)[0]!, own)).toMatchObject({
    sourceId: 'm',
    groupBy: 'host',
    select: [{ aggFn: 'count', where: 'a:b', metricName: 'cpu', metricType: 'gauge' }],
  })
})

test('a mistyped address still opens', () => {
  const state = stateOf({ from: 'yesterday-ish', granularity: '7y', refresh: 'often', 'f.f': '{' })
  expect(state).toMatchObject({ from: 'now-6h', granularity: 'auto', refresh: 'off' })
  expect(filterValues(state, 'f')).toBeUndefined()
})
