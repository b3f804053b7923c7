import type { ReactNode } from 'react'
import { describe, expect, test } from 'vitest'
import { ChartSeries } from './ChartSeries.tsx'
import type { ChartType } from './chartTypes.ts'
import { paintSeries } from './paintSeries.ts'
import { TimeArea, ValueArea, ValueLine } from './PlotAnnotations.tsx'
import { PlotChart } from './PlotChart.tsx'
import { type PlotInput, plotModel } from './plotModel.ts'
import { frameOf } from '../series/series.ts'
import { testRoot } from '../testing/testRoot.ts'

const start = Date.parse('2026-11-20T10:00:00Z')
const minute = 60_000

const { page, render } = testRoot()

/** Draws one series of a value a minute; the last minute is not complete. */
function draw(values: (number | null)[], type: ChartType = 'line', change: Partial<PlotInput> = {}) {
  const points = values.map((value, index) => [start + index * minute, value] as const)
  const model = plotModel({
    frame: frameOf([{ id: 'a', label: 'a', points }]),
    styles: new Map(),
    type,
    span: { from: start, to: start + (values.length - (type === 'bar' ? 0 : 1)) * minute },
    bucketMs: minute,
    isComplete: (time) => time < start + (values.length - 1) * minute,
    zone: 'utc',
    unit: 'number',
    width: 460,
    height: 244,
    ...change,
  })
  render(
    <PlotChart model={model} lineColor="gray" textColor="black">
      <ChartSeries model={model} colorOf={() => 'red'} background="white" />
    </PlotChart>,
  )
  return model
}

const numbers = (selector: string, attribute: string) =>
  [...page().querySelectorAll(selector)].map((element) => Math.round(Number(element.getAttribute(attribute)) * 10) / 10)
const labels = () => [...page().querySelectorAll('[data-part$=axis] text')].map((text) => text.textContent)
const paths = (selector: string) => [...page().querySelectorAll(selector)].map((path) => path.getAttribute('d'))

/** A canvas that notes its paths as SVG spells them, and the dashes of each stroke. */
function canvas() {
  const painted: string[] = []
  const dashes: number[][] = []
  let dash: number[] = []
  const add =
    (command: string) =>
    (...at: number[]) =>
      void painted.push(`${painted.pop() ?? ''}${command}${at.join(',')}`)
  const drawing = {
    beginPath: () => painted.push(''),
    moveTo: add('M'),
    lineTo: add('L'),
    bezierCurveTo: add('C'),
    closePath: add('Z'),
    // The centre and the radius: a dot is a whole circle.
    arc: (x: number, y: number, radius: number) => add('dot ')(x, y, radius),
    stroke: () => dashes.push(dash),
    fill: () => undefined,
    setLineDash: (next: number[]) => (dash = next),
  }
  // It has all that lines and areas are painted with.
  return { paths: painted, dashes, context: drawing as unknown as CanvasRenderingContext2D }
}

/** A path whose coordinates have one decimal. */
const rounded = (path: string) => path.replaceAll(/-?[\d.]+/g, (number) => Number(number).toFixed(1))

describe('axes', () => {
  const grid = '[data-part=grid] line'

  test('grid and labels are where the axes place their times and values', () => {
    const model = draw([0, 5, 10], 'line', { span: { from: start, to: start + 10 * minute } })
    const [top, bottom] = [10, 220]
    expect(numbers(grid, 'y1')).toEqual(model.valueTicks.map((value) => bottom - (value / 10) * (bottom - top)))
    expect(numbers(grid, 'x2')).toEqual(model.valueTicks.map(() => 440))
    expect(labels()).toEqual(['10:00', '10:05', '10:10', '0', '2', '4', '6', '8', '10'])
    const perMinute = (440 - model.axisWidth) / 10
    expect(numbers('[data-part=time-axis] text', 'x')).toEqual(
      [0, 5, 10].map((at) => Math.round((model.axisWidth + at * perMinute) * 10) / 10),
    )
  })

  test('a range too short for a time label still has value labels', () => {
    draw([1, 10], 'line', { span: { from: start + 1, to: start + 1.5 } })
    expect(labels().slice(-1)).toEqual(['10'])
    expect(numbers(grid, 'y1').length).toBeGreaterThan(1)
  })
})

describe('series', () => {
  test('a missing value breaks the line, a single one is a dot', () => {
    const { axisWidth } = draw([1, null, 3, 4, null])
    const [step, y] = [(440 - axisWidth) / 4, (value: number) => 220 - (value / 4) * 210]
    const line = `M${axisWidth},${y(1)}ZM${axisWidth + 2 * step},${y(3)}L${axisWidth + 3 * step},${y(4)}`
    expect(paths('[data-part=line]')[0]).toBe(line)
    expect([numbers('circle', 'cx'), numbers('circle', 'cy'), numbers('circle', 'r')]).toEqual([
      [axisWidth].map((x) => Math.round(x * 10) / 10),
      [Math.round(y(1) * 10) / 10],
      [2.5],
    ])
  })

  test.each(['line', 'stackedArea'] as const)('a single value is seen in its color in the chart %s', (type) => {
    draw([1, null, 3, 4, null], type)
    const fills = [...page().querySelectorAll('circle')].map((dot) => dot.getAttribute('fill'))
    expect(fills.at(-1)).toBe('red')
  })

  test('the line to an incomplete bucket is drawn differently', () => {
    const { axisWidth } = draw([1, 1, 1, 1, 1], 'area')
    const step = (440 - axisWidth) / 4
    const xs = [0, 1, 2, 3, 4].map((at) => axisWidth + at * step)
    const complete = xs.slice(0, 4).map((x) => `${x},10`)
    expect(paths('[data-part=line]')).toEqual([`M${complete.join('L')}`, `M${xs[3]},10L${xs[4]},10`])
    expect(paths('[data-series=area] path')[1]).toBe(`M${xs[3]},10L${xs[4]},10L${xs[4]},220L${xs[3]},220Z`)
  })

  test('a line holds its values in steps, or is smooth', () => {
    const { axisWidth } = draw([0, 4, 2, 2], 'line', { interpolation: 'step', isComplete: () => true })
    const x = (at: number) => axisWidth + (at * (440 - axisWidth)) / 3
    const y = (value: number) => 220 - (value / 4) * 210
    expect(paths('[data-part=line]').map((path) => rounded(path!))).toEqual([
      rounded(
        `M${x(0)},${y(0)}L${x(1)},${y(0)}L${x(1)},${y(4)}L${x(2)},${y(4)}L${x(2)},${y(2)}L${x(3)},${y(2)}L${x(3)},${y(2)}`,
      ),
    ])
    draw([0, 4, 2, 2], 'line', { interpolation: 'smooth', isComplete: () => true })
    expect(paths('[data-part=line]')[0]).toMatch(/^M[^L]+C/)
  })

  test.each(['linear', 'smooth', 'step'] as const)(
    'a canvas has the %s lines and areas of the elements',
    (interpolation) => {
      const values = [0, 4, 2, null, 7, 3, 3, 9]
      const model = draw(values, 'area', { interpolation, isComplete: () => true })
      const scale = {
        x: (time: number) => model.axisWidth + ((time - model.span.from) / (7 * minute)) * (440 - model.axisWidth),
        y: (value: number) => 220 - (value / model.valueTicks.at(-1)!) * 210,
      }
      const painted = canvas()
      paintSeries(painted.context, model, scale, getComputedStyle(page()))
      expect(painted.paths.map(rounded)).toEqual(
        // Elements are one path each, whose parts a canvas paints one after the other.
        ['[data-series=area] path', '[data-part=line]'].flatMap((selector) =>
          paths(selector).flatMap((path) => path!.split(/(?=M)/).map(rounded)),
        ),
      )
    },
  )

  test('a single value is painted as a dot, because a canvas strokes nothing of a line without length', () => {
    const painted = (values: (number | null)[]) => {
      const surface = canvas()
      paintSeries(
        surface.context,
        draw(values),
        { x: (time) => (time - start) / minute, y: (value) => value },
        getComputedStyle(page()),
      )
      return surface
    }
    // Its bucket is complete or not.
    expect(painted([1, null, 3, 4, null]).paths).toEqual(['dot 0,1,2.5', 'M2,3L3,4'])
    expect(painted([null, null, 5])).toMatchObject({ paths: ['dot 2,5,2.5'], dashes: [] })
    expect(painted([null, 4, 5]).dashes.at(-1)?.length).toBeGreaterThan(0)
  })

  test('the value axis of a line starts at the lowest value if it is to fit', () => {
    expect(draw([1000, 1002, 1001]).valueTicks.at(0)).toBe(0)
    expect(draw([1000, 1002, 1001], 'line', { fit: true }).valueTicks).toEqual([1000, 1001, 1002])
    expect(draw([1000, 1002, 1001], 'bar', { fit: true }).valueTicks.at(0)).toBe(0)
    expect(draw([null, null], 'line', { fit: true }).valueTicks).toEqual([0, 1])
  })

  test('a logarithmic axis has powers of ten, and zeros are gaps', () => {
    const model = draw([1, 0, 10, 1000], 'line', { log: true, isComplete: () => true })
    expect(model.valueTicks).toEqual([1, 10, 100, 1000])
    const x = (at: number) => model.axisWidth + (at * (440 - model.axisWidth)) / 3
    const height = (value: number) => 220 - (Math.log10(value) / 3) * 210
    expect(rounded(paths('[data-part=line]')[0] ?? '')).toBe(
      rounded(`M${x(0)},${height(1)}ZM${x(2)},${height(10)}L${x(3)},${height(1000)}`),
    )
    expect(draw([3, 20], 'line', { log: true }).valueTicks).toEqual([1, 2, 5, 10, 20, 50, 100])
    // Without a positive value, and for bars, it is linear.
    expect(draw([0, 0], 'line', { log: true }).valueTicks).toEqual([0, 1])
    expect(draw([1, 1000], 'bar', { log: true }).valueTicks.at(0)).toBe(0)
    expect(draw([1e-12, 1e12], 'line', { log: true }).valueTicks.length).toBeLessThan(12)
  })

  test('a bar fills its bucket, and is faint if that is incomplete', () => {
    const { axisWidth, bucketWidth } = draw([1, 0, null, 1, 1], 'bar')
    const bars = [...page().querySelectorAll('[data-series=bars] rect')].filter(
      (bar) => Number(bar.getAttribute('height')) > 0,
    )
    const at = bars.map((bar) => (Number(bar.getAttribute('x')) - axisWidth) / bucketWidth)
    expect(at.map(Math.round)).toEqual([0, 3, 4])
    expect(Number(bars[0]!.getAttribute('width'))).toBeGreaterThan(bucketWidth - 3)
    expect(bars.map((bar) => bar.hasAttribute('stroke-dasharray'))).toEqual([false, false, true])
  })

  test('a single bucket has a bar, too', () => {
    const { bucketWidth } = draw([5], 'stackedBar', { span: { from: start, to: start + minute } })
    expect(numbers('[data-series=bars] rect', 'width')[0]).toBeGreaterThan(bucketWidth - 3)
    expect(numbers('[data-series=bars] rect', 'height')[0]).toBeGreaterThan(0)
  })

  test('negative values are stacked down from zero', () => {
    draw([-5, 5], 'stackedBar', { span: { from: start, to: start + 2 * minute } })
    const [heights, ys] = [numbers('[data-series=bars] rect', 'height'), numbers('[data-series=bars] rect', 'y')]
    expect(heights.every((height) => height > 0)).toBe(true)
    expect(ys[0]).toBeGreaterThan(ys[1]!)
  })
})

describe('annotations', () => {
  const marked = (children: (model: ReturnType<typeof draw>) => ReactNode) => {
    const model = draw([1, 10], 'line', { span: { from: start, to: start + 10 * minute } })
    render(
      <PlotChart model={model} lineColor="gray" textColor="black">
        {children(model)}
      </PlotChart>,
    )
    const rects = [...page().querySelectorAll('rect')].map((rect) =>
      ['x', 'y', 'width', 'height'].map((name) => Number(rect.getAttribute(name))),
    )
    return { model, rects }
  }

  test('ranges of values and times are cut off at the ends of the axes', () => {
    const { model, rects } = marked((model) => (
      <>
        <ValueArea model={model} from={5} to={Infinity} />
        <ValueArea model={model} from={-Infinity} to={-1} />
        <TimeArea model={model} span={{ from: start - minute, to: start + 5 * minute }} />
      </>
    ))
    const [left, width] = [model.axisWidth, 440 - model.axisWidth]
    expect(rects).toEqual([
      [left, 10, width, 105],
      [left, 220, width, 0],
      [left, 10, width / 2, 210],
    ])
  })

  test('a line outside of the axis is not drawn, and labels stay inside of the chart', () => {
    const { model } = marked((model) => (
      <>
        <ValueLine model={model} value={5} label="above 5" stroke="red" />
        <ValueLine model={model} value={11} label="above 11" stroke="red" />
        <TimeArea model={model} span={{ from: start, to: start + minute }} label="early" />
        <TimeArea model={model} span={{ from: start + 9 * minute, to: start + 10 * minute }} label="late" />
      </>
    ))
    const texts = [...page().querySelectorAll('svg > text')].map((text) => [
      text.textContent,
      Number(text.getAttribute('x')),
      text.getAttribute('text-anchor'),
    ])
    expect(texts).toEqual([
      ['above 5', model.axisWidth + 5, null],
      ['early', model.axisWidth + 5, 'start'],
      ['late', 435, 'end'],
    ])
  })
})

describe('lines in two units', () => {
  const at = (values: readonly number[]) => values.map((value, index) => [start + index * minute, value] as const)
  const frame = frameOf([
    { id: 'a', label: 'requests', points: at([0, 20, 40]) },
    { id: 'b', label: 'p95', unit: 'ms', points: at([0, 150, 300]) },
  ])
  const ofAxis = (orientation: 'left' | 'right') => {
    const texts = [...page().querySelectorAll<SVGTextElement>('[data-part=value-axis] text')]
    return texts
      .filter((text) => text.parentElement?.getAttribute('text-anchor') === (orientation === 'left' ? 'end' : 'start'))
      .map((text) => text.textContent)
  }

  test('have an axis each, and end at the height that their axis says', () => {
    const model = draw([], 'line', { frame, span: { from: start, to: start + 2 * minute } })
    expect(ofAxis('left')).toEqual(['0', '10', '20', '30', '40'])
    expect(ofAxis('right')).toEqual(['0 ms', '100 ms', '200 ms', '300 ms'])
    const [requests, p95] = model.bands.map(({ high }) => high.at(-1))
    expect(p95).toBe(requests)
  })

  test('share an axis where they are stacked, or of one unit', () => {
    draw([], 'stackedBar', { frame, span: { from: start, to: start + 3 * minute } })
    expect(ofAxis('right')).toEqual([])
    draw([1, 2])
    expect(ofAxis('right')).toEqual([])
  })
})
