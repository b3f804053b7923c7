/** Runs after all other tests: neither the output of the stacks nor the build contain a key, and no test found one. */
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { leaksFile, stacks } from './support/environment.ts'
import { secretsIn } from './support/secrets.ts'

const bundle = join(import.meta.dirname, '../dist')

test('no key is in a log line, a storage entry or the bundle', () => {
  expect(existsSync(leaksFile) ? readFileSync(leaksFile, 'utf8') : '').toBe('')
  const used = stacks.filter(({ dataDir }) => existsSync(join(dataDir, 'credentials.json')))
  const files = readdirSync(bundle, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  for (const file of [...used.map(({ logFile }) => logFile), ...files]) {
    expect(secretsIn(readFileSync(file, 'latin1'), used), file).toEqual([])
  }
})
