import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dashboardUpdateStrict } from '#contract/stack/dashboards/dashboardRules.ts'
import { dashboard as dashboardSchema } from '#contract/stack/dashboards/dashboards.ts'
import { anyDashboard } from '#domain/dashboards/testing/arbitraries.ts'
import { filterProblems, newFilter, readSettings, writeSettings } from './settingsForm.ts'

const source = '65f5e4a3b9e77c001a901234'
const dashboard = dashboardSchema.parse({
  id: 'd',
  name: 'D',
  filters: [
    { id: 'f', type: 'QUERY_EXPRESSION', name: 'Service', expression: 'ServiceName', sourceId: source, future: 1 },
  ],
  savedFilterValues: [
    { type: 'sql', condition: 'a = 1', later: true },
    { type: 'sql', condition: 'b = 1' },
  ],
})

test('unchanged settings write back the same dashboard', () => {
  fc.assert(
    fc.property(anyDashboard, (one) => {
      expect(writeSettings(one, readSettings(one))).toEqual(one)
    }),
  )
})

test('writes only changed fields of a filter, and keeps unknown ones', () => {
  const form = readSettings(dashboard)
  const [filter] = form.filters
  const changed = { ...filter!, sourceIds: [source], where: 'a:b' }
  const { filters } = writeSettings(dashboard, { ...form, filters: [changed] })
  expect(filters).toEqual([{ ...dashboard.filters[0], where: 'a:b', appliesToSourceIds: [source] }])
  expect(writeSettings({ ...dashboard, filters }, form).filters).toEqual([
    { ...dashboard.filters[0], appliesToSourceIds: [] },
  ])
})

test('a filter without tiles to filter names no sources', () => {
  const form = readSettings(dashboard)
  const filters = [{ ...form.filters[0]!, broadcasts: false, isVariable: true, sourceIds: [source] }]
  expect(writeSettings(dashboard, { ...form, filters }).filters[0]).not.toHaveProperty('appliesToSourceIds')
})

test('a new filter is valid for the stack', () => {
  const filter = { ...newFilter('QUERY_EXPRESSION', source), name: 'Host', expression: 'host', isVariable: true }
  const { filters } = writeSettings(dashboard, { ...readSettings(dashboard), filters: [filter] })
  expect(dashboardUpdateStrict.safeParse({ name: 'D', tiles: [], filters }).error?.issues).toBeUndefined()
})

test('removes cleared defaults, and keeps the others unchanged', () => {
  const form = readSettings(dashboard)
  expect(writeSettings(dashboard, { ...form, saved: form.saved.slice(0, 1) }).savedFilterValues).toEqual([
    { type: 'sql', condition: 'a = 1', later: true },
  ])
})

test('reports what a filter or a static list lacks at its fields', () => {
  const fieldsOf = (filter: ReturnType<typeof newFilter>) => filterProblems([filter]).map(({ field }) => field)
  expect(fieldsOf(newFilter('QUERY_EXPRESSION', ''))).toEqual([
    'filters.0.name',
    'filters.0.expression',
    'filters.0.sourceId',
  ])
  expect(fieldsOf({ ...newFilter('STATIC_LIST', source), name: ' ' })).toEqual(['filters.0.name', 'filters.0.options'])
})

test('reports invalid filters at their fields', () => {
  const one = { ...newFilter('QUERY_EXPRESSION', source), name: 'My host', isVariable: true, expression: 'host' }
  expect(filterProblems([one])).toEqual([])
  expect(filterProblems([{ ...one, broadcasts: false, isVariable: false }])).toMatchObject([
    { field: 'filters.0.broadcasts' },
  ])
  expect(filterProblems([{ ...one, variableName: '1st' }])).toMatchObject([{ field: 'filters.0.variableName' }])
  expect(filterProblems([one, { ...one, name: 'x', variableName: 'My_host' }])).toMatchObject([
    { field: 'filters.1.variableName' },
  ])
})

describe('a static list', () => {
  const list = { id: 'l', type: 'STATIC_LIST', name: 'env', options: ['prod', 'test'], future: 1 }
  const withList = dashboardSchema.parse({ ...dashboard, filters: [list, ...dashboard.filters] })
  const write = (change: object) => {
    const form = readSettings(withList)
    return writeSettings(withList, { ...form, filters: [{ ...form.filters[0]!, ...change }, form.filters[1]!] }).filters
  }

  test('has its values one a line, and keeps its place and unknown fields', () => {
    expect(readSettings(withList).filters[0]).toMatchObject({ kind: 'STATIC_LIST', options: 'prod\ntest' })
    expect(write({ options: ' prod\n\nstaging \nprod' })).toEqual([
      { ...list, options: ['prod', 'staging'] },
      ...dashboard.filters,
    ])
    expect(write({ single: true, variableName: 'e' })[0]).toEqual({ ...list, maxSelections: 1, variableName: 'e' })
    expect(write({ required: true })[0]).toEqual({ ...list, minSelections: 1 })
  })

  test('a new one is valid for the stack', () => {
    const filter = { ...newFilter('STATIC_LIST', source), name: 'env', options: 'a\nb', single: true }
    const { filters } = writeSettings(dashboard, { ...readSettings(dashboard), filters: [filter] })
    expect(dashboardUpdateStrict.safeParse({ name: 'D', tiles: [], filters }).error?.issues).toBeUndefined()
  })

  test('without values, or with the variable of another filter, it is reported', () => {
    const filter = { ...newFilter('STATIC_LIST', source), name: 'env' }
    const same = {
      ...newFilter('QUERY_EXPRESSION', source),
      expression: 'x',
      name: 'x',
      isVariable: true,
      variableName: 'env',
    }
    expect(filterProblems([filter])).toMatchObject([{ field: 'filters.0.options' }])
    expect(filterProblems([{ ...filter, options: 'a' }])).toEqual([])
    expect(filterProblems([same, { ...filter, options: 'a' }])).toMatchObject([{ field: 'filters.1.variableName' }])
  })

  test('whose values take several lines stays as it is', () => {
    const odd = dashboardSchema.parse({ ...dashboard, filters: [{ ...list, options: ['a\nb'] }] })
    expect(readSettings(odd).filters).toEqual([])
    expect(writeSettings(odd, { ...readSettings(odd), name: 'N' })).toEqual({ ...odd, name: 'N' })
  })
})
