import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bandsOf } from '../series/bands.ts'
import { type ChartSnapshot, chartSvg } from './exportChart.tsx'
import { svgDocument } from '../series/svgDocument.ts'
import { chartColors } from '../series/palette.ts'
import { styleAt } from '../series/seriesStyles.ts'
import { frameOf, type Series } from '../series/series.ts'

const start = Date.parse('2026-11-20T10:00:00Z')
const minute = 60_000

function chartOf(series: Series[], change: Partial<ChartSnapshot> = {}): ChartSnapshot {
  return {
    title: 'count by Service',
    frame: frameOf(series),
    styles: new Map(series.map(({ id }, index) => [id, styleAt(index, true)])),
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
const texts = (svg: string) => [...readXml(svg).querySelectorAll('text')].map((label) => label.textContent)

describe('chartSvg', () => {
  test('of lines in two units has the titles of both axes, and the legend by axis', () => {
    const svg = chartSvg(chartOf([series('p95', { unit: 'ms' }), series('requests')]))
    expect(texts(svg)).toEqual(
      expect.arrayContaining(['Duration', 'Number', 'Duration, left axis', 'Number, right axis']),
    )
    expect(texts(chartSvg(chartOf([series('a'), series('b')]))).join()).not.toContain('axis')
  })

  test('has the title, both axes, every drawn series in its color, and a legend', () => {
    const svg = chartSvg(chartOf([series('cart'), series('checkout')]))
    expect(texts(svg)).toEqual(expect.arrayContaining(['count by Service', '0', '800', '10:05']))
    expect(texts(svg).filter((text) => /^(cart|checkout) {2}\(max 900\)$/.test(text ?? ''))).toHaveLength(2)
    const strokes = [...readXml(svg).querySelectorAll('path')].map((path) => path.getAttribute('stroke'))
    expect(strokes).toContain(chartColors.light[0])
    expect(strokes).toContain(chartColors.light[1])
    expect(svg).toContain('fill="#ffffff"')
    expect(svg).not.toContain('NaN')
  })

  test('names the legend groups only if there are several', () => {
    const here = series('a', { group: 'here' })
    expect(texts(chartSvg(chartOf([here])))).not.toContain('here')
    const both = chartSvg(chartOf([here, series('b', { group: 'there', overlay: true })]))
    expect(texts(both)).toEqual(expect.arrayContaining(['here', 'there']))
  })

  test('escapes any label', () => {
    const text = fc.string({ unit: 'binary', maxLength: 40 })
    fc.assert(
      fc.property(text, text, text, text, text, (title, label, group, otherLabel, otherGroup) => {
        const all = [series('a', { label, group }), series('b', { label: otherLabel, group: otherGroup })]
        const svg = svgDocument(chartOf(all, { title }), '<path/>', 800)
        expect(svg.match(/<(g|path) /g)).toHaveLength(4)
        expect(svg).not.toMatch(/&(?!(?:amp|lt|gt|quot);)/)
        expect(() => encodeURIComponent(svg)).not.toThrow()
      }),
    )
    expect(chartSvg(chartOf([series('x', { label: '<script>&' })]))).toContain('&lt;script&gt;&amp;')
  })
})

test('comparison series are dashed: overlaid ones are stacked separately, earlier ones are not stacked', () => {
  const overlaid = ['c', 'd'].map((id) => series(id, { overlay: true }))
  const all = [series('a'), series('b'), ...overlaid, series('e', { ghost: true })]
  const chart = chartOf(all, { type: 'stackedBar', isComplete: () => true })
  const tops = bandsOf(chart.frame, true).map(({ high }) => high.at(-1))
  expect(tops).toEqual([900, 1800, 900, 1800, 900])
  const svg = readXml(chartSvg(chart))
  expect(svg.querySelectorAll('[data-series=bars]')).toHaveLength(2)
  const lines = [...svg.querySelectorAll('[data-series=line]')].map((line) => [...line.querySelectorAll('path')])
  // Lines over bars have an outline in the colour of the paper.
  const outlines = lines.map((paths) => paths.map((path) => path.getAttribute('stroke') === '#ffffff'))
  expect(outlines).toEqual([[true, false], [true, false], [false]])
  const dashes = lines.map((paths) => paths.at(-1)!.getAttribute('stroke-dasharray'))
  expect(dashes.every(Boolean)).toBe(true)
  expect(dashes[0]).not.toBe(dashes[2])
  // Through the middle of the bars.
  const bar = [...svg.querySelectorAll('[data-series=bars]')][0]!.lastElementChild
  const [x, width] = ['x', 'width'].map((name) => Number(bar?.getAttribute(name)))
  expect(Number(/L([\d.]+),[\d.]+$/.exec(lines[0]![1]!.getAttribute('d')!)?.[1])).toBeCloseTo(x! + width! / 2, 0)
})
