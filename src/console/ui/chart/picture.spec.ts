// @vitest-environment happy-dom
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bandsOf, type Drawing, drawSeries } from './drawing.ts'
import { chartSvg, type DrawnChart } from './picture.ts'
import { chartColors } from './palette.ts'
import { layersOf } from './layers.ts'
import { plotOf, scaleOf } from './layout.ts'
import { SvgPen } from './pen.ts'
import { lookStyle } from './seriesStyles.ts'
import { frameOf, type Series } from './series.ts'

const start = Date.parse('2026-11-20T10:00:00Z')
const minute = 60_000

function chartOf(series: Series[], change: Partial<DrawnChart> = {}): DrawnChart {
  return {
    title: 'count by Service',
    frame: frameOf(series),
    styles: new Map(series.map(({ id }, index) => [id, lookStyle(index, true)])),
    type: 'line',
    span: { from: start, to: start + 10 * minute },
    bucketMs: minute,
    isComplete: (time) => time < start + 9 * minute,
    zone: 'utc',
    unit: 'number',
    width: 800,
    height: 300,
    ...change,
  }
}

const series = (id: string, more: Partial<Series> = {}): Series => ({
  id,
  label: id,
  points: Array.from({ length: 10 }, (_, at) => [start + at * minute, at * 100] as const),
  ...more,
})

const readXml = (svg: string) => new DOMParser().parseFromString(svg, 'image/svg+xml')
const texts = (svg: string) => [...readXml(svg).querySelectorAll('text')].map((one) => one.textContent)

describe('chartSvg', () => {
  test('has the title, both axes, every drawn series in its colour, and a legend', () => {
    const svg = chartSvg(chartOf([series('cart'), series('checkout')]))
    expect(texts(svg)).toEqual(expect.arrayContaining(['count by Service', '0', '800', '10:05']))
    expect(texts(svg).filter((text) => /^(cart|checkout) {2}\(max 900\)$/.test(text ?? ''))).toHaveLength(2)
    const strokes = [...readXml(svg).querySelectorAll('path')].map((path) => path.getAttribute('stroke'))
    expect(strokes).toContain(chartColors.light[0])
    expect(strokes).toContain(chartColors.light[1])
    expect(svg).toContain('fill="#ffffff"')
    expect(svg).not.toContain('NaN')
  })

  test('names the groups of its legend only where there are several', () => {
    const here = series('a', { group: 'here' })
    expect(texts(chartSvg(chartOf([here])))).not.toContain('here')
    const both = chartSvg(chartOf([here, series('b', { group: 'there', overlay: true })]))
    expect(texts(both)).toEqual(expect.arrayContaining(['here', 'there']))
  })

  test('holds any label as text, never as markup', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (label) => {
        const svg = chartSvg(chartOf([series('x', { label })], { title: label }))
        expect(svg.match(/<g stroke-linecap/g)).toHaveLength(1)
        expect(svg).not.toMatch(/&(?!(?:amp|lt|gt|quot);)/)
        expect(() => encodeURIComponent(svg)).not.toThrow()
      }),
    )
    expect(chartSvg(chartOf([series('x', { label: '<script>&' })]))).toContain('&lt;script&gt;&amp;')
  })
})

test('what is compared with is dashed: of another place a stack of its own, of another period none', () => {
  const elsewhere = ['c', 'd'].map((id) => series(id, { overlay: true }))
  const frame = frameOf([series('a'), series('b'), ...elsewhere, series('e', { ghost: true })])
  const bands = bandsOf(frame, 'stackedBar')
  const tops = bands.map(({ high }) => high.at(-1))
  expect(tops).toEqual([900, 1800, 900, 1800, 900])
  const plot = plotOf(800, 300, ['0'])
  const scale = scaleOf(plot, { from: start, to: start + 10 * minute }, [0, 2000])
  const isComplete = () => true
  const drawing: Drawing = { frame, bands, type: 'stackedBar', plot, scale, bucketMs: minute, isComplete }
  const drawn = drawSeries(drawing, () => new SvgPen())
  const layers = drawn.map((one) => layersOf(one, [], true))
  expect(layers.map(([first]) => first?.kind)).toEqual(['fill', 'fill', 'halo', 'halo', 'stroke'])
  const dashes = layers.slice(2).map((all) => all.find(({ kind }) => kind === 'stroke')?.dash)
  expect(dashes.every((dash) => dash && dash.length > 0)).toBe(true)
  expect(dashes[0]).not.toEqual(dashes[2])
  // Through the middle of the bars, which begin at the left edge of the plot.
  expect(Number(/^M([\d.]+),/.exec(drawn[2]!.line!.sure!.toString())?.[1])).toBeCloseTo(plot.left + plot.width / 20, 0)
})
