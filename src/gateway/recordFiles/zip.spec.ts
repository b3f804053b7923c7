/** Zips from outside: their limits hold while they are inflated, and whatever is wrong is said. */
import { strToU8, unzipSync, zipSync } from 'fflate'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ApiFailure } from '#node/upstream/apiFailure.ts'
import { zipEntries, writeZip } from './zip.ts'

const limits = { entries: 10, fileBytes: 10_000, totalBytes: 20_000 }

const zipOf = (files: Record<string, string>) =>
  zipSync(Object.fromEntries(Object.entries(files).map(([path, text]) => [path, strToU8(text)])))

/** The content of a zip, read with the limits. */
const texts = (zip: Uint8Array) =>
  zipEntries(zip, limits).map(({ path, read }) => [path, new TextDecoder().decode(read())] as const)

/** A zip with a number of its directory changed. @param offset in the entry of the directory */
function tampered(zip: Uint8Array, offset: number, value: number, bytes: 2 | 4 = 4): Uint8Array {
  const copy = Uint8Array.from(zip)
  const view = new DataView(copy.buffer)
  const entry = view.getUint32(copy.length - 6, true)
  if (bytes === 4) view.setUint32(entry + offset, value, true)
  else view.setUint16(entry + offset, value, true)
  return copy
}

function written(files: { path: string; text: string }[]): Uint8Array {
  const steps = writeZip(files, new Date(2026, 4, 31))
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

test('what is written is read, by other programs as well', () => {
  const name = fc.stringMatching(/^[a-zé]{1,8}\.yaml$/)
  const file = fc.record({ path: name, text: fc.string({ unit: 'grapheme', maxLength: 300 }) })
  fc.assert(
    fc.property(fc.uniqueArray(file, { selector: ({ path }) => path, maxLength: 5 }), (files) => {
      const zip = written(files)
      expect(texts(zip)).toEqual(files.map(({ path, text }) => [path, text]))
      const others = Object.entries(unzipSync(zip)).map(([path, bytes]) => [path, new TextDecoder().decode(bytes)])
      expect(others).toEqual(files.map(({ path, text }) => [path, text]))
    }),
  )
})

test('folders are kept, and the paths of Windows have slashes', () => {
  expect(texts(written([{ path: 'alerts/', text: '' }]))).toEqual([['alerts/', '']])
  expect(texts(zipOf({ 'alerts\\a.yaml': 'name: A' }))).toEqual([['alerts/a.yaml', 'name: A']])
})

describe('a zip that is not taken', () => {
  const small = zipOf({ 'a.yaml': 'name: A\n'.repeat(100) })
  const zeros = '0'.repeat(9_000)
  test.each([
    ['no zip', strToU8('name: A'), 'The file is no zip.'],
    ['nothing', new Uint8Array(), 'The file is no zip.'],
    ['half of one', small.subarray(0, small.length / 2), 'incomplete or damaged'],
    ['a directory beyond the end', tampered(small, 42, 1_000_000), 'incomplete or damaged'],
    ['damaged content', tampered(small, 16, 1), 'a.yaml is damaged in the zip'],
    ['an encrypted file', tampered(small, 8, 1, 2), 'a.yaml is encrypted'],
    ['another compression', tampered(small, 10, 12, 2), 'compressed in a way that is not supported'],
    ['a file that inflates to more than it says', tampered(small, 24, 100), 'a.yaml is larger than the zip says'],
    ['a file that is too large', zipOf({ 'a.yaml': '0'.repeat(10_001) }), 'a.yaml is larger than'],
    ['too much altogether', zipOf({ 'a.yaml': zeros, 'b.yaml': zeros, 'c.yaml': zeros }), 'The zip has more than'],
    [
      'too many files',
      zipOf(Object.fromEntries(Array.from({ length: 11 }, (_, at) => [`${at}.yaml`, '']))),
      'The zip has more than 10 files',
    ],
  ])('%s', (_, zip, message) => {
    expect(() => texts(zip)).toThrow(message)
  })

  test('any bytes are refused, or read within the limits', () => {
    const anywhere = fc.record({ at: fc.nat(small.length - 1), value: fc.nat(255) })
    fc.assert(
      fc.property(fc.array(anywhere, { minLength: 1, maxLength: 8 }), (changes) => {
        const zip = Uint8Array.from(small)
        for (const { at, value } of changes) zip[at] = value
        try {
          for (const [, text] of texts(zip)) expect(text.length).toBeLessThanOrEqual(limits.fileBytes)
        } catch (error) {
          expect(error).toBeInstanceOf(ApiFailure)
        }
      }),
      { numRuns: 1_000 },
    )
  })

  test('a bomb is inflated only up to the size that it claims', () => {
    const bomb = zipSync({ 'a.yaml': new Uint8Array(20 * 1024 * 1024) })
    expect(bomb.length).toBeLessThan(30_000)
    // The rest is not even looked at: it is no longer compressed data.
    bomb.fill(0xff, bomb.length / 2, bomb.length - 200)
    expect(() => texts(bomb)).toThrow('a.yaml is larger than')
    expect(() => texts(tampered(bomb, 24, 5_000))).toThrow('a.yaml is larger than the zip says')
  })
})
