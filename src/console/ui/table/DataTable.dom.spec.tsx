import { act, useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { testRoot } from '../testing/testRoot.ts'
import type { Column } from './columns.ts'
import { DataTable } from './DataTable.tsx'
import { defaultTableState, type TableState } from './tableState.ts'

interface Row {
  id: string
  name: string
  size: number
}

const columns: Column<Row>[] = [
  { id: 'name', title: 'Name', value: (row) => row.name },
  {
    id: 'size',
    title: 'Size',
    type: 'number',
    value: (row) => row.size,
    // Not every row has the same controls.
    cell: (row) => (row.name === 'Cedar' ? <a href="/cedar">{row.size}</a> : row.size),
  },
]
const rows: Row[] = ['Ash', 'Birch', 'Cedar', 'Elm', 'Fir'].map((name, at) => ({
  id: `r${at}`,
  name,
  size: (at * 7) % 5,
}))

beforeEach(() => {
  // happy-dom lays nothing out: without a height no row would be in sight.
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(640)
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(1000)
})
// Registered before the root, so that it runs after the root is removed.
afterEach(() => vi.restoreAllMocks())
const { page, render } = testRoot()

/** A page that keeps the state of its table, as those of the console do in their URLs. */
interface TreePageProps {
  initial: Partial<TableState>
  list: readonly Row[]
  groupOf?: ((row: Row) => string) | undefined
}

function TreePage({ initial, list, groupOf }: TreePageProps) {
  const [state, setState] = useState<TableState>({ ...defaultTableState, ...initial })
  return (
    <DataTable
      label="Trees"
      rows={list}
      columns={columns}
      error={null}
      empty="No trees"
      state={state}
      onState={(change) => setState((now) => ({ ...now, ...change }))}
      nameOf={(row) => row.name}
      groupOf={groupOf}
      rowActions={() => []}
      bulkActions={(chosen) => [{ label: `Cut ${chosen.map(({ name }) => name).join(', ')}`, run: () => undefined }]}
    />
  )
}

const draw = (initial: Partial<TableState> = {}, list: readonly Row[] = rows) =>
  render(<TreePage initial={initial} list={list} />)

const byLabel = (label: string) => page().querySelector<HTMLElement>(`[aria-label="${label}"]`)!
const names = () => [...page().querySelectorAll('tbody th')].map((cell) => cell.textContent)
const selected = () => [...page().querySelectorAll('tr[aria-selected=true] th')].map((cell) => cell.textContent)
const buttons = () => [...page().querySelectorAll('button')]
const heading = (title: string) => [...page().querySelectorAll('thead th')].find((cell) => cell.textContent === title)!

function click(element: Element, shiftKey = false): void {
  act(() => void element.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, shiftKey })))
}

function press(key: string): void {
  const target = document.activeElement ?? document.body
  act(() => void target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })))
}

test('Shift selects all rows from the last one clicked, and clears them the same way', () => {
  draw()
  click(byLabel('Select Birch'))
  expect(selected()).toEqual(['Birch'])
  click(byLabel('Select Elm'), true)
  expect(selected()).toEqual(['Birch', 'Cedar', 'Elm'])
  expect(buttons().some(({ textContent }) => textContent === 'Cut Birch, Cedar, Elm')).toBe(true)
  click(byLabel('Select Cedar'), true)
  expect(selected()).toEqual(['Birch'])
})

test('Shift selects in the displayed order', () => {
  draw({ sort: { column: 'name', descending: true } })
  click(byLabel('Select Fir'))
  click(byLabel('Select Cedar'), true)
  expect(selected()).toEqual(['Fir', 'Elm', 'Cedar'])
})

test('selects all rows that match the filters at once', () => {
  draw({ filters: [{ column: 'name', operator: 'has', value: 'i' }] })
  click(byLabel('Select all trees'))
  expect(selected()).toEqual(['Birch', 'Fir'])
  click(byLabel('Select all trees'))
  expect(selected()).toEqual([])
})

test('arrow keys move to the same control of the next row and stop at the ends', () => {
  draw()
  act(() => byLabel('Select Ash').focus())
  press('ArrowUp')
  expect(document.activeElement).toBe(byLabel('Select Ash'))
  press('ArrowDown')
  press('ArrowDown')
  expect(document.activeElement).toBe(byLabel('Select Cedar'))
  act(() => byLabel('Actions of Cedar').focus())
  press('ArrowUp')
  expect(document.activeElement).toBe(byLabel('Actions of Birch'))
})

test('the focus moves to the row that replaces a deleted one', () => {
  draw()
  act(() => byLabel('Select Cedar').focus())
  draw(
    {},
    rows.filter(({ name }) => name !== 'Cedar'),
  )
  expect(document.activeElement).toBe(byLabel('Select Elm'))
})

test('the focus stays on the same control where the next row has fewer', () => {
  draw()
  act(() => byLabel('Actions of Cedar').focus())
  draw(
    {},
    rows.filter(({ name }) => name !== 'Cedar'),
  )
  expect(document.activeElement).toBe(byLabel('Actions of Elm'))
})

test('the focus moves on from a link that the next row lacks', () => {
  draw()
  act(() => page().querySelector<HTMLElement>('a[href="/cedar"]')?.focus())
  press('ArrowDown')
  expect(document.activeElement).toBe(byLabel('Select Elm'))
})

test('below titles of groups, the focus moves to the row that replaces a deleted one', () => {
  const groupOf = ({ name }: Row) => (name < 'D' ? 'First' : 'Last')
  render(<TreePage initial={{}} list={rows} groupOf={groupOf} />)
  act(() => byLabel('Select Cedar').focus())
  render(<TreePage initial={{}} list={rows.filter(({ name }) => name !== 'Cedar')} groupOf={groupOf} />)
  expect(document.activeElement).toBe(byLabel('Select Elm'))
  act(() => byLabel('Actions of Fir').focus())
  render(<TreePage initial={{}} list={rows.filter(({ name }) => name < 'E')} groupOf={groupOf} />)
  expect(document.activeElement).toBe(byLabel('Actions of Cedar'))
})

test('a column title sorts ascending, then descending, then in the order of the deployment', () => {
  draw()
  const title = () => heading('Size').querySelector('button')!
  click(title())
  expect(heading('Size').getAttribute('aria-sort')).toBe('ascending')
  expect(names()).toEqual(['Ash', 'Elm', 'Birch', 'Fir', 'Cedar'])
  click(title())
  expect(heading('Size').getAttribute('aria-sort')).toBe('descending')
  expect(names()).toEqual(['Cedar', 'Fir', 'Birch', 'Elm', 'Ash'])
  click(title())
  expect(heading('Size').getAttribute('aria-sort')).toBe('none')
  expect(names()).toEqual(rows.map(({ name }) => name))
})

test('every filter is a chip that removes it', () => {
  draw({
    filters: [
      { column: 'name', operator: 'has', value: 'i' },
      { column: 'size', operator: 'min', value: '3' },
    ],
  })
  const chips = () => [...page().querySelectorAll('ul[aria-label=Filters] li')].map((chip) => chip.textContent)
  expect(chips()).toEqual(['Name contains i', 'Size at least 3'])
  expect(names()).toEqual(['Fir'])
  click(byLabel('Remove filter: Size at least 3'))
  expect(chips()).toEqual(['Name contains i'])
  expect(names()).toEqual(['Birch', 'Fir'])
  click(byLabel('Remove filter: Name contains i'))
  expect(page().querySelector('ul[aria-label=Filters]')).toBeNull()
  expect(names()).toHaveLength(5)
})

test('search and filters without a match are cleared together', () => {
  draw({ search: 'oak', filters: [{ column: 'name', operator: 'has', value: 'i' }] })
  expect(names()).toEqual([])
  expect(page().textContent).toContain('No matches')
  click(buttons().find(({ textContent }) => textContent === 'Clear search and filters')!)
  expect(names()).toHaveLength(5)
})

test('shows groups with titles in the order of their first rows; the arrow keys skip titles', async () => {
  const groupOf = ({ size }: Row) => (size > 2 ? 'Tall' : 'Small')
  await render(<TreePage initial={{ sort: { column: 'name', descending: true } }} list={rows} groupOf={groupOf} />)
  expect(names()).toEqual(['Tall 2', 'Fir', 'Cedar', 'Small 3', 'Elm', 'Birch', 'Ash'])
  expect(page().querySelector('table')?.getAttribute('aria-rowcount')).toBe('8')
  const control = (row: string) => byLabel(`Select ${row}`)
  control('Cedar').focus()
  await act(() => control('Cedar').dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true })))
  expect(document.activeElement).toBe(control('Elm'))
})

test('a name shows the characters in it that cannot be seen, also where its cell is drawn by the caller', () => {
  const list = [{ id: 'r', name: 'a\u202eb\u200b', size: 1 }]
  const drawn: Column<Row> = { id: 'name', title: 'Name', value: (row) => row.name, cell: (row) => <b>{row.name}</b> }
  for (const name of [columns[0]!, drawn]) {
    render(
      <DataTable
        label="Trees"
        rows={list}
        columns={[name]}
        error={null}
        empty="No trees"
        state={defaultTableState}
        onState={() => undefined}
        nameOf={(row) => row.name}
        rowActions={() => []}
      />,
    )
    expect(page().querySelector('tbody th')?.textContent).toContain(String.raw`a\u{202e}b\u{200b}`)
    expect(page().querySelector('tbody button')?.getAttribute('aria-label')).toContain(String.raw`a\u{202e}b\u{200b}`)
  }
})
