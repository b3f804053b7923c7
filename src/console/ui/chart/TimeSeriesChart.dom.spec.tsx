import { act } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import type { Series } from '../series/series.ts'
import { testRoot } from '../testing/testRoot.ts'
import { TimeSeriesChart } from './TimeSeriesChart.tsx'

const start = Date.parse('2026-11-20T10:00:00Z')
const minute = 60_000
const many = (count: number): Series[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `s${index}`,
    label: `series ${index}`,
    points: Array.from({ length: 10 }, (_, at) => [start + at * minute, index + at] as const),
  }))

// Registered first, so that it runs after the root is removed.
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})
const { page, render } = testRoot()

/** As a browser would: 600 pixels wide. */
function layOut() {
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(600)
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 600, 320))
}

function draw(
  series: Series[],
  view: 'chart' | 'table',
  handlers: Partial<Parameters<typeof TimeSeriesChart>[0]> = {},
) {
  render(
    <TimeSeriesChart
      series={series}
      type="line"
      span={{ from: start, to: start + 10 * minute }}
      bucketMs={minute}
      readAt={start + 10 * minute}
      zone="utc"
      label="Count"
      view={view}
      {...handlers}
    />,
  )
}

const columns = () =>
  [...page().querySelectorAll('[aria-label="Values of Count"] thead th')].slice(1).map((cell) => cell.textContent)
const legend = (label: string) =>
  [...page().querySelectorAll<HTMLButtonElement>('table[aria-label=Legend] tbody button')].find(({ textContent }) =>
    textContent?.startsWith(label),
  )!
const click = (label: string, ctrlKey = false) =>
  act(() => void legend(label).dispatchEvent(new MouseEvent('click', { bubbles: true, ctrlKey })))

test('a click in the legend isolates a series, with Ctrl it hides one', () => {
  draw(many(3), 'table')
  expect(columns()).toEqual(['series 0', 'series 1', 'series 2'])
  click('series 1')
  expect(columns()).toEqual(['series 1'])
  click('series 1')
  click('series 1', true)
  expect(columns()).toEqual(['series 0', 'series 2'])
})

test('the legend of a drawn chart isolates, too, without moving the cursor', () => {
  layOut()
  draw(many(3), 'chart')
  const lines = () => page().querySelectorAll('[data-series=line]').length
  expect(lines()).toBe(3)
  click('series 1')
  expect(lines()).toBe(1)
  act(() => {
    legend('series 1').dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }))
    legend('series 1').dispatchEvent(new PointerEvent('pointerup', { bubbles: true }))
    legend('series 1').dispatchEvent(new KeyboardEvent('keydown', { key: 'Home', bubbles: true }))
  })
  expect(page().querySelector('[data-testid=chart-tooltip]')).toBeNull()
  click('series 1')
  expect(lines()).toBe(3)
})

test.each([true, false])(
  'the legend is one tab stop, with arrow keys between its series (in one line: %s)',
  (dense) => {
    layOut()
    draw(many(3), 'chart', { dense })
    const stops = () =>
      [...page().querySelectorAll<HTMLElement>('[data-legend]')].filter(({ tabIndex }) => tabIndex === 0)
    const press = (key: string) =>
      act(() => void document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true })))
    const focused = () => document.activeElement?.textContent
    expect(stops().map(({ textContent }) => textContent)).toEqual(['series 0'])
    act(() => stops()[0]?.focus())
    press('ArrowRight')
    press('ArrowDown')
    expect(focused()).toBe('series 2')
    press('ArrowRight')
    expect(focused()).toBe('series 2')
    expect(stops().map(({ textContent }) => textContent)).toEqual(['series 2'])
    press('Home')
    expect(focused()).toBe('series 0')
    press('End')
    press('ArrowLeft')
    expect(focused()).toBe('series 1')
    press('x')
    expect(focused()).toBe('series 1')
    expect(stops()).toHaveLength(1)
  },
)

test('draws at most a hundred series; the legend lists the others and can show them', () => {
  draw(many(105), 'table')
  expect(columns()).toHaveLength(100)
  expect(columns()).not.toContain('series 0')
  expect(page().textContent).toContain('100 of 105')
  click('series 0')
  expect(columns()).toEqual(['series 0'])
})

test('the keyboard selects buckets and zooms in to them', () => {
  const onZoom = vi.fn()
  const onReset = vi.fn()
  draw(many(2), 'chart', { onZoom, onReset })
  const plot = page().querySelector<HTMLElement>('[role=application]')!
  const press = (key: string, shiftKey = false) =>
    act(() => void plot.dispatchEvent(new KeyboardEvent('keydown', { key, shiftKey, bubbles: true })))
  press('End')
  expect(page().textContent).toContain('10:09: series 1 10, series 0 9')
  press('ArrowLeft', true)
  press('ArrowLeft', true)
  press('Enter')
  expect(onZoom).toHaveBeenCalledWith({ from: start + 7 * minute, to: start + 10 * minute })
  press('Escape')
  expect(onReset).toHaveBeenCalledOnce()
})

test('a selection ends with the plot, even if its last bucket continues', () => {
  layOut()
  const to = start + 9.5 * minute
  draw(many(2), 'chart', { span: { from: start, to }, readAt: to })
  const plot = page().querySelector<HTMLElement>('[role=application]')!
  const press = (key: string, shiftKey = false) =>
    act(() => void plot.dispatchEvent(new KeyboardEvent('keydown', { key, shiftKey, bubbles: true })))
  press('End')
  press('ArrowLeft', true)
  const selected = page().querySelector('[data-part=time-area]')!
  const [x, width] = ['x', 'width'].map((name) => Number(selected.getAttribute(name)))
  expect(width).toBeGreaterThan(50)
  const end = page().querySelector('[data-part=time-axis] line')!.getAttribute('x2')
  expect(x! + width!).toBeCloseTo(Number(end))
})

test('the pointer shows the values of its bucket, a click pins them, and the keyboard continues from there', () => {
  layOut()
  draw(many(2), 'chart')
  const plot = page().querySelector<HTMLElement>('[role=application]')!
  const surface = plot.querySelector('svg[data-plot]')!
  const tooltip = () => plot.querySelector('[data-testid=chart-tooltip]')?.textContent
  const lines = [...plot.querySelectorAll('[data-part=line]')]
  const at = (x: number) => ({ clientX: x, clientY: 150, bubbles: true, cancelable: true })
  const moveTo = (x: number) => act(() => void surface.dispatchEvent(new PointerEvent('pointermove', at(x))))
  expect(tooltip()).toBeUndefined()
  moveTo(300)
  expect(tooltip()).toMatch(/10:0\d.*series 1.*series 0/)
  const shown = tooltip()
  moveTo(400)
  expect(tooltip()).not.toBe(shown)
  expect([...plot.querySelectorAll('[data-part=line]')]).toEqual(lines)
  const kept = tooltip()
  act(() => {
    surface.dispatchEvent(new PointerEvent('pointerdown', at(400)))
    surface.dispatchEvent(new PointerEvent('pointerup', at(400)))
  })
  moveTo(200)
  expect(tooltip()).toBe(kept)
  act(() => void plot.dispatchEvent(new KeyboardEvent('keydown', { key: 'Home', bubbles: true })))
  expect(tooltip()).toContain('10:00')
  act(() => plot.querySelector<HTMLElement>('[aria-label="Close the pinned values"]')!.click())
  moveTo(300)
  expect(tooltip()).toBe(shown)
})

test('the cursor of charts with one ID follows the pointer, whose chart alone shows values', () => {
  layOut()
  const chart = (label: string, from: number) => (
    <TimeSeriesChart
      series={many(2)}
      type="line"
      span={{ from, to: start + 10 * minute }}
      bucketMs={minute}
      readAt={start + 10 * minute}
      zone="utc"
      label={label}
      syncId="board"
    />
  )
  render(
    <>
      {chart('First', start)}
      {chart('Second', start - 10 * minute)}
    </>,
  )
  const plots = [...page().querySelectorAll<HTMLElement>('[role=application]')]
  const surface = plots[0]!.querySelector('svg[data-plot]')!
  const move = (type: string, clientX: number) =>
    act(() => void surface.dispatchEvent(new PointerEvent(type, { clientX, clientY: 150, bubbles: true })))
  const cursors = () => plots.map((plot) => plot.querySelector<SVGElement>('svg:not([data-plot])')?.style.transform)
  const tooltips = () => plots.map((plot) => plot.querySelector('[data-testid=chart-tooltip]') !== null)
  move('pointermove', 300)
  expect(tooltips()).toEqual([true, false])
  const [own, other] = cursors()
  // The second chart begins earlier: the same time is farther on the right.
  expect(parseInt(other!.slice('translateX('.length))).toBeGreaterThan(parseInt(own!.slice('translateX('.length)))
  // On the labels of the axis.
  move('pointermove', 2)
  expect(cursors()).toEqual([undefined, undefined])
  move('pointermove', 300)
  act(() => void plots[0]!.dispatchEvent(new PointerEvent('pointerout', { bubbles: true, relatedTarget: page() })))
  expect(cursors()).toEqual([undefined, undefined])
})

test('lines in two units: the legend and titles say which axis each belongs to, as long as both are drawn', () => {
  layOut()
  const [first, second] = many(2)
  draw(
    [
      { ...first!, unit: 'ms', label: 'p95' },
      { ...second!, label: 'requests' },
    ],
    'chart',
    { unit: 'number' },
  )
  const groups = () =>
    [...page().querySelectorAll('table[aria-label=Legend] th[scope=rowgroup]')].map((element) => element.textContent)
  const titles = () => [...page().querySelectorAll('svg text')].map((element) => element.textContent)
  expect(groups()).toEqual(['Duration, left axis', 'Number, right axis'])
  expect(titles()).toEqual(expect.arrayContaining(['Duration (ms)', 'Number']))
  click('p95')
  expect(groups()).toEqual(['Duration', 'Number'])
  expect(titles()).not.toContain('Duration (ms)')
})
