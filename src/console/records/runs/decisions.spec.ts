import { expect, test } from 'vitest'
import { noDecisions, pairsOf, withFields, withSide } from './decisions.ts'

test.each([
  ['', {}],
  ['\n \n', {}],
  ['Authorization: Bearer a:b', { Authorization: 'Bearer a:b' }],
  ['X-Team:platform\n  X-Env : eu  ', { 'X-Team': 'platform', 'X-Env': 'eu' }],
  ['X-Empty:', { 'X-Empty': '' }],
  ['no colon', null],
  ['X-Team: a\nBearer', null],
])('the lines %j are %j', (text, pairs) => {
  expect(pairsOf(text)).toEqual(pairs)
})

test('decisions of one step leave those of others', () => {
  const one = withSide(noDecisions, 'alerts/A', 'threshold', 'mine')
  const two = withSide(one, 'alerts/A', 'interval', 'theirs')
  const three = withFields(withFields(two, 'webhooks/W', { headers: { a: '1' } }), 'webhooks/W', { queryParams: {} })
  expect(three).toEqual({
    sides: { 'alerts/A': { threshold: 'mine', interval: 'theirs' } },
    entered: { 'webhooks/W': { headers: { a: '1' }, queryParams: {} } },
  })
})
