import { expect, test } from 'vitest'
import { dashboard as dashboardSchema } from '#contract/dashboards.ts'
import { conditionsOf, luceneIn, sqlIn, variablesOf } from './scope.ts'
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
const stateOf = (values: Record<string, string | undefined>) => viewSchema.parse(values)

test('the saved query holds until the address has one, an empty one included', () => {
  expect(conditionsOf(dashboard, stateOf({}))).toMatchObject([{ lucene: 'level:error' }])
  expect(conditionsOf(dashboard, stateOf({ q: 'a = 1', ql: 'sql' }))).toMatchObject([{ sql: 'a = 1' }])
  expect(conditionsOf(dashboard, stateOf({ q: '' }))).toEqual([])
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

test('variables bear the names that queries know', () => {
  expect(variablesOf(dashboard)).toEqual(['Variable'])
})

test('values are quoted, whatever is in them', () => {
  expect(sqlIn('x', ["O'Brien", 'a\\'])).toBe("x IN ('O\\'Brien', 'a\\\\')")
  expect(luceneIn('x', ['say "hi"'])).toBe('x:"say \\"hi\\""')
  expect(luceneIn("Attributes['http.route']", ['/'])).toBe('Attributes.http.route:"/"')
  expect(luceneIn('lower(x)', ['a'])).toBeNull()
})

test('a mistyped address still opens', () => {
  const state = stateOf({ from: 'yesterday-ish', granularity: '7y', refresh: 'often', 'f.f': '{' })
  expect(state).toMatchObject({ from: 'now-6h', granularity: 'auto', refresh: 'off' })
  expect(filterValues(state, 'f')).toBeUndefined()
})
