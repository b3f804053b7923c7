/// <reference types="vite/client" />
/** Two charts of the same data with lines of the same width: the console's and one of uPlot. A step ends when it is painted. */
import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import uPlot from 'uplot'
import { lineWidth } from '#console/ui/chart/seriesPaint.ts'
import type { Series } from '#console/ui/series/series.ts'
import { TimeSeriesChart } from '#console/ui/chart/TimeSeriesChart.tsx'
import { MuiProvider } from '#console/ui/theme/MuiProvider.tsx'
import '#console/ui/theme/tokens.css'
import '#console/ui/theme/base.css'

const width = 1200
const height = 400
const bucketMs = 60_000
const end = Math.floor(Date.now() / bucketMs) * bucketMs

/** One answer: the values of each series, and when the last bucket ends. */
interface Answer {
  values: number[][]
  end: number
}

/** Values of every series, the same for all sides: a random walk whose steps a seed decides. */
function walk(count: number, points: number, seed: number): number[][] {
  let state = seed
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  return Array.from({ length: count }, (_, series) => {
    let value = 100 + series * 20
    return Array.from({ length: points }, () => (value = Math.max(0, value + (random() - 0.5) * 20)))
  })
}

/** Calls back when the frame that is being made is painted: a task that waits until then. */
function afterFrame(then: () => void): void {
  const { port1, port2 } = new MessageChannel()
  port1.addEventListener('message', then, { once: true })
  port1.start()
  port2.postMessage(null)
}

/** After the next frame is painted. */
const painted = () => timed(() => {})

function timesOf({ values, end }: Answer): number[] {
  const points = values[0]!.length
  return Array.from({ length: points }, (_, index) => end - (points - index) * bucketMs)
}

/** Wide lines take longer to paint: all sides draw the same. */
const lineWidthOf = ({ values }: Answer) => lineWidth(values.length * values[0]!.length)

const keyOf = ({ values }: Answer) => `${values.length} ${values[0]!.length}`

const ours = createRoot(document.getElementById('ours')!)
let drawOurs: (data: OursData) => void = () => {}

type OursData = ReturnType<typeof oursData>
function oursData(answer: Answer) {
  const times = timesOf(answer)
  const series = answer.values.map((row, index): Series => ({
    id: `s${index}`,
    label: `series ${index}`,
    points: row.map((value, at) => [times[at]!, value] as const),
  }))
  return { series, from: times[0]!, to: answer.end }
}

function Ours({ start }: { start: OursData }) {
  const [{ series, from, to }, setData] = useState(start)
  useEffect(() => {
    drawOurs = setData
  }, [])
  return (
    <TimeSeriesChart
      series={series}
      type="line"
      span={{ from, to }}
      bucketMs={bucketMs}
      readAt={to}
      zone="utc"
      height={height}
      label="Ours"
    />
  )
}

function mountOurs(start: Answer): void {
  const page = (
    <MuiProvider>
      <Ours key={keyOf(start)} start={oursData(start)} />
    </MuiProvider>
  )
  flushSync(() => ours.render(page))
}

const colors = ['#4f5bd5', '#c2691b', '#0c8a8f', '#6f283f', '#9b84d2']
let plot: uPlot | null = null

function drawUplot(start: Answer): void {
  plot?.destroy()
  const series = start.values.map((_, index) => ({
    label: `series ${index}`,
    stroke: colors[index % 5]!,
    width: lineWidthOf(start),
  }))
  plot = new uPlot({ width, height, series: [{}, ...series] }, uplotData(start), document.getElementById('uplot')!)
}

const uplotData = (answer: Answer): uPlot.AlignedData => [timesOf(answer).map((ms) => ms / 1000), ...answer.values]

/**
 * Milliseconds from a step to the end of the frame that paints it. The step begins with a frame: from anywhere else, the
 * wait for the next one would be most of the figure.
 */
function timed(step: () => void): Promise<number> {
  return new Promise((done) => {
    requestAnimationFrame(() => {
      const begin = performance.now()
      step()
      afterFrame(() => done(performance.now() - begin))
    })
  })
}

function pointAt(target: Element, share: number): void {
  const box = target.getBoundingClientRect()
  const at = { clientX: box.left + box.width * share, clientY: box.top + box.height / 2, bubbles: true }
  target.dispatchEvent(new MouseEvent('mousemove', at))
  target.dispatchEvent(new PointerEvent('pointermove', at))
}

type Side = 'ours' | 'uplot'
type Rounds = Record<Side, number>[]

/** Milliseconds of each step on every side, in turn. */
export interface ChartBench {
  mount(count: number, points: number): Promise<void>
  updates(runs: number): Promise<Rounds>
  moves(runs: number): Promise<Rounds>
}

let size = { count: 0, points: 0 }
/** Rounds of moves so far. Each starts where the previous one did not end. */
let rounds = 0

const bench: ChartBench = {
  async mount(count, points) {
    size = { count, points }
    const start = { values: walk(count, points, 1), end }
    mountOurs(start)
    drawUplot(start)
    await painted()
    await painted()
  },
  updates: (runs) => inTurn(runs, (side, run) => update(side, run + 2)),
  moves(runs) {
    const first = rounds
    rounds += runs + warmUp
    return inTurn(runs, (side, run) => move(side, 0.1 + (((first + run) * 7) % 27) * 0.03))
  },
}
Object.assign(globalThis, { chartBench: bench })

/** Steps that are not counted: the first ones warm up. */
const warmUp = 3

async function inTurn(runs: number, step: (side: Side, run: number) => Promise<number>): Promise<Rounds> {
  const measured: Rounds = []
  for (let run = 0; run < runs + warmUp; run++) {
    measured.push({ ours: await step('ours', run), uplot: await step('uplot', run) })
  }
  return measured.slice(warmUp)
}

/** New values a bucket later: as a refresh does, it moves the time axis, too. */
function update(side: Side, seed: number): Promise<number> {
  return timed(steps[side]({ values: walk(size.count, size.points, seed), end: end + seed * bucketMs }))
}

/** How each side draws an answer. It is put into the side's own form beforehand, which is not timed. */
const steps: Record<Side, (answer: Answer) => () => void> = {
  ours(answer) {
    const data = oursData(answer)
    return () => flushSync(() => drawOurs(data))
  },
  uplot(answer) {
    const data = uplotData(answer)
    return () => plot?.setData(data)
  },
}

async function move(side: Side, share: number): Promise<number> {
  const target = side === 'ours' ? document.querySelector('[role=application] svg[data-plot]') : plot?.over
  const shown = () =>
    side === 'ours' ? document.querySelector('[data-testid=chart-tooltip]')?.textContent : String(plot?.cursor.left)
  if (!target) throw new Error(`nothing is drawn by ${side}`)
  const before = shown()
  const duration = await timed(() => pointAt(target, share))
  if (shown() === before) throw new Error(`the pointer moved nothing on ${side}`)
  return duration
}
