import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { build } from 'vite'
import { expect, test } from 'vitest'
import { previousBuilds, retainedBuilds } from './previousBuilds.ts'

const week = 7 * 24 * 3_600_000

test('keeps a build until a week after the next one replaced it', () => {
  const builds = [100, 50, 20].map((builtAt) => ({ builtAt, files: [] }))
  const kept = (now: number) => retainedBuilds(builds, now).map(({ builtAt }) => builtAt)
  expect(kept(101)).toEqual([100, 50, 20])
  expect(kept(50 + week)).toEqual([100, 50])
  expect(kept(100 + week)).toEqual([100])
})

test('always keeps the newest build, and at most ten', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(), { minLength: 1, maxLength: 40 }), fc.nat(), (times, later) => {
      const builds = times.toSorted((a, b) => b - a).map((builtAt) => ({ builtAt, files: [] }))
      const kept = retainedBuilds(builds, (builds[0]?.builtAt ?? 0) + later)
      expect(kept).toEqual(builds.slice(0, kept.length))
      expect(kept.length).toBeGreaterThan(0)
      expect(kept.length).toBeLessThanOrEqual(10)
    }),
  )
})

test('keeps the files of the previous build, and removes files of no build', async () => {
  const root = mkdtempSync(join(tmpdir(), 'builds-'))
  const assets = () => readdirSync(join(root, 'dist/assets')).toSorted()
  const built = async (text: string) => {
    writeFileSync(join(root, 'index.html'), '<script type="module" src="/main.js"></script>')
    writeFileSync(join(root, 'main.js'), `document.title = ${JSON.stringify(text)}`)
    await build({
      root,
      configFile: false,
      logLevel: 'silent',
      plugins: [previousBuilds()],
      build: { emptyOutDir: false },
    })
    writeFileSync(join(root, 'dist/.stamp'), text)
    return assets()
  }
  const first = await built('first')
  expect(first).toHaveLength(1)
  writeFileSync(join(root, 'dist/assets/leftover.js.br'), '')
  const second = await built('second')
  expect(second).toHaveLength(2)
  expect(second).toEqual(expect.arrayContaining(first))
  expect(await built('first')).toEqual(second)
  for (let again = 0; again < 12; again++) await built('third')
  expect(assets()).toHaveLength(3)
})

test('a failed build leaves no stamp', async () => {
  const root = mkdtempSync(join(tmpdir(), 'builds-'))
  const options = { root, configFile: false as const, logLevel: 'silent' as const, plugins: [previousBuilds()] }
  writeFileSync(join(root, 'index.html'), '<script type="module" src="/main.js"></script>')
  writeFileSync(join(root, 'main.js'), 'document.title = "a"')
  await build({ ...options, build: { emptyOutDir: false } })
  writeFileSync(join(root, 'dist/.stamp'), 'a')
  writeFileSync(join(root, 'main.js'), 'import "./missing.js"')
  await expect(build({ ...options, build: { emptyOutDir: false } })).rejects.toThrow(/missing/)
  expect(readdirSync(join(root, 'dist'))).not.toContain('.stamp')
  expect(readdirSync(join(root, 'dist/assets'))).toHaveLength(1)
})
