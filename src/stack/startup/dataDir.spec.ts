import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeDataDir } from './dataDir.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'data-dir-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

test('is created with its parents, for this user only, by several processes at once', async () => {
  const path = join(folder, 'a', 'b')
  await Promise.all([makeDataDir(path), makeDataDir(path), makeDataDir(join(folder, 'a'))])
  await makeDataDir(path)
  for (const made of [path, join(folder, 'a')]) expect((await stat(made)).mode & 0o777).toBe(0o700)
})

test('cannot be a file or below one', async () => {
  const file = join(folder, 'file')
  await writeFile(file, '')
  for (const path of [file, join(file, 'x')]) {
    await expect(makeDataDir(path)).rejects.toThrow(/^DATA_DIR must be a writable folder \(.+\)\.$/)
  }
})

// With `recursive`, Node 20 retries forever on /proc.
if (process.platform === 'linux') {
  test('is rejected where no folder can be created', async () => {
    await expect(makeDataDir('/proc/x/y')).rejects.toThrow(
      /^DATA_DIR must be a writable folder \(ENOENT: .*'\/proc\/x'\)\.$/,
    )
  })
}
