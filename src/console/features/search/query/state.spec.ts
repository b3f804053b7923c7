import { expect, test } from 'vitest'
import type { Source } from '#contract/stack/sources.ts'
import { conditionWithoutOwn, searchUrl, startedSearch } from './state.ts'

const logs: Source = { id: 'logs', name: 'Logs', kind: 'log', serviceNameExpression: 'ServiceName' }
const withoutOwn = 'NOT ServiceName:"stack" AND NOT ServiceName:"console-gateway"'

test('a search that begins on a local stack leaves out its own telemetry, visibly', () => {
  expect(startedSearch(searchUrl.parse({}), { stage: 'local' }, logs).q).toBe(withoutOwn)
  expect(startedSearch(searchUrl.parse({ live: '1' }), { stage: 'local' }, logs).q).toBe(withoutOwn)
})

test.each([
  ['a condition', { q: 'error' }, 'error'],
  ['a source', { source: 'logs' }, ''],
  ['a saved search', { saved: '1' }, ''],
])('a URL with %s is left as it is', (_, url, q) => {
  expect(startedSearch(searchUrl.parse(url), { stage: 'local' }, logs).q).toBe(q)
})

test('other deployments and sources without a service name begin without a condition', () => {
  expect(startedSearch(searchUrl.parse({}), { stage: 'production' }, logs).q).toBe('')
  expect(conditionWithoutOwn({ id: 'plain', name: 'Plain', kind: 'log' })).toBe('')
})
