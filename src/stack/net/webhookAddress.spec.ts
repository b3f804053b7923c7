import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isPublic } from '#node/net/addresses.ts'
import { addressTable } from '#node/testing/addressTable.ts'
import type { HostRules } from './reachableHosts.ts'
import { addressPolicy, literalProblem } from './webhookAddress.ts'

const rules: HostRules = { allowed: [], own: ['engine.example'] }
const reserved = 'Webhook URL resolves to a private or reserved address.'
const problemOf = (url: string, service = 'generic', more: Partial<HostRules> = {}) =>
  literalProblem(url, service, { ...rules, ...more })

describe('literal address', () => {
  test.each([
    'http://localhost/',
    'http://LOCALHOST./',
    'http://a.localhost:8080/',
    'http://127.0.0.1/',
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://0177.0.0.1/',
    'http://①②⑦.⓪.⓪.①/',
    'http://0.0.0.0/',
    'http://169.254.169.254/latest/meta-data/',
    'http://[2001::1]/',
  ])('%s is private or reserved', (url) => {
    expect(problemOf(url)).toBe(reserved)
  })

  test.each(addressTable.filter(([address]) => !address.includes('%')))('%s is %s', (address, scope) => {
    const host = address.includes(':') ? `[${address}]` : address
    expect(problemOf(`http://${host}/`)).toBe(scope === 'public' ? null : reserved)
  })

  test.each([
    ['https://hooks.example/a?b=c', 'generic'],
    ['http://93.184.215.14/', 'generic'],
    ['http://[2606:4700::1111]/', 'generic'],
    ['https://hooks.slack.com/services/T/B/x', 'slack'],
    ['https://SLACK.com./x', 'slack'],
    ['https://api.incident.io/v2', 'incidentio'],
  ])('%s is taken for %s', (url, service) => {
    expect(problemOf(url, service)).toBeNull()
  })

  test.each([
    ['ftp://hooks.example/', 'generic', 'Webhook URL must use http or https.'],
    ['javascript:alert(1)', 'generic', 'Webhook URL must use http or https.'],
    ['https://user:word@hooks.example/', 'generic', 'Webhook URL must not contain a user name or password.'],
    ['https://hooks.example/', 'slack', 'Slack webhook URL must be on slack.com.'],
    ['https://notslack.com/', 'slack', 'Slack webhook URL must be on slack.com.'],
    ['https://slack.com.evil.example/', 'slack', 'Slack webhook URL must be on slack.com.'],
    ['https://engine.example:8443/', 'generic', 'Webhook URL must not point at an engine of this deployment.'],
  ])('%s is rejected for %s', (url, service, message) => {
    expect(problemOf(url, service)).toBe(message)
  })

  test('in the allow list is accepted in any spelling', () => {
    const more = { allowed: ['127.0.0.1', 'engine.example', '::1'] }
    expect(problemOf('http://2130706433:9/', 'generic', more)).toBeNull()
    expect(problemOf('http://[0:0::1]/', 'generic', more)).toBeNull()
    expect(problemOf('http://engine.example/', 'generic', more)).toBeNull()
    expect(problemOf('http://127.0.0.2/', 'generic', more)).toBe(reserved)
  })

  test('below a name in the allow list is accepted where the list stands for those, too', () => {
    const more = { allowed: ['localhost', '127.0.0.1'], allowsBelow: true }
    expect(problemOf('http://hooks.localhost/', 'generic', more)).toBeNull()
    expect(problemOf('http://hooks.localhost/', 'slack', more)).toBeNull()
    expect(problemOf('http://hooks.localhost/', 'generic', { ...more, allowsBelow: false })).toBe(reserved)
    expect(problemOf('http://10.0.0.1/', 'generic', more)).toBe(reserved)
  })
})

test('is rejected as one number if it is private', () => {
  const octet = fc.integer({ min: 0, max: 255 })
  fc.assert(
    fc.property(fc.tuple(octet, octet, octet, octet), (octets) => {
      const plain = octets.join('.')
      const number = octets.reduce((sum, value) => sum * 256 + value, 0)
      expect(problemOf(`http://${number}/`)).toBe(isPublic(plain) ? null : reserved)
    }),
  )
})

describe('host name', () => {
  const policy = (addresses: readonly string[], allowed: readonly string[] = []) => {
    const lookups: string[] = []
    const problem = addressPolicy({ ...rules, allowed }, async (hostname) => {
      lookups.push(hostname)
      return addresses
    })
    return { problem, lookups }
  }

  test('is rejected if one of its addresses is private', async () => {
    const { problem } = policy(['93.184.215.14', '10.0.0.1'])
    expect(await problem('https://rebound.example/', 'generic')).toBe(reserved)
  })

  test('is accepted if all of its addresses are public, or if it has none yet', async () => {
    expect(await policy(['93.184.215.14']).problem('https://hooks.example/', 'generic')).toBeNull()
    expect(await policy([]).problem('https://later.example/', 'generic')).toBeNull()
  })

  test('is not resolved if the result does not matter', async () => {
    const { problem, lookups } = policy(['10.0.0.1'], ['hooks.internal'])
    expect(await problem('https://hooks.internal./', 'generic')).toBeNull()
    expect(await problem('http://93.184.215.14/', 'generic')).toBeNull()
    expect(await problem('https://hooks.example/', 'slack')).not.toBeNull()
    expect(lookups).toEqual([])
    await problem('https://hooks.example./', 'generic')
    expect(lookups).toEqual(['hooks.example'])
  })
})
