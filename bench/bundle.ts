/** Measures the size of the page against the bundle budget of the build, which fails above it. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
  return said.flatMap((line) => {
    const [, what, size, aim] = budget.exec(line) ?? []
    if (!what) return []
    return [
      {
        what: `JavaScript of ${what}`,
        result: `${size} KiB`,
        aim: `${aim} KiB`,
      },
    ]
  })
}
