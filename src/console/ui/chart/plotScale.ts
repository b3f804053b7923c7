/** The pixels of times and values in a plot, from the top left corner of the chart. */
import { type PlotModel, plotArea } from './plotModel.ts'

export interface PlotScale extends ReturnType<typeof plotArea> {
  /** The pixel of a time, epoch milliseconds. */
  x: (time: number) => number
  /** The pixel of a value; on a logarithmic axis of a positive one. */
  y: (value: number) => number
  /** The time at a pixel, within the range of the axis. */
  timeAt: (x: number) => number
}

export function plotScale(model: PlotModel): PlotScale {
  const { span, valueTicks, log } = model
  const area = plotArea(model)
  const { left, right, top, bottom } = area
  const perPixel = (span.to - span.from) / (right - left)
  const place = log ? Math.log : (value: number) => value
  const low = place(valueTicks[0] ?? 0)
  const height = (bottom - top) / (place(valueTicks.at(-1) ?? 1) - low)
  return {
    ...area,
    x: (time) => left + (time - span.from) / perPixel,
    y: (value) => bottom - (place(value) - low) * height,
    timeAt: (x) => span.from + (Math.min(Math.max(x, left), right) - left) * perPixel,
  }
}
