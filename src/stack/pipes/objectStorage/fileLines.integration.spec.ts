/** How often a file is read to get all of its lines. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Engine } from '../../telemetry/engine/engine.ts'
import { temporaryEngine } from '../../testing/temporaryEngine.ts'
import { linesOf } from './fileLines.ts'

let folder: string
let engine: Engine
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lines-'))
  engine = await temporaryEngine()
})
afterAll(async () => {
  await engine.close()
  await rm(folder, { recursive: true, force: true })
})

/** @returns the lines, the reason of the last page, and how many statements read the file */
async function linesIn(content: string | Buffer, name: string, compression: string) {
  const file = join(folder, name)
  await writeFile(file, content)
  let statements = 0
  const counted = <Args extends [string, ...unknown[]], Result>(run: (...args: Args) => Result) => {
    return (...args: Args): Result => {
      if (args[0].includes('LineAsString')) statements++
      return run(...args)
    }
  }
  const parts = {
    engine: { ...engine, query: counted(engine.query) as Engine['query'], load: counted(engine.load) }, // the same with a count
    copies: { database: 'default', table: '_lines_test' },
  }
  const location = { call: 'file({url:String}', params: { url: file }, isLocal: true }
  const lines: string[] = []
  let problem: string | null = null
  for await (const page of linesOf({ location, path: file, compression }, 0, parts, AbortSignal.timeout(60_000))) {
    expect(page.first).toBe(lines.length)
    lines.push(...page.lines)
    problem = page.problem
  }
  const copies = await engine.query("SELECT 1 FROM system.tables WHERE name = '_lines_test'")
  return { lines, problem, statements, copies }
}

const numbers = (count: number) => Array.from({ length: count }, (_, at) => `line ${at}`)

test.each([0, 1, 40_000, 200_000])('a file of %i lines is read once', { timeout: 60_000 }, async (count) => {
  const lines = numbers(count)
  const found = await linesIn(lines.map((line) => `${line}\n`).join(''), `${count}.txt`, 'none')
  expect(found).toEqual({ lines, problem: null, statements: 1, copies: [] })
})

test('the lines before damage are found in few readings', { timeout: 60_000 }, async () => {
  const lines = Array.from({ length: 300_000 }, (_, at) => `line ${Math.sin(at)}`)
  const whole = gzipSync(lines.map((line) => `${line}\n`).join(''))
  const found = await linesIn(whole.subarray(0, whole.length / 2), 'cut.gz', 'gzip')
  expect(found.lines).toEqual(lines.slice(0, found.lines.length))
  expect(found.lines.length).toBeGreaterThan(130_000)
  expect(found.problem).not.toBeNull()
  expect(found.statements).toBeLessThan(40)
  expect(found.copies).toEqual([])
})
