import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isPublic } from '#node/net/addresses.ts'
import { addressTable } from '#node/testing/addressTable.ts'
import { Refusal } from '../refusal.ts'
import { createHostCheck, refuseUrl } from './reachableHosts.ts'

const names: Record<string, readonly string[]> = { 'files.example': ['93.184.215.14'], 'inside.example': ['10.0.0.1'] }
const rules = { allowed: ['db.internal', '127.0.0.1'], own: ['engine.example'] }
const checkHost = createHostCheck(rules, async (name) => names[name] ?? [])
/** Why an address is refused; null when it is not. */
const problem = (url: string) =>
  refuseUrl('url', url, checkHost).then(
    () => null,
    (error: unknown) => (error instanceof Refusal && error.status === 400 ? error.message : error),
  )

test.each([
  'https://files.example/a.csv',
  'http://FILES.example.:8080/{a,b}/part-{1..9}*.csv?versionId=12',
  'http://93.184.215.14/x',
  'http://[2606:4700::1111]/x',
  'http://not-known-yet.example/x',
  'http://db.internal/x',
  'http://127.0.0.1:9000/bucket/*.csv',
])('allows %s', async (url) => {
  expect(await problem(url)).toBeNull()
})

test.each([
  'http://169.254.169.254/latest/meta-data/',
  'http://[fd00:ec2::254]/',
  'http://127.0.0.2/',
  'http://127.2/',
  'http://0x7f.2/',
  'http://2130706434/',
  'http://localhost/',
  'http://a.localhost./',
  'http://[::1]/',
  'http://[::ffff:127.0.0.2]/',
  'http://inside.example/',
])('%s is private', async (url) => {
  expect(await problem(url)).toMatch(/^url: .* is a private or reserved address; add it to PIPE_HOSTNAME_ALLOWLIST/)
})

test.each(addressTable.filter(([address]) => !address.includes('%') && address !== '127.0.0.1'))(
  '%s is %s',
  async (address, scope) => {
    const host = address.includes(':') ? `[${address}]` : address
    expect((await problem(`http://${host}/`)) === null).toBe(scope === 'public')
  },
)

test('rejects the engine of the stack as a source', async () => {
  expect(await problem('http://engine.example:8123/?query=SELECT+1')).toContain('an engine of this deployment')
})

test.each([
  'http://{files.example,127.0.0.2}/x',
  'http://files.example{/a,@127.0.0.2/b}',
  'http://files.example{.,:80@127.0.0.2}/',
  'http://user:word@files.example/',
  'http://files.example@127.0.0.2/',
  String.raw`http:\\127.0.0.2/`,
  'http:///127.0.0.2/',
  'http://①②⑦.⓪.⓪.②/',
  'http://files.example,127.0.0.2/',
  'http://files.example/a,http://127.0.0.2/b',
  'http://files.example/{a}},http{:}//127.0.0.2/',
  'http://files.example/a|http://127.0.0.2/b',
  'http://files.example/{a|http://127.0.0.2/b,c}',
  'http://files.example\t.evil/',
  'http://0.0.0.0.0/',
])('rejects %s: several hosts, or none that is valid', async (url) => {
  expect(await problem(url)).toMatch(/^url: must /)
})

describe('database server', () => {
  test.each(['db.internal', 'files.example', '127.0.0.1'])('allows %s', async (host) => {
    expect(await checkHost(host)).toMatchObject({ problem: null })
  })

  test.each([
    '',
    '127.0.0.2',
    'db.internal|127.0.0.2',
    'db.internal,x',
    '{a,b}',
    'a b',
    'db.internal:80',
    '/tmp',
    'a/b',
  ])('rejects "%s"', async (host) => {
    expect((await checkHost(host)).problem).not.toBeNull()
  })
})

test('reaches no private IPv4 address in any spelling', async () => {
  const octet = fc.integer({ min: 0, max: 255 })
  await fc.assert(
    fc.asyncProperty(fc.tuple(octet, octet, octet, octet), async (octets) => {
      const plain = octets.join('.')
      const [a, b, c, d] = octets
      const number = octets.reduce((sum, value) => sum * 256 + value, 0)
      const low = c * 256 + d
      const spellings = [
        plain,
        `${number}`,
        `0x${number.toString(16)}`,
        `${a}.${b}.${low}`,
        `0${a.toString(8)}.${b}.${low}`,
      ]
      const refused = await Promise.all(spellings.map((host) => checkHost(host)))
      const open = isPublic(plain) || plain === '127.0.0.1'
      expect(refused.map(({ problem }) => problem === null)).toEqual(spellings.map(() => open))
    }),
  )
})
