/**
 * Runs what a change touches: the specs that import it and the browser tests of its resources. With `--repeat`, only these
 * browser tests, ten times with eight workers. What is changed: all since `main`, or since the commit that is named.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { touchedTests } from './support/changedTests.ts'

const root = join(import.meta.dirname, '..')
const { values, positionals } = parseArgs({ options: { repeat: { type: 'boolean' } }, allowPositionals: true })
const git = (...options: string[]) =>
  execFileSync('git', options, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean)
const [since = ''] = git('merge-base', 'HEAD', positionals[0] ?? 'main')
const changed = [...git('diff', '--name-only', since), ...git('ls-files', '--others', '--exclude-standard')]
const tests = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.e2e.ts'))
  .map((file) => `e2e/${file.replaceAll('\\', '/')}`)

const touched = touchedTests(changed, tests)
console.log(touched.length > 0 ? `Browser tests:\n${touched.join('\n')}` : 'No browser test is touched.')
if (!values.repeat) run('vitest', 'run', '--allowOnly=false', '--changed', since)
const repeated = values.repeat ? ['--repeat-each', '10', '--workers', '8'] : []
if (touched.length > 0) {
  run('playwright', 'test', '--config', 'e2e/playwright.config.ts', '--project', 'console', ...repeated, ...touched)
}

function run(program: string, ...options: string[]): void {
  const { status } = spawnSync('npx', [program, ...options], { cwd: root, stdio: 'inherit' })
  process.exitCode ||= status ?? 1
}
