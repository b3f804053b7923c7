import { act, type ComponentProps } from 'react'
import { expect, test } from 'vitest'
import { testRoot } from '#console/ui/testing/testRoot.ts'
import type { Connection } from '#contract/console/connections.ts'
import { sampleConnection } from '#contract/testing/sampleConnection.ts'
import { Matrix } from './Matrix.tsx'

const { page, render } = testRoot()

function connectionsOf(count: number): Connection[] {
  return Array.from({ length: count }, (_, at) =>
    sampleConnection({
      id: `c${at}`,
      name: `Connection ${at}`,
      stage: 'staging',
      baseUrl: `https://deployment-${at}.invalid`,
    }),
  )
}

function show(connections: readonly Connection[]): void {
  const [baseline] = connections
  if (!baseline) throw new Error('There is one.')
  const row: ComponentProps<typeof Matrix>['rows'][number] = {
    key: 'dashboards/Shop',
    kind: 'dashboards',
    name: 'Shop',
    cells: new Map(connections.map(({ id }) => [id, { state: id === 'c0' ? 'baseline' : 'same' }])),
  }
  render(
    <Matrix
      connections={connections}
      baseline={baseline}
      counts={new Map()}
      rows={[row]}
      groups={[{ kind: 'dashboards', total: 1, notable: 0, notOffered: [], unread: [] }]}
      busy={false}
      chosen={undefined}
      onChoose={() => {}}
    />,
  )
}

const grid = () => page().querySelector<HTMLElement>('[role=grid]')!
const titles = () => [...grid().querySelectorAll('thead b')].map(({ textContent }) => textContent)
const columnsOf = (row: Element) =>
  [...row.querySelectorAll('[aria-colindex]')].map((cell) => Number(cell.getAttribute('aria-colindex')))

test('draws all of a few columns', () => {
  show(connectionsOf(5))
  expect(titles()).toEqual(['Connection 0', 'Connection 1', 'Connection 2', 'Connection 3', 'Connection 4'])
})

test('draws of hundreds of columns those in sight, and follows the scrolling', () => {
  show(connectionsOf(200))
  expect(grid().getAttribute('aria-colcount')).toBe('201')
  expect(titles()).toContain('Connection 1')
  expect(titles().length).toBeLessThan(40)
  const scroller = grid().parentElement!
  act(() => {
    scroller.scrollLeft = 150 * 122
    scroller.dispatchEvent(new Event('scroll'))
  })
  expect(titles()).toContain('Connection 151')
  expect(titles()).not.toContain('Connection 1')
  // The cells of every line are below the titles of their connections, and one of them takes the focus.
  const [head, ...lines] = [...grid().querySelectorAll('tr')].filter((row) => columnsOf(row).length > 0)
  for (const line of lines) expect(columnsOf(line)).toEqual(columnsOf(head!))
  expect(columnsOf(head!)[0]).toBe(Number(titles()[0]?.split(' ')[1]) + 2)
  expect(grid().querySelectorAll('td[tabindex="0"]')).toHaveLength(1)
})
