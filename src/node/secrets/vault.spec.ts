import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { UnusableState } from '../files/atomicFile.ts'
import { openKey, seal, unseal, VaultError } from './vault.ts'

const folder = () => mkdtempSync(join(tmpdir(), 'vault-'))
const place = ['c1', 'accessKey', 'https://one.example']
const secret = 'personal access key ✓'

describe('encrypted secret', () => {
  const key = openKey(folder())
  const sealed = seal(key, place, secret)

  test('opens in its place and reveals nothing', () => {
    expect(unseal(key, place, sealed)).toBe(secret)
    expect(sealed).not.toContain(Buffer.from(secret).toString('base64url').slice(0, 8))
    expect(seal(key, place, secret)).not.toBe(sealed)
  })

  test('is rejected with any bit flipped', () => {
    const flipped = [...sealed].flatMap((char, at) =>
      [1, 2, 4, 8, 16, 32].map((bit) => {
        const other = String.fromCharCode(char.charCodeAt(0) ^ bit)
        return sealed.slice(0, at) + other + sealed.slice(at + 1)
      }),
    )
    expect(flipped.length).toBeGreaterThan(300)
    for (const text of flipped) expect(() => unseal(key, place, text), text).toThrow(VaultError)
  })

  test('is rejected if cut short, down to a short tag', () => {
    for (let length = 0; length < sealed.length; length++) {
      expect(() => unseal(key, place, sealed.slice(0, length))).toThrow(VaultError)
    }
  })

  test.each([
    { other: ['c2', 'accessKey', 'https://one.example'] },
    { other: ['c1', 'keySecret', 'https://one.example'] },
    { other: ['c1', 'accessKey', 'https://two.example'] },
    { other: ['c1', 'accessKey'] },
  ])('does not open in another place: $other', ({ other }) => {
    expect(() => unseal(key, other, sealed)).toThrow(VaultError)
  })

  test('does not open with another key, and the error names the reason', () => {
    expect(() => unseal(openKey(folder()), place, sealed)).toThrow(/another key/)
  })
})

describe('encryption key', () => {
  test('is created once, readable by its owner only', () => {
    const dataDir = folder()
    const first = openKey(dataDir)
    expect(openKey(dataDir)).toEqual(first)
    expect(statSync(join(dataDir, 'console.key')).mode & 0o777).toBe(0o600)
  })

  test('is derived from CONSOLE_SECRET, and differs by secret and by folder', () => {
    const dataDir = folder()
    const first = openKey(dataDir, 'a long enough secret')
    expect(openKey(dataDir, 'a long enough secret')).toEqual(first)
    expect(openKey(dataDir, 'another long secret').id).not.toBe(first.id)
    expect(openKey(folder(), 'a long enough secret').id).not.toBe(first.id)
    expect(readFileSync(join(dataDir, 'console.salt'), 'utf8')).not.toContain('secret')
  })

  test('is not replaced if its file is damaged', () => {
    const dataDir = folder()
    openKey(dataDir)
    writeFileSync(join(dataDir, 'console.key'), 'damaged')
    expect(() => openKey(dataDir)).toThrow(
      new UnusableState(`${join(dataDir, 'console.key')} does not contain a key. Restore it from a backup.`),
    )
    expect(readFileSync(join(dataDir, 'console.key'), 'utf8')).toBe('damaged')
  })
})
