import { expect, test } from 'vitest'
import { dashboardSummary } from '#contract/stack/dashboards/dashboards.ts'
import { alertOnTile } from '#contract/testing/sampleAlerts.ts'
import { dashboardSummaryOf } from '#domain/dashboards/summary.ts'
import { foldersOf, formatAlerts, filterRows, pageOf, rowsOf, sortRows, tagCounts } from './rows.ts'

const summary = (dashboard: object) => dashboardSummary.parse(dashboardSummaryOf({ tiles: [], ...dashboard }))
const tile = { x: 0, y: 0, w: 1, h: 1 }
const dashboards = [
  summary({ id: 'b', name: 'Beta 10', tags: ['x', 'y'], tiles: [tile] }),
  summary({ id: 'a', name: 'Alpha', tags: ['x'] }),
  summary({ id: 'c', name: 'beta 9', tiles: [tile, tile] }),
]
const alert = (id: string, dashboardId: string, state: string) => alertOnTile({ id, dashboardId, state })
const rows = rowsOf(dashboards, [alert('1', 'b', 'OK'), alert('2', 'c', 'OK'), alert('3', 'c', 'ALERT')])
const ids = (of: readonly { id: string }[]) => of.map(({ id }) => id).join('')

test('orders rows by name with natural numbers, with the worst state of their alerts', () => {
  expect(ids(rows)).toBe('acb')
  expect(rows.map(({ worst }) => worst)).toEqual([undefined, 'ALERT', 'OK'])
})

test('searches rows by words and tags', () => {
  expect(ids(filterRows(rows, ['x'], 'bet 1'))).toBe('b')
  expect(ids(filterRows(rows, ['x', 'y']))).toBe('b')
  expect(ids(filterRows(rows, [], '2 tiles'))).toBe('c')
  expect(tagCounts(rows)).toEqual([
    { tag: 'x', count: 2 },
    { tag: 'y', count: 1 },
  ])
})

test('sorts rows by tiles and by the worst state of their alerts', () => {
  expect(ids(sortRows(rows, { column: 'tiles', descending: true }))).toBe('cba')
  expect(ids(sortRows(rows, { column: 'alerts', descending: true }))).toBe('cba')
  expect(ids(sortRows(rows, { column: 'alerts', descending: false }))).toBe('abc')
  expect(ids(sortRows(rows, { column: 'name', descending: true }))).toBe('bca')
  expect(ids(sortRows(rows, null))).toBe('acb')
})

test('reports alerts that are never evaluated or failed instead of OK', () => {
  const pie = { ...tile, id: 't', config: { displayType: 'pie' } }
  const line = { ...tile, id: 't', config: { displayType: 'line' } }
  const failed = { ...alert('5', 'e', 'OK'), executionErrors: [{ type: 'QUERY_ERROR' }] }
  const boards = [summary({ id: 'd', name: 'D', tiles: [pie] }), summary({ id: 'e', name: 'E', tiles: [line] })]
  expect(rowsOf(boards, [alert('4', 'd', 'OK'), failed]).map(formatAlerts)).toEqual([
    '1 · never evaluated',
    '1 · last run failed',
  ])
})

test('folders are divided into pages as a whole', () => {
  const folders = foldersOf(rows, ({ id }) => id === 'c')
  const page = (at: number) => pageOf(folders, at, 2).map(({ kind, rows: own }) => [kind, ids(own)])
  expect(page(1)).toEqual([
    ['favorites', 'c'],
    ['tag', 'a'],
  ])
  expect(page(2)).toEqual([['tag', 'b']])
})

test('puts each row into one folder: the favorites, its first tag, or none', () => {
  const folders = (favorite: string) =>
    foldersOf(rows, ({ id }) => id === favorite).map(({ name, rows: own }) => [name, ids(own)])
  expect(folders('')).toEqual([
    ['x', 'ab'],
    ['Without a tag', 'c'],
  ])
  expect(folders('b')).toEqual([
    ['Favorites', 'b'],
    ['x', 'a'],
    ['Without a tag', 'c'],
  ])
  expect(
    foldersOf(
      rows.filter(({ id }) => id === 'c'),
      () => false,
    ).map(({ name }) => name),
  ).toEqual([''])
})
