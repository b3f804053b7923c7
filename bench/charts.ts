/** Measures drawing new data and following the pointer, beside uPlot with the same data in the same page. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import react from '@vitejs/plugin-react'
import { build, preview } from 'vite'
import type { ChartBench } from './charts/page.tsx'
import { launchOptions } from './support/chromium.ts'
import { median, milliseconds, times, type Row } from './support/measure.ts'

const runs = 25

/** Limits in milliseconds on an idle machine. */
const sizes = [
  { series: 5, points: 200, aim: 16, moveAim: 8 },
  { series: 20, points: 500, aim: 33, moveAim: 8 },
  { series: 50, points: 1000, aim: 50, moveAim: 16 },
]
const throttling = 4

export async function charts(): Promise<Row[]> {
  const outDir = await mkdtemp(join(tmpdir(), 'bench-'))
  const shared = { configFile: false, root: join(import.meta.dirname, 'charts'), logLevel: 'error' } as const
  await build({ ...shared, plugins: [react()], build: { outDir, target: 'es2023' } })
  const server = await preview({ ...shared, build: { outDir }, preview: { port: 0, host: '127.0.0.1' } })
  const browser = await chromium.launch(launchOptions)
  try {
    const page = await browser.newPage({ viewport: { width: 1240, height: 1900 } })
    const broken: string[] = []
    page.on('pageerror', (error) => broken.push(error.message))
    await page.goto(server.resolvedUrls?.local[0] ?? '')
    await page.waitForFunction(() => 'chartBench' in globalThis)
    const rows: Row[] = []
    for (const size of sizes) rows.push(...(await measured(page, size)))
    rows.push(await throttled(page))
    if (broken.length > 0) throw new Error(broken.join('; '))
    return rows
  } finally {
    await browser.close()
    await server.close()
    await rm(outDir, { recursive: true, force: true })
  }
}

async function measured(page: Page, { series, points, aim, moveAim }: (typeof sizes)[number]): Promise<Row[]> {
  const { updates, moves } = await page.evaluate(
    async ({ series, points, runs }) => {
      // Set by the page, which was awaited above.
      const { chartBench: bench } = globalThis as unknown as { chartBench: ChartBench }
      await bench.mount(series, points)
      return { updates: await bench.updates(runs), moves: await bench.moves(runs) }
    },
    { series, points, runs },
  )
  const what = `${series} series of ${points} points`
  const [ours, uplot] = (['ours', 'uplot'] as const).map((side) =>
    milliseconds(median(updates.map((round) => round[side]))),
  )
  const slower = median(updates.map((round) => round.ours / round.uplot))
  return [
    {
      what: `${what}, new data to painted (with legend and summary); uPlot`,
      result: `${ours}; ${uplot}, ${times(slower)} of it`,
      aim: `${aim} ms`,
    },
    {
      what: `${what}, pointer move to painted (with tooltip); uPlot`,
      result: `${milliseconds(median(moves.map((round) => round.ours)))}; ${milliseconds(median(moves.map((round) => round.uplot)))}`,
      aim: `${moveAim} ms`,
    },
  ]
}

/** The pointer on the largest chart, which is measured last, with a slow processor. */
async function throttled(page: Page): Promise<Row> {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: throttling })
  const moves = await page.evaluate((runs) => {
    // Set by the page.
    const { chartBench: bench } = globalThis as unknown as { chartBench: ChartBench }
    return bench.moves(runs)
  }, runs)
  await session.detach()
  const { series, points } = sizes.at(-1)!
  const [ours, uplot] = (['ours', 'uplot'] as const).map((side) => median(moves.map((round) => round[side])))
  const frames = (ms: number) => `${milliseconds(ms)}, ${Math.floor(1000 / ms)} frames/s`
  return {
    what: `${series} series of ${points} points, pointer move to painted, processor ${throttling}× slower; uPlot`,
    result: `${frames(ours!)}; ${frames(uplot!)}`,
    aim: '30 frames/s: 33 ms',
  }
}
