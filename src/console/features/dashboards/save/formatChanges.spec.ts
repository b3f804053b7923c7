import { expect, test } from 'vitest'
import { dashboard as dashboardSchema } from '#contract/stack/dashboards/dashboards.ts'
import { diff, orderStep } from '#domain/json/diff.ts'
import { changeSummary, formatPath, formatValue } from './formatChanges.ts'

const dashboard = dashboardSchema.parse({
  id: 'd',
  name: 'D',
  tiles: [{ id: 't', name: 'Errors', x: 0, y: 0, w: 4, h: 4, config: { displayType: 'line' } }],
  filters: [{ id: 'f', name: 'Service' }],
})

test('labels paths as in the forms, and shows unknown fields as they are', () => {
  const tile = ['tiles', { id: 't' }]
  expect(formatPath([...tile, 'config', 'select', 1, 'where'], dashboard)).toBe('tile “Errors” › series B › condition')
  expect(formatPath(['config', 'groupBy'], dashboard)).toBe('group by')
  expect(formatPath(['config'], dashboard)).toBe('configuration')
  expect(formatPath(['config', 'select'], dashboard)).toBe('series')
  expect(formatPath([...tile, 'x'], dashboard)).toBe('tile “Errors” › column')
  expect(formatPath(['config', 'future', 0, 'part'], dashboard)).toBe('future › 1 › part')
  expect(formatPath(['filters', { id: 'f' }, 'expression'], dashboard)).toBe('filter “Service” › expression')
  expect(formatPath(['tiles', orderStep], dashboard)).toBe('tiles › order')
})

test('shortens values, and shows names instead of IDs', () => {
  expect(formatValue(undefined)).toBe('–')
  expect(formatValue('')).toBe('""')
  expect(formatValue('65f5', new Map([['65f5', 'Logs']]))).toBe('Logs')
  expect(formatValue({ a: 1 })).toBe('{"a":1}')
  expect(formatValue({ id: '65f5', tabs: [{ id: '1', title: 'A' }] })).toBe('{"tabs":[{"title":"A"}]}')
  expect(formatValue('x'.repeat(400))).toMatch(/^x{300}… \(400 characters\)$/)
})

test('a summary counts tiles and names the changed settings', () => {
  const [tile] = dashboard.tiles
  const after = { ...dashboard, name: 'E', savedQuery: 'a', tiles: [tile!, { ...tile!, id: 'u' }] }
  expect(changeSummary(diff(dashboard, after), dashboard, after)).toBe(
    '1 tile added; name, default condition for all tiles changed',
  )
  expect(changeSummary([], dashboard, dashboard)).toBe('no changes')
})
