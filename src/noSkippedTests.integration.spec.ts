import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')
let folder: string
beforeAll(() => {
  // Within the project, so that its packages are found.
  const parent = join(root, 'node_modules/.cache')
  mkdirSync(parent, { recursive: true })
  folder = mkdtempSync(join(parent, 'no-skipped-tests-'))
  writeFileSync(
    join(folder, 'vitest.config.ts'),
    `import { NoSkippedTests } from ${JSON.stringify(join(root, 'src/noSkippedTests.ts'))}
     export default { test: { include: ['*.case.ts'], reporters: ['default', new NoSkippedTests()] } }`,
  )
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function run(file: string, ...options: string[]) {
  const program = join(root, 'node_modules/vitest/vitest.mjs')
  const { status, stderr } = spawnSync(process.execPath, [program, 'run', '--root', folder, file, ...options], {
    cwd: folder,
    encoding: 'utf8',
  })
  return { status, stderr }
}

test('a run with a skipped test fails and names it; a run of selected tests does not', { timeout: 60_000 }, () => {
  const passing = "import { test } from 'vitest'\ntest('good', () => {})\n"
  writeFileSync(join(folder, 'good.case.ts'), passing)
  writeFileSync(join(folder, 'bad.case.ts'), `${passing}test.skip('left out', () => {})\n`)
  expect(run('good.case.ts').status).toBe(0)
  const skipped = run('bad.case.ts')
  expect(skipped.status).toBe(1)
  expect(skipped.stderr).toContain('bad.case.ts: left out')
  expect(run('bad.case.ts', '--testNamePattern', 'good').status).toBe(0)
})
