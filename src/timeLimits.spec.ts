/** Specs wait for a state as long as `vite.config.ts` says, or longer: one that gives up earlier fails on a busy machine. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** Milliseconds: `expect.poll.timeout` of the configuration. */
const usual = 30_000

/** The limits of polls and of `vi.waitFor`, in the call or as a constant for several of them. */
const limits =
  /(?:\.poll\(|waitFor\()(?:(?!\.poll\(|waitFor\(|\n\n)[\s\S])*?timeout: ([\d_]+)|const \w+ = \{ timeout: ([\d_]+)/g

/** A line with a whole call of `vi.waitFor` that has no limit: by itself it waits for one second. */
const withoutLimit = /vi\.waitFor\(.*\)\)$/gm

function shortLimits(text: string): string[] {
  const found = [...text.matchAll(limits)]
    .map(([, inCall, constant]) => inCall ?? constant ?? '')
    .filter((limit) => Number(limit.replaceAll('_', '')) < usual)
  return [...found, ...[...text.matchAll(withoutLimit)].map(() => 'none')]
}

test('no spec waits for a shorter time than usual', () => {
  const src = import.meta.dirname
  const specs = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => /\.spec\.tsx?$/.test(file))
  expect(specs.length).toBeGreaterThan(300)
  const found = specs
    .filter((file) => file !== 'timeLimits.spec.ts')
    .flatMap((file) => shortLimits(readFileSync(join(src, file), 'utf8')).map((limit) => `${file}: ${limit}`))
  expect(found).toEqual([])
})

test.each([
  ['await expect.poll(() => rows(), { timeout: 10_000 }).toEqual([])', ['10_000']],
  ['await expect\n  .poll(rows, {\n    timeout: 20_000,\n  })', ['20_000']],
  ['const soon = { timeout: 5000, interval: 20 }', ['5000']],
  ['await vi.waitFor(done, { timeout: 30_000 })', []],
  ['await vi.waitFor(() => expect(rows()).toBe(1))', ['none']],
  ['await vi.waitFor(() => expect(rows()).toBe(1), soon)', []],
  ['await expect.poll(rows).toBe(1)\n\nsend({ timeout: 200 })', []],
])('finds the limits of %j', (text, found) => expect(shortLimits(text)).toEqual(found))
