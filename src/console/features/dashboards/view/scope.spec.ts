import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { dashboard as dashboardSchema } from '#contract/stack/dashboards/dashboards.ts'
import { chosenValues, choiceOf, filtersOf, unknownChoices, valuesConfig } from './filters.ts'
import { planTile } from '#console/charting/tiles/tileQuery.ts'
import { conditionsOf, hasOwnScope, requiredValues, variablesOf, withDefaults } from './scope.ts'
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

test('the saved query applies until the URL has one, even an empty one', () => {
  expect(conditionsOf(dashboard, stateOf({}))).toMatchObject([{ lucene: 'level:error' }])
  expect(conditionsOf(dashboard, stateOf({ q: 'a = 1', ql: 'sql' }))).toMatchObject([{ sql: 'a = 1' }])
  // A URL has no empty parameters: the language alone means that the query was emptied.
  expect(conditionsOf(dashboard, stateOf({ ql: 'lucene' }))).toEqual([])
  expect(withDefaults(dashboard, stateOf({ ql: 'lucene' }))).toMatchObject({
    savedQuery: null,
    savedQueryLanguage: null,
  })
})

test('selected filter values are conditions on their tiles; variables are not', () => {
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

test('a condition names the variable by which tiles can obey its filter', () => {
  const filters = [{ id: 'f', name: 'Service', expression: 'ServiceName', isVariableEnabled: true }]
  const state = stateOf({ q: '', ...filterPatch('f', ['api']) })
  expect(conditionsOf({ ...dashboard, filters }, state)).toMatchObject([{ variable: 'Service' }])
})

test('variables have the names used in queries and the selected values', () => {
  const state = stateOf(filterPatch('v', ['1']))
  expect(variablesOf(dashboard, state)).toEqual([{ name: 'Variable', expression: 'x', values: ['1'] }])
})

test('saved filter values are the default of a filter; other conditions always apply', () => {
  const of = (state: Record<string, string | undefined>) => conditionsOf(saved, stateOf({ q: '', ...state }))
  expect(of({})).toMatchObject([{ sql: 'Duration > 5' }, { sql: "ServiceName IN ('api')" }])
  expect(of(filterPatch('f', ['web']))).toMatchObject([{ sql: 'Duration > 5' }, { sql: "ServiceName IN ('web')" }])
  expect(of(filterPatch('f', []))).toMatchObject([{ sql: 'Duration > 5' }])
})

test('values that are selected and saved as default are the new default', () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { maxLength: 3 }), fc.string(), (values, q) => {
      const state = stateOf({ q, ...filterPatch('f', values) })
      const kept = withDefaults(saved, state)
      expect(conditionsOf(kept, stateOf({}))).toEqual(conditionsOf(saved, state))
      expect(kept.savedFilterValues).toContainEqual(saved.savedFilterValues[1])
    }),
  )
})

test('a static list offers its options, is a variable alone, and its default is that of the variable', () => {
  const list = { id: 'l', type: 'STATIC_LIST', name: 'Target env', options: ['prod', 'test'] }
  const other = { type: 'variable', name: 'unknown', values: ['1'], later: true }
  const own = {
    ...saved,
    filters: [...saved.filters, list],
    savedFilterValues: [...saved.savedFilterValues, other, { type: 'variable', name: 'Target_env', values: ['prod'] }],
  }
  const filter = filtersOf(own).at(-1)!
  expect(filter).toMatchObject({ options: ['prod', 'test'], broadcasts: false, variable: 'Target_env' })
  const state = stateOf(filterPatch('l', ['test']))
  expect(conditionsOf(own, state)).toEqual(conditionsOf(saved, state))
  expect(variablesOf(own, stateOf({}))).toContainEqual({ name: 'Target_env', expression: '', values: ['prod'] })
  expect(variablesOf(own, state)).toContainEqual({ name: 'Target_env', expression: '', values: ['test'] })
  const kept = withDefaults(own, state).savedFilterValues
  expect(kept).toContainEqual(other)
  expect(kept?.filter(({ name }) => name === 'Target_env')).toEqual([
    { type: 'variable', name: 'Target_env', values: ['test'] },
  ])
  expect(withDefaults(own, stateOf(filterPatch('l', []))).savedFilterValues).not.toContainEqual(
    expect.objectContaining({ name: 'Target_env' }),
  )
})

test('tiles that a required filter is for wait for a value', () => {
  const required = { minSelections: 1, type: 'QUERY_EXPRESSION' }
  const filters = [
    { ...required, id: 'r', name: 'Service', expression: 'ServiceName', sourceId: 's', appliesToSourceIds: ['s'] },
    { ...required, id: 'l', type: 'STATIC_LIST', name: 'env', options: ['prod'] },
  ]
  const own = { ...dashboard, filters: dashboardSchema.parse({ ...dashboard, filters }).filters }
  const reasonOf = (state: Record<string, string | undefined>, where: string, sourceId = 's', board = own) => {
    const plan = planTile(
      { displayType: 'number', sourceId, select: [{ aggFn: 'count', where, whereLanguage: 'sql' }] },
      {
        span: { from: 0, to: 60_000 },
        granularity: 'auto',
        zone: 'utc',
        conditions: conditionsOf(board, stateOf(state)),
        required: requiredValues(board, stateOf(state)),
        variables: variablesOf(board, stateOf(state)),
        sourceId: (id) => id,
      },
    )
    return plan.kind === 'none' ? plan.reason : null
  }
  const service = filterPatch('r', ['api'])
  const uses = '$__filter(a, $env)'
  expect(reasonOf({}, '')).toBe('Choose a value of the filter Service.')
  expect(reasonOf(filterPatch('r', []), '')).toBe('Choose a value of the filter Service.')
  expect(reasonOf({}, '', 'other')).toBeNull()
  expect(reasonOf(service, '')).toBeNull()
  expect(reasonOf(service, uses)).toBe('Choose a value of the filter env.')
  expect(reasonOf(service, 'a = $env')).toBe('Choose a value of the filter env.')
  expect(reasonOf({ ...service, ...filterPatch('l', ['prod']) }, uses)).toBeNull()
  const forAll = { ...own, filters: own.filters.map((filter) => ({ ...filter, isGlobalRequirement: true })) }
  expect(reasonOf(service, '', 'other', forAll)).toBe('Choose a value of the filter env.')
})

test('the default selection is not in the URL, an empty selection is', () => {
  const [filter] = filtersOf(saved)
  expect(chosenValues(filter!, stateOf({}))).toEqual(['api'])
  expect(choiceOf(filter!, ['api'])).toEqual({ 'f.f': undefined })
  expect(choiceOf(filter!, [])).toEqual({ 'f.f': '[]' })
})

test('a URL equal to the defaults has no own values', () => {
  expect(hasOwnScope(saved, stateOf({}))).toBe(false)
  expect(hasOwnScope(saved, stateOf({ q: 'level:error', ql: 'lucene', ...filterPatch('f', ['api']) }))).toBe(false)
  expect(hasOwnScope(saved, stateOf({ ql: 'lucene' }))).toBe(true)
  expect(hasOwnScope(saved, stateOf(filterPatch('f', [])))).toBe(true)
})

test('finds selections for missing filters', () => {
  expect(unknownChoices(dashboard, stateOf({ 'f.f': '["a"]', 'f.gone': '["a"]' }))).toEqual(['f.gone'])
})

test('values are those of the filter’s rows; metrics are taken from a tile', () => {
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

test('opens with a malformed URL', () => {
  const state = stateOf({ from: 'yesterday-ish', granularity: '7y', refresh: 'often', 'f.f': '{' })
  expect(state).toMatchObject({ from: 'now-6h', granularity: 'auto', refresh: 'off' })
  expect(filterValues(state, 'f')).toBeUndefined()
})
