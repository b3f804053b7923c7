import * as fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { columnWidths, fittingColumns, nameLines, textWidths, type Column } from './columns.ts'
import { formatFilter, operatorsOf } from './filters.ts'
import { defaultTableState, readTableState, writeTableState, type TableState } from './tableState.ts'
import { linesInSight } from './useLinesInSight.ts'
import { searchable, viewRows } from './viewRows.ts'

interface Row {
  id: string
  name: string
  size: number | null
  state: string
  at: string | null
  on: boolean
}

const columns: Column<Row>[] = [
  { id: 'name', title: 'Name', grow: 1, width: 100, value: (row) => row.name },
  { id: 'size', title: 'Size', type: 'number', width: 50, value: (row) => row.size },
  {
    id: 'state',
    title: 'State',
    type: 'choice',
    options: [
      { value: 'ALERT', label: 'Firing' },
      { value: 'OK', label: 'Fine' },
    ],
    value: (row) => row.state,
  },
  { id: 'at', title: 'At', type: 'timestamp', value: (row) => row.at },
  { id: 'on', title: 'On', type: 'boolean', value: (row) => row.on },
]

const rows: Row[] = [
  { id: '1', name: 'Disk 10', size: 3, state: 'OK', at: '2026-01-02T00:00:00Z', on: true },
  { id: '2', name: 'disk 9', size: null, state: 'ALERT', at: null, on: false },
  { id: '3', name: 'CPU', size: 20, state: 'ALERT', at: '2026-01-01T00:00:00Z', on: true },
]

const view = (change: Partial<TableState>, visible = columns) =>
  viewRows(searchable(rows, visible), columns, { ...defaultTableState, ...change }).map((row) => row.id)
const filtered = (column: string, operator: string, value: string) => view({ filters: [{ column, operator, value }] })
const sortedBy = (column: string, descending = false) => view({ sort: { column, descending } })

test('a search requires all of its words, in any columns, as they are displayed', () => {
  expect(view({ search: 'disk' })).toEqual(['1', '2'])
  expect(view({ search: 'firing disk' })).toEqual(['2'])
  expect(view({ search: 'ALERT' })).toEqual([])
})

test('a search finds the displayed text of cells, not the underlying values', () => {
  const minutes = (count: number) => new Date(Date.now() - count * 60_000).toISOString()
  const id = '6703e49b1c49aa0012349f49'
  const payments: Row = { id, name: 'Payments', size: 49, state: 'OK', at: minutes(20), on: true }
  const shown: Column<Row>[] = columns.map((column) =>
    column.id === 'size' ? { ...column, text: () => '5 %' } : column,
  )
  const found = (search: string, visible = shown) =>
    viewRows(searchable([payments], visible), shown, { ...defaultTableState, search }).length
  expect(found('payments 49')).toBe(0)
  expect(found(`payments ${payments.at?.slice(0, 4)}`)).toBe(0)
  expect(found('payments 5 20 min')).toBe(1)
  expect(found('payments 6703e4')).toBe(1)
  expect(found('5', columns.slice(0, 1))).toBe(0)
})

test('a hidden column is not searched', () => {
  expect(view({ search: 'firing' }, columns.slice(0, 1))).toEqual([])
  expect(view({ search: 'disk' }, columns.slice(1))).toEqual([])
})

test('each operator filters as labeled', () => {
  expect(filtered('name', 'has', 'DISK')).toEqual(['1', '2'])
  expect(filtered('name', 'is', 'cpu')).toEqual(['3'])
  expect(filtered('state', 'is', 'ALERT')).toEqual(['2', '3'])
  expect(filtered('state', 'not', 'ALERT')).toEqual(['1'])
  expect(filtered('size', 'min', '3')).toEqual(['1', '3'])
  expect(filtered('size', 'max', '3')).toEqual(['1'])
  expect(filtered('size', 'empty', '')).toEqual(['2'])
  expect(filtered('at', 'after', '2026-01-01T12:00:00Z')).toEqual(['1'])
  expect(filtered('on', 'is', 'yes')).toEqual(['1', '3'])
})

test('a filter that fits no column or is incomplete has no effect', () => {
  expect(filtered('gone', 'is', 'x')).toHaveLength(3)
  expect(filtered('name', 'nonsense', 'x')).toHaveLength(3)
  expect(filtered('name', 'has', '')).toHaveLength(3)
})

test('sorts numbers in names naturally, choices in their order, and empty values last', () => {
  expect(sortedBy('name')).toEqual(['3', '2', '1'])
  expect(sortedBy('size')).toEqual(['1', '3', '2'])
  expect(sortedBy('size', true)).toEqual(['3', '1', '2'])
  expect(sortedBy('state')).toEqual(['2', '3', '1'])
  expect(sortedBy('at')).toEqual(['3', '1', '2'])
})

test('every column has operators, and every filter reads as a sentence', () => {
  for (const column of columns) expect(operatorsOf(column).length).toBeGreaterThan(0)
  expect(formatFilter({ column: 'state', operator: 'is', value: 'ALERT' }, columns)).toBe('State is Firing')
  expect(formatFilter({ column: 'size', operator: 'empty', value: '' }, columns)).toBe('Size is empty')
  // A moment is stored in UTC and shown in the time zone of the browser.
  const at = new Date(2026, 0, 2, 3, 4)
  expect(formatFilter({ column: 'at', operator: 'after', value: at.toISOString() }, columns)).toBe(
    'At after 2 Jan 2026 03:04',
  )
})

test('the state of a table is kept in its URL, with any content', () => {
  const id = fc.stringMatching(/^[a-zA-Z][a-zA-Z0-9]{0,8}$/)
  const state: fc.Arbitrary<TableState> = fc.record({
    search: fc.string(),
    sort: fc.option(fc.record({ column: id, descending: fc.boolean() })),
    filters: fc.array(fc.record({ column: id, operator: id, value: fc.string() }), { maxLength: 4 }),
    columns: fc.option(
      fc.uniqueArray(
        id.filter((name) => name !== 'none'),
        { maxLength: 5 },
      ),
    ),
    dense: fc.boolean(),
  })
  fc.assert(
    fc.property(state, (tableState) => {
      expect(readTableState(writeTableState(tableState))).toEqual(tableState)
    }),
  )
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.string(), (sort, filter, shown) => {
      expect(() => readTableState({ sort, filter, columns: shown })).not.toThrow()
    }),
  )
})

test('columns fill the width and keep their minimum', () => {
  expect(columnWidths(columns.slice(0, 2), 400)).toEqual([350, 50])
  expect(columnWidths(columns.slice(0, 2), 10)).toEqual([100, 50])
})

test('shrinks the first column as far as possible if the columns do not fit', () => {
  const wide = (width: number): Column<Row> => ({ id: 'x', title: 'X', width, value: (row) => row.name })
  expect(columnWidths([wide(224), wide(116), wide(124)], 282)).toEqual([166, 116, 124])
  expect(columnWidths([wide(200), wide(116), wide(124)], 240)).toEqual([200, 116, 124])
  expect(columnWidths([wide(224), wide(116)], 100)).toEqual([224, 116])
  expect(columnWidths([], 100)).toEqual([])
})

test('a name gets the room before other columns, which share what it leaves', () => {
  const growing = (id: string, grow?: number): Column<Row> => ({
    id,
    title: id,
    width: 100,
    ...(grow && { grow }),
    value: (row) => (id === 'name' ? row.name : 'x'.repeat(20)),
  })
  const three = [growing('name', 1), growing('query', 1), growing('fixed')]
  const long: Row = { ...rows[0]!, name: 'n'.repeat(30) }
  expect(textWidths(three, [long, rows[2]!])).toEqual([245, 170, 0])
  const widths = (available: number) => columnWidths(three, available, textWidths(three, [long]))
  expect(widths(300)).toEqual([100, 100, 100])
  expect(widths(420)).toEqual([220, 100, 100])
  expect(widths(460)).toEqual([245, 115, 100])
  expect(widths(615)).toEqual([295, 220, 100])
})

test('names wrap to the lines that the longest takes, up to a limit', () => {
  const lines = (letters: number, most: number) =>
    nameLines(columns, [{ ...rows[0]!, name: 'n'.repeat(letters) }, rows[2]!], 150, most)
  expect([10, 17, 20, 40, 500].map((letters) => lines(letters, 4))).toEqual([1, 1, 2, 3, 4])
  expect(lines(500, 1)).toBe(1)
  expect(nameLines(columns, [], 150, 4)).toBe(1)
})

test('on a phone, shows the columns that fit beside the first one, unless they were chosen', () => {
  const wide = (id: string, width: number): Column<Row> => ({ id, title: id, width, value: (row) => row.name })
  const all = [wide('name', 224), wide('state', 100), wide('long', 300), wide('at', 90)]
  const shown = (room: number, isChosen = false) =>
    fittingColumns(all, room, isChosen).map(({ id, width }) => `${id} ${width}`)
  const everything = ['name 224', 'state 100', 'long 300', 'at 90']
  expect(shown(360)).toEqual(['name 224', 'state 100', 'long 110'])
  expect(shown(346)).toEqual(['name 224', 'state 100'])
  expect(shown(160)).toEqual(['name 224'])
  expect(shown(360, true)).toEqual(everything)
  expect(shown(480)).toEqual(everything)
  expect(shown(0)).toEqual(everything)
})

test('a search of ten thousand rows formats each cell only once', () => {
  const many = Array.from({ length: 10_000 }, (_, at) => ({ ...rows[at % 3]!, id: String(at), name: `Alert ${at}` }))
  const name = vi.fn((row: Row) => row.name)
  const counted: Column<Row>[] = [{ id: 'name', title: 'Name', grow: 1, width: 100, value: name }]
  const texts = searchable(many, counted)
  name.mockClear()
  expect(viewRows(texts, counted, { ...defaultTableState, search: 'alert 99' }).length).toBeGreaterThan(100)
  expect(name).not.toHaveBeenCalled()
})

test('every line in sight is drawn, between spacers for the others', () => {
  const small = fc.integer({ min: 1, max: 60 })
  fc.assert(
    fc.property(fc.nat(2_000), small, fc.nat(2_000), small, (top, lines, count, lineHeight) => {
      const { places, before, after } = linesInSight({ top, lines, count, lineHeight })
      expect(before + places.length * lineHeight + after).toBe(count * lineHeight)
      expect(places).toEqual(places.map((_, at) => before / lineHeight + at))
      // As far as the browser can scroll. The line below the last whole one is in sight in part.
      const first = Math.max(0, Math.min(top, count - lines))
      for (let line = first; line < Math.min(count, first + lines + 1); line++) expect(places).toContain(line)
      expect(places.length).toBeLessThanOrEqual(lines + 17)
    }),
  )
})
