/** Two charts of the same data: the console's own and uPlot's. Each step ends when the browser has painted it. */
import { ThemeProvider } from '@mui/material/styles'
import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import uPlot from 'uplot'
import type { Series } from '#console/ui/chart/series.ts'
import { TimeSeriesChart } from '#console/ui/chart/TimeSeriesChart.tsx'
import { theme } from '#console/ui/theme/theme.ts'

const width = 1200
const height = 400
const bucketMs = 60_000
const end = Math.floor(Date.now() / bucketMs) * bucketMs

/** Values of every series, the same for both: a random walk whose steps a seed decides. */
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

function timesOf(points: number): number[] {
  return Array.from({ length: points }, (_, index) => end - (points - index) * bucketMs)
}

const ours = createRoot(document.getElementById('ours')!)
let drawOurs: (values: number[][]) => void = () => {}

function Ours({ start }: { start: number[][] }) {
  const [values, setValues] = useState(start)
  useEffect(() => {
    drawOurs = setValues
  }, [])
  const times = timesOf(values[0]!.length)
  const series = values.map((row, index): Series => ({
    id: `s${index}`,
    label: `series ${index}`,
    points: row.map((value, at) => [times[at]!, value] as const),
  }))
  return (
    <TimeSeriesChart
      series={series}
      type="line"
      span={{ from: times[0]!, to: end }}
      bucketMs={bucketMs}
      readAt={end}
      zone="utc"
      height={height}
      label="Ours"
    />
  )
}

function mountOurs(values: number[][]): void {
  const page = (
    <ThemeProvider theme={theme}>
      <Ours key={`${values.length} ${values[0]!.length}`} start={values} />
    </ThemeProvider>
  )
  flushSync(() => ours.render(page))
}

let plot: uPlot | null = null

function drawUplot(values: number[][]): void {
  plot?.destroy()
  const colors = ['#4f5bd5', '#c2691b', '#0c8a8f', '#6f283f', '#9b84d2']
  const series = values.map((_, index) => ({ label: `series ${index}`, stroke: colors[index % 5]! }))
  plot = new uPlot({ width, height, series: [{}, ...series] }, dataOf(values), document.getElementById('uplot')!)
}

const dataOf = (values: number[][]): uPlot.AlignedData => [timesOf(values[0]!.length).map((ms) => ms / 1000), ...values]

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

function pointAt(target: Element, type: string, share: number): void {
  const box = target.getBoundingClientRect()
  const at = { clientX: box.left + box.width * share, clientY: box.top + box.height / 2, bubbles: true }
  target.dispatchEvent(type.startsWith('pointer') ? new PointerEvent(type, at) : new MouseEvent(type, at))
}

type Side = 'ours' | 'uplot'
type Pairs = Record<Side, number>[]

/** Milliseconds of each step on either side, in turn. */
export interface ChartBench {
  mount(count: number, points: number): Promise<void>
  updates(runs: number): Promise<Pairs>
  moves(runs: number): Promise<Pairs>
}

let size = { count: 0, points: 0 }

const bench: ChartBench = {
  async mount(count, points) {
    size = { count, points }
    const values = walk(count, points, 1)
    mountOurs(values)
    drawUplot(values)
    await painted()
    await painted()
  },
  updates: (runs) => inTurn(runs, (side, run) => update(side, run + 2)),
  moves: (runs) => inTurn(runs, (side, run) => move(side, 0.1 + ((run * 7) % 27) * 0.03)),
}
Object.assign(globalThis, { chartBench: bench })

/** Steps that are not counted: the first ones warm up. */
const warmUp = 3

async function inTurn(runs: number, step: (side: Side, run: number) => Promise<number>): Promise<Pairs> {
  const pairs: Pairs = []
  for (let run = 0; run < runs + warmUp; run++) {
    pairs.push({ ours: await step('ours', run), uplot: await step('uplot', run) })
  }
  return pairs.slice(warmUp)
}

function update(side: Side, seed: number): Promise<number> {
  const values = walk(size.count, size.points, seed)
  const data = dataOf(values)
  return timed(() => (side === 'ours' ? flushSync(() => drawOurs(values)) : plot?.setData(data)))
}

async function move(side: Side, share: number): Promise<number> {
  const target = side === 'ours' ? document.querySelector('[role=application]') : plot?.over
  const told = () =>
    side === 'ours' ? document.querySelector('[data-testid=chart-tooltip]')?.textContent : String(plot?.cursor.left)
  if (!target) throw new Error(`nothing is drawn by ${side}`)
  const before = told()
  const took = await timed(() => pointAt(target, side === 'ours' ? 'pointermove' : 'mousemove', share))
  if (told() === before) throw new Error(`the pointer moved nothing on ${side}`)
  return took
}
