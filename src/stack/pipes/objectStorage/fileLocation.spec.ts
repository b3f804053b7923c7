/** Addresses whose braces stand for more names than fit into memory. */
import { tmpdir } from 'node:os'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { pipeInputs } from '../../testing/managedClient.ts'
import { newPipe } from '../model/newPipe.ts'
import { maxNames, namesOf, refuseManyNames, locationOf } from './fileLocation.ts'

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
  // Numbers of the engine have 64 bits.
  ['{18446744073709551617..3}', 3],
  [`{${'0'.repeat(200)}1..${'0'.repeat(200)}20}`, 20],
  ['{..3}', 1],
  ['{1..}', 1],
  ['{1...3}', 1],
  ['{a1..3}', 1],
  ['1..3}', 1],
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

test.each([
  '{1..999999999}.jsonl',
  `${'{a,b}'.repeat(40)}*.jsonl`,
  '{a,b,{'.repeat(50_000),
  `{1..${'9'.repeat(90)}}`,
  `{1..${'9'.repeat(200)}}`,
  `{${'0'.repeat(100)}..50000}`,
])('is refused: %.30s', (address) => {
  expect(() => refuseManyNames('url', address)).toThrow('url: its braces stand for more than 10,000 names')
})

test(`${maxNames} names are accepted`, () => {
  expect(() => refuseManyNames('url', `s3/{1..${maxNames}}.parquet`)).not.toThrow()
})

/** Braces that are written as escapes are braces for those who decode them: the engine for buckets, we for files. */
test.each([
  ['s3', 'https://files.example.com/bucket/%7B1..50000%7d.jsonl', true],
  ['s3', 'https://files.example.com/bucket/{1%2e.5%300%300}.jsonl', true],
  ['s3', 'https://files.example.com/bucket/%257B1..50000%257D.jsonl', false],
  ['http', 'https://files.example.com/{1..50000}.jsonl', true],
  ['http', 'https://files.example.com/%7B1..50000%7D.jsonl', false],
  ['file', 'file:///data/%7B1..50000%7D.jsonl', true],
  ['file', '%7B1..50000%7D.jsonl', false],
] as const)('as %s, %s is refused: %s', async (type, url, isRefused) => {
  const source = { objectStorage: { type, format: 'JSONEachRow' as const, url, isContinuous: false } }
  const pipe = newPipe('service', { ...pipeInputs.objectStorage, source }, '')
  const location = locationOf(pipe, [tmpdir()], async () => ({ problem: null, addresses: ['192.0.2.1'] }))
  if (isRefused) await expect(location).rejects.toThrow('braces stand for more than')
  else await expect(location).resolves.toMatchObject({ call: expect.any(String) })
})
