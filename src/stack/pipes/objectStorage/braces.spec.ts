/** Addresses whose braces stand for more names than fit into memory. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { mostNames, namesOf, refuseManyNames } from './braces.ts'

test.each([
  ['logs/*.jsonl', 1],
  ['{a,b}.csv', 2],
  ['part-{1..20}.csv', 20],
  ['part-{020..001}.csv', 20],
  ['{2024..2026}/{a,b,c}/*', 9],
  ['{a,{b,c}{d,e}}', 5],
  ['{{1..3},x}', 4],
  ['{only}', 1],
  ['{a,b', 2],
  ['a,b}', 1],
  ['', 1],
])('%s stands for %i', (address, names) => {
  expect(namesOf(address)).toBe(names)
})

test('the names are those of a list that is made of them', () => {
  const part = fc.oneof(fc.constantFrom('x', '/', '*'), fc.array(fc.constantFrom('a', 'b', ''), { minLength: 2 }))
  fc.assert(
    fc.property(fc.array(part, { maxLength: 4 }), (parts) => {
      const address = parts.map((one) => (typeof one === 'string' ? one : `{${one.join(',')}}`)).join('')
      const all = parts.reduce<string[]>(
        (names, one) => names.flatMap((name) => [one].flat().map((end) => name + end)),
        [''],
      )
      expect(namesOf(address)).toBe(all.length)
    }),
  )
})

test.each(['{1..999999999}.jsonl', `${'{a,b}'.repeat(40)}*.jsonl`, '{a,b,{'.repeat(50_000), `{1..${'9'.repeat(90)}}`])(
  'is refused: %.30s',
  (address) => {
    expect(() => refuseManyNames('url', address)).toThrow('url: its braces stand for more than 10,000 names')
  },
)

test(`${mostNames} names are accepted`, () => {
  expect(() => refuseManyNames('url', `s3/{1..${mostNames}}.parquet`)).not.toThrow()
})
