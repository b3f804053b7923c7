/** Runs after all other tests: the output, storage and build of the whole run contain no key. */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { stacks } from './support/environment.ts'
import { secretsIn } from './support/secrets.ts'

const bundle = join(import.meta.dirname, '../dist')

test('no key is in a log line, a storage entry or the bundle', () => {
  const files = readdirSync(bundle, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  for (const file of [...stacks.flatMap(({ logFile, storageFile }) => [logFile, storageFile]), ...files]) {
    expect(secretsIn(readFileSync(file, 'latin1')), file).toEqual([])
  }
})
