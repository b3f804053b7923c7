import { expect, test } from 'vitest'
import { isLoopback, sharesRecords } from './deployments.ts'

const local = { variant: 'openSource', baseUrl: 'http://127.0.0.1:8000' } as const
const managed = { variant: 'managed', baseUrl: 'http://localhost:8000', organizationId: 'o', serviceId: 's' } as const

test('both variants of the API at one address lead to the same records, however this machine is named', () => {
  expect(sharesRecords(local, managed)).toBe(true)
  expect(sharesRecords(local, { ...local, baseUrl: 'http://[::1]:8000' })).toBe(true)
})

test('another port, another path and another service lead to other records', () => {
  expect(sharesRecords(local, { ...local, baseUrl: 'http://127.0.0.1:8001' })).toBe(false)
  expect(sharesRecords(local, { ...local, baseUrl: 'http://127.0.0.1:8000/sample-staging' })).toBe(false)
  expect(sharesRecords(managed, { ...managed, serviceId: 't' })).toBe(false)
})

test('IDs in capitals are the same', () => {
  expect(sharesRecords(managed, { ...managed, organizationId: 'O', serviceId: 'S' })).toBe(true)
})

test.each(['http://localhost', 'http://LOCALHOST.', 'http://127.1', 'http://[0:0::1]'])('%s is this machine', (url) =>
  expect(isLoopback(new URL(url).hostname)).toBe(true),
)

test.each(['http://localhost.example.com', 'http://128.0.0.1', 'http://[::2]'])('%s is another machine', (url) =>
  expect(isLoopback(new URL(url).hostname)).toBe(false),
)
