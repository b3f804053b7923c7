import { expect, test } from 'vitest'
import { consoleHeader } from '#contract/console/connections.ts'
import { gatewayForTests, sendRaw } from '../testing/testGateway.ts'

const { gateway } = await gatewayForTests()

const accept = 'text/html,application/xhtml+xml,*/*;q=0.8'
const open = (path: string, headers: Record<string, string> = {}) =>
  sendRaw(gateway.address, { path, headers: { accept, ...headers } })

test('opens a page with characters that browsers do not encode in a query', async () => {
  const { status, headers } = await open('/c/oss/explorer?series=[{a|b}]^`\\')
  expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
})

test.each(['/c/oss/al%65rts', '/c/[', '/c/oss/alerts?q=100%', '/c/oss/alerts?q=%3', '//c', `/c/${'a'.repeat(2100)}`])(
  'rejects %.30s with an HTML page',
  async (path) => {
    const { status, headers, text } = await open(path)
    expect([status, headers['content-type']]).toEqual([400, 'text/html; charset=utf-8'])
    expect(text).toContain('<p>The URL is not valid: ')
    expect(text).toContain('<a href="/">')
    expect(headers['content-security-policy']).toContain("default-src 'none'")
  },
)

test('the error page does not quote the URL', async () => {
  const { status, text } = await open('/c/<b>marked</b>?q=<b>marked</b>')
  expect(status).toBe(400)
  expect(text).not.toContain('marked')
})

test('the error page for an unknown host has no link, which would lead there', async () => {
  const { status, text } = await open('/', { host: 'attacker.example' })
  expect(status).toBe(421)
  expect(text).toContain('ALLOWED_HOSTS')
  expect(text).not.toMatch(/href|attacker/)
})

test.each([
  ['the API', '/api/c/oss/stack/al%65rts', accept],
  ['a program', '/c/oss/al%65rts', '*/*'],
])('answers %s with JSON', async (_, path, accepted) => {
  const { status, headers, text } = await open(path, { accept: accepted, [consoleHeader]: '1' })
  expect([status, headers['content-type']]).toEqual([400, 'application/json; charset=utf-8'])
  expect(JSON.parse(text)).toMatchObject({ code: 'blocked', status: 400 })
})
