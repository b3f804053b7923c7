/** Measures the JavaScript of pages against the bundle budget of the build, which fails above it. One row for each aim. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { group } from 'd3-array'
import { build, createLogger } from 'vite'
import type { Row } from './support/measure.ts'

export async function bundle(): Promise<Row[]> {
  const outDir = await mkdtemp(join(tmpdir(), 'bench-'))
  const said: string[] = []
  const logger = createLogger('info')
  logger.info = (text) => void said.push(text)
  try {
    await build({ build: { outDir, emptyOutDir: true }, customLogger: logger })
  } finally {
    await rm(outDir, { recursive: true, force: true })
  }
  const budget = /([\w][\w ]+): ([\d.]+) KiB of JavaScript \(gzip\), at most [\d.]+ \(aim (\d+)\)/
  const measured = said.flatMap((line) => {
    const [, what, size, aim] = budget.exec(line) ?? []
    return what && size && aim ? [{ what: what.replace(' with its frame', ''), size, aim }] : []
  })
  return [...group(measured, ({ aim }) => aim)].map(([aim, pages]) => ({
    what: `JavaScript, KiB: ${pages.map(({ what }) => what).join('; ')}`,
    result: pages.map(({ size }) => size).join('; '),
    aim,
  }))
}
