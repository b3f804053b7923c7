import { expect, test } from 'vitest'
import type { Comparison, ComparedRecordView } from '#contract/console/environments.ts'
import { listedKinds } from '#contract/stack/recordKinds.ts'
import { cellText, countCells, countColumns, filterRows, groupOf, matrixRows, type Column } from './matrixRows.ts'

// The keys are the kinds.
const read = Object.fromEntries(listedKinds.map((kind) => [kind, null])) as Comparison['kinds']

function column(connectionId: string, rows: ComparedRecordView[], kinds: Partial<Comparison['kinds']> = {}): Column {
  return {
    connectionId,
    comparison: { connectionId, baseline: 'eu', readAt: '', kinds: { ...read, ...kinds }, rows, baselineRows: 'first' },
  }
}

const board = (name: string, more: Partial<ComparedRecordView>): ComparedRecordView => ({
  kind: 'dashboards',
  name,
  state: 'same',
  ...more,
})
const columns = [
  column('eu', [board('Shop', { id: 'e1' })]),
  column('us', [
    board('Shop', { state: 'differs', fields: 2, changed: ['Errors › where'] }),
    board('Cart', { state: 'onlyHere' }),
  ]),
  column('lab', []),
  { connectionId: 'gone', comparison: undefined, problem: 'No response.' },
  { connectionId: 'slow', comparison: undefined },
]
const rows = matrixRows(columns, 'eu')
const states = (name: string) =>
  Object.fromEntries([...(rows.find((row) => row.name === name)?.cells ?? [])].map(([id, { state }]) => [id, state]))

test('each connection has a cell, also where neither side has the record', () => {
  expect(states('Shop')).toEqual({ eu: 'baseline', us: 'differs', lab: 'same', gone: 'unknown', slow: 'reading' })
  expect(states('Cart')).toMatchObject({ eu: 'notThere', us: 'onlyHere', lab: 'notThere' })
})

test('what a comparison leaves out is the same, unless it is of other rows of the baseline', () => {
  const older = column('old', [board('Cart', { state: 'onlyHere' })])
  const shortened = [
    column('eu', [board('Shop', { id: 'e1' }), board('Pays', { id: 'e2' })]),
    column('us', [board('Shop', { state: 'differs', fields: 1 })]),
    { ...older, comparison: older.comparison && { ...older.comparison, baselineRows: 'earlier' } },
    { ...column('gone', []), problem: 'No response.' },
  ]
  const statesOf = (name: string) =>
    matrixRows(shortened, 'eu')
      .filter((row) => row.name === name)
      .flatMap(({ cells }) => [...cells.values()].map(({ state }) => state))
  expect(statesOf('Pays')).toEqual(['baseline', 'same', 'reading', 'unknown'])
  expect(statesOf('Shop')).toEqual(['baseline', 'differs', 'reading', 'unknown'])
  expect(statesOf('Cart')).toEqual(['notThere', 'notThere', 'onlyHere', 'unknown'])
})

test('a kind that could not be read, or is not offered, is said in the cells and above them', () => {
  const withHoles = [
    column('eu', [board('Shop', {})]),
    column('us', [], { dashboards: { state: 'failed', reason: 'The key may not.' } }),
    column('lab', [], { dashboards: { state: 'notOffered', reason: '' } }),
  ]
  const [row] = matrixRows(withHoles, 'eu')
  expect(row?.cells.get('us')).toEqual({ state: 'unknown', reason: 'The key may not.' })
  expect(row?.cells.get('lab')).toEqual({ state: 'notOffered' })
  expect(groupOf('dashboards', matrixRows(withHoles, 'eu'), withHoles)).toMatchObject({
    notOffered: ['lab'],
    unread: [{ connectionId: 'us', reason: 'The key may not.' }],
  })
})

test('a connection of which nothing could be read has no differences to speak of', () => {
  expect([...countColumns(rows)].flatMap(([id, { isUnread }]) => (isUnread ? id : []))).toEqual(['gone'])
})

test('counts differences of one connection and of all', () => {
  const byColumn = countColumns(rows)
  expect(byColumn.get('us')).toEqual({ differs: 1, missing: 0, onlyHere: 1, unknown: 0, isUnread: false })
  expect(byColumn.get('lab')).toMatchObject({ differs: 0, missing: 0, onlyHere: 0 })
  expect(countCells(rows)).toEqual({ differs: 1, missing: 0, onlyHere: 1, unknown: 2 })
})

test('is searched by name and by the fields that differ', () => {
  const search = (text: string) =>
    filterRows(rows, { text, kind: undefined, notableOnly: false }).map(({ name }) => name)
  expect(search('car')).toEqual(['Cart'])
  expect(search('errors › WHERE')).toEqual(['Shop'])
  expect(filterRows(rows, { text: '', kind: 'alerts', notableOnly: false })).toEqual([])
})

test('rows that are the same everywhere are left out of differences', () => {
  const same = matrixRows([column('eu', [board('Shop', {})]), column('us', [board('Shop', {})])], 'eu')
  expect(filterRows(same, { text: '', kind: undefined, notableOnly: true })).toEqual([])
})

test('a connection that could not be read at all makes no row a difference', () => {
  const gone = { connectionId: 'gone', comparison: undefined, problem: 'No response.' }
  const some = matrixRows([column('eu', [board('Shop', {})]), gone], 'eu')
  expect(filterRows(some, { text: '', kind: undefined, notableOnly: true })).toEqual([])
  expect(filterRows(some, { text: '', kind: undefined, notableOnly: false })).toHaveLength(1)
})

test('what two connections have and the baseline has not is not "only here"', () => {
  const two = matrixRows(
    ['eu', 'us', 'lab'].map((id) => column(id, id === 'eu' ? [] : [board('Cart', { state: 'onlyHere' })])),
    'eu',
  )
  const text = (all: typeof rows) => all.find(({ name }) => name === 'Cart')
  const [one, other] = [text(rows), text(two)]
  expect(one && cellText({ state: 'onlyHere' }, one)).toBe('only here')
  expect(other && cellText({ state: 'onlyHere' }, other)).toBe('not in baseline')
})
