/** Where things lie in a chart: pixels of the plot, and the way from time and value to pixel and back. */
import type { Span } from '../time/range.ts'

export interface Plot {
  left: number
  top: number
  width: number
  height: number
}

export interface Scale {
  x(time: number): number
  y(value: number): number
  /** Epoch milliseconds at a pixel of the plot, within the span. */
  timeAt(x: number): number
}

export const margin = { top: 10, right: 20, bottom: 24 }

/** Labels of the time axis that a width has room for. */
export const timeTickCount = (width: number): number => Math.max(2, width / 95)

/** The plot between axes: the labels of the value axis decide its left edge. */
export function plotOf(width: number, height: number, labels: readonly string[]): Plot {
  const left = Math.max(...labels.map((label) => label.length)) * 6.6 + 14
  return {
    left: Math.round(left),
    top: margin.top,
    width: Math.max(0, Math.round(width - left - margin.right)),
    height: Math.max(0, height - margin.top - margin.bottom),
  }
}

/** Scales in pixels of the chart, not of the plot: `x(span.from)` is the plot's left edge. */
export function scaleOf(plot: Plot, span: Span, values: readonly [number, number]): Scale {
  const perTime = plot.width / (span.to - span.from)
  const perValue = plot.height / (values[1] - values[0])
  return {
    x: (time) => plot.left + (time - span.from) * perTime,
    y: (value) => plot.top + plot.height - (value - values[0]) * perValue,
    timeAt: (x) => span.from + Math.min(Math.max(x - plot.left, 0), plot.width) / perTime,
  }
}
