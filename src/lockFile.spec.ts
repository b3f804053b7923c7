/** Downloads of `npm ci` are verified: the hash of every package is in package-lock.json. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'

const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({
      integrity: z.string().optional(),
      resolved: z.string().optional(),
      link: z.boolean().optional(),
      inBundle: z.boolean().optional(),
    }),
  ),
})

const lockFile = resolve(import.meta.dirname, '../package-lock.json')
const { packages } = lockSchema.parse(JSON.parse(readFileSync(lockFile, 'utf8')))

/** Without the project itself, links, and what comes inside another package. */
const downloaded = Object.entries(packages).filter(([path, { link, inBundle }]) => path !== '' && !link && !inBundle)

/**
 * The embedded engine for other platforms than Linux on x64. The hash of each is what
 * `npm view <package>@<version> dist.integrity` prints; a package that has its hash must leave this list.
 */
const withoutHash = [
  'node_modules/@chdb/lib-darwin-arm64',
  'node_modules/@chdb/lib-darwin-x64',
  'node_modules/@chdb/lib-linux-arm64-gnu',
]

test('every package that npm downloads has a SHA-512 hash in the lock file', () => {
  const sha512 = /^sha512-[A-Za-z0-9+/]{86}==$/
  const unverified = downloaded.filter(
    ([, { integrity = '' }]) => !integrity.split(' ').some((digest) => sha512.test(digest)),
  )
  expect(unverified.map(([path]) => path)).toEqual(withoutHash)
})

test('no package has an address: npm asks the registry that is configured where it runs', () => {
  expect(
    downloaded.flatMap(([path, { resolved }]) => (resolved === undefined ? [] : [`${path}: ${resolved}`])),
  ).toEqual([])
})
