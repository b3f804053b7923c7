import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { anywhere, isListed } from './addresses.ts'

const dotted = (number: number) => [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join('.')
const v4 = fc.integer({ min: 0, max: 0xffff_ffff })
const grouped = (number: bigint) =>
  Array.from({ length: 8 }, (_, at) => ((number >> BigInt(112 - 16 * at)) & 0xffffn).toString(16)).join(':')
const v6 = fc.bigInt({ min: 0n, max: (1n << 128n) - 1n })

test('an IPv4 range has the addresses that share its prefix, and no others', () => {
  fc.assert(
    fc.property(v4, v4, fc.integer({ min: 0, max: 32 }), fc.boolean(), (base, other, bits, near) => {
      // Near: they differ in the last bits only.
      const address = near ? (base ^ (other >>> bits || 0)) >>> 0 : other
      const shift = BigInt(32 - bits)
      const same = BigInt(base) >> shift === BigInt(address) >> shift
      expect(isListed([{ source: `${dotted(base)}/${bits}` }], dotted(address))).toBe(same)
      expect(isListed([{ source: `${dotted(base)}/${bits}` }], `::ffff:${dotted(address)}`)).toBe(same)
    }),
  )
})

test('so has an IPv6 range', () => {
  fc.assert(
    fc.property(v6, v6, fc.integer({ min: 0, max: 128 }), (base, other, bits) => {
      // IPv4 in the form of IPv6 is IPv4.
      fc.pre(base >> 32n !== 0xffffn && other >> 32n !== 0xffffn)
      const shift = BigInt(128 - bits)
      for (const address of [other, base ^ (other >> BigInt(bits))]) {
        if (address >> 32n === 0xffffn) continue
        const same = base >> shift === address >> shift
        expect(isListed([{ source: `${grouped(base)}/${bits}` }], grouped(address))).toBe(same)
      }
    }),
  )
})

test('an address without a prefix is that address alone', () => {
  fc.assert(
    fc.property(v4, v4, (one, other) => {
      expect(isListed([{ source: dotted(one) }], dotted(one))).toBe(true)
      expect(isListed([{ source: dotted(one) }], dotted(other))).toBe(one === other)
    }),
  )
})

test('anywhere is everywhere, an empty list nowhere', () => {
  fc.assert(
    fc.property(v4, v6, (four, six) => {
      for (const address of [dotted(four), grouped(six)]) {
        expect(isListed(anywhere, address)).toBe(true)
        expect(isListed([], address)).toBe(false)
      }
    }),
  )
})

test.each([
  ['0.0.0.0/0', '::1', false],
  ['::/0', '127.0.0.1', false],
  ['::ffff:10.0.0.0/104', '10.1.2.3', true],
  ['::ffff:10.0.0.0/104', '11.0.0.0', false],
  ['::ffff:10.0.0.1', '10.0.0.1', true],
  ['fe80::/10', 'fe80::1%eth0', true],
  ['10.0.0.0/8', '10.1', false],
  ['10.0.0.0/8', '', false],
  ['nowhere', '10.0.0.1', false],
])('%s and %s: %s', (source, address, listed) => {
  expect(isListed([{ source }], address)).toBe(listed)
})
