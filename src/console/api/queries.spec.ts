import { expect, test } from 'vitest'
import { alerts } from '#contract/stack/alerts.ts'
import { api } from '#contract/index.ts'
import { q } from './queries.ts'
import { queryClient } from './queryClient.ts'

test('the key of a read is its connection, resource, verb and input', () => {
  const input = { params: { alertId: 'a1' } }
  expect(q('c1', alerts.get, input).queryKey).toEqual(['c1', 'alerts', 'get', input])
})

test('reads with different connections or inputs have different keys', () => {
  const keys = [
    q('c1', alerts.get, { params: { alertId: 'a' } }),
    q('c2', alerts.get, { params: { alertId: 'a' } }),
    q('c1', alerts.get, { params: { alertId: 'b' } }),
    q('c1', alerts.list, {}),
  ].map((options) => JSON.stringify(options.queryKey))
  expect(new Set(keys).size).toBe(keys.length)
})

test('keys start with the resource name of the contract, which is used for invalidation', () => {
  for (const [name, endpoints] of Object.entries(api)) {
    for (const endpoint of Object.values(endpoints)) expect(endpoint.resource).toBe(name)
  }
})

test('the page does not retry: the gateway does', () => {
  const { queries, mutations } = queryClient.getDefaultOptions()
  expect(queries).toMatchObject({ retry: false, refetchOnWindowFocus: false, refetchOnReconnect: false })
  expect(mutations).toMatchObject({ retry: false })
})
