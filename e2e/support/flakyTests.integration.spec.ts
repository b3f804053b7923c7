/** Runs Playwright on tests without a browser that fail in their first attempt. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'

// Several processes on a busy machine.
vi.setConfig({ testTimeout: 240_000 })

const root = resolve(import.meta.dirname, '../..')

/** A file of tests, each of which passes only in the attempt with its number, from 1. */
const passesIn = (attempts: Record<string, number>) => `
import { expect, test } from '@playwright/test'
for (const [title, attempt] of Object.entries(${JSON.stringify(attempts)}))
  test(title, ({}, { retry }) => expect(retry + 1).toBe(attempt))
`

/** As the configuration of the browser tests: a last project, which runs only if the others passed. */
const config = `
import { defineConfig } from '@playwright/test'
export default defineConfig({
  outputDir: 'results',
  retries: 1,
  workers: 1,
  reporter: [['list'], [${JSON.stringify(join(root, 'e2e/support/flakyTests.ts'))}]],
  projects: [
    { name: 'console', testMatch: 'some.test.mjs' },
    { name: 'secrets', testMatch: 'last.test.mjs', dependencies: ['console'] },
  ],
})
`

async function run(attempts: Record<string, number>, last: Record<string, number> = { last: 1 }) {
  const folder = mkdtempSync(join(tmpdir(), 'flaky-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'playwright.config.mjs'), config)
  writeFileSync(join(folder, 'some.test.mjs'), passesIn(attempts))
  writeFileSync(join(folder, 'last.test.mjs'), passesIn(last))
  const cli = join(root, 'node_modules/@playwright/test/cli.js')
  const child = spawn(process.execPath, [cli, 'test'], { cwd: folder })
  onTestFinished(() => void child.kill())
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece: Buffer) => (output += piece.toString()))
  const code = await new Promise((ended) => child.on('close', ended))
  const list: unknown = JSON.parse(readFileSync(join(folder, 'results/flaky.json'), 'utf8'))
  return { code, output, list }
}

test('a run without a flaky test has an empty list', async () => {
  const { code, output, list } = await run({ steady: 1 })
  expect({ code, list }).toEqual({ code: 0, list: [] })
  expect(output).not.toContain('on a retry')
})

test('names what passed only on a retry, in the last project too, and passes with two', async () => {
  const { code, output, list } = await run({ steady: 1, shaky: 2 }, { last: 2 })
  expect(list).toEqual([
    { project: 'console', file: 'some.test.mjs', line: 4, title: 'shaky', errors: [expect.stringContaining('toBe')] },
    { project: 'secrets', file: 'last.test.mjs', line: 4, title: 'last', errors: [expect.stringContaining('toBe')] },
  ])
  expect(output).toContain('2 passed only on a retry:\n  some.test.mjs:4 › shaky\n  last.test.mjs:4 › last\n')
  expect(code).toBe(0)
})

test('fails with three', async () => {
  const { code, output, list } = await run({ a: 2, b: 2, c: 2 })
  expect(list).toHaveLength(3)
  expect(output).toContain('More than 2 such tests fail the run.')
  expect(code).toBe(1)
})
