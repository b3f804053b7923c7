/** What a chart costs to draw anew and to point at, beside uPlot on the same data in the same page. */
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import react from '@vitejs/plugin-react'
import { build, preview } from 'vite'
import type { ChartBench } from './charts/page.tsx'
import { median, milliseconds, times, type Row } from './measure.ts'

const port = 28490
const runs = 25

/** Series, points, and how recharts alone stands to uPlot there: new data, pointer move. */
const sizes = [
  { series: 5, points: 200, recharts: [3, 2] },
  { series: 20, points: 500, recharts: [6.8, 2.2] },
  { series: 50, points: 1000, recharts: [16.7, 3.9] },
] as const

export async function charts(): Promise<Row[]> {
  const outDir = await mkdtemp(join(tmpdir(), 'bench-'))
  const shared = { configFile: false, root: join(import.meta.dirname, 'charts'), logLevel: 'error' } as const
  await build({ ...shared, plugins: [react()], build: { outDir, target: 'es2023' } })
  const server = await preview({ ...shared, build: { outDir }, preview: { port, strictPort: true, host: '127.0.0.1' } })
  const browser = await chromium.launch({
    executablePath: ['/usr/bin/chromium', '/usr/bin/google-chrome'].find(existsSync),
    args: ['--no-sandbox'],
  })
  try {
    const page = await browser.newPage({ viewport: { width: 1240, height: 1000 } })
    const broken: string[] = []
    page.on('pageerror', (error) => broken.push(error.message))
    await page.goto(`http://127.0.0.1:${port}/`)
    await page.waitForFunction(() => 'chartBench' in globalThis)
    const rows: Row[] = []
    for (const size of sizes) rows.push(...(await measured(page, size)))
    if (broken.length > 0) throw new Error(broken.join('; '))
    return rows
  } finally {
    await browser.close()
    await server.close()
    await rm(outDir, { recursive: true, force: true })
  }
}

async function measured(page: Page, { series, points, recharts }: (typeof sizes)[number]): Promise<Row[]> {
  const told = await page.evaluate(
    async ({ series, points, runs }) => {
      // The page put it there, and waited for it above.
      const { chartBench: bench } = globalThis as unknown as { chartBench: ChartBench }
      await bench.mount(series, points)
      return { updates: await bench.updates(runs), moves: await bench.moves(runs) }
    },
    { series, points, runs },
  )
  const row = (what: string, pairs: { ours: number; uplot: number }[], alone: number): Row => {
    const [ours, uplot] = [median(pairs.map((pair) => pair.ours)), median(pairs.map((pair) => pair.uplot))]
    return {
      what: `${series} series of ${points} points, ${what}, beside uPlot`,
      result: `${milliseconds(ours)} / ${milliseconds(uplot)} = ${times(median(pairs.map((pair) => pair.ours / pair.uplot)))}`,
      aim: `half of recharts alone: ${times(alone / 2)}`,
    }
  }
  return [
    row('new data to painted (with legend and summary)', told.updates, recharts[0]),
    row('pointer move to painted (with tooltip)', told.moves, recharts[1]),
  ]
}
