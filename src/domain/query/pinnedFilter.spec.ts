import { expect, test } from 'vitest'
import { readPinnedFilter } from './pinnedFilter.ts'

test.each<[string, string, string, string[]]>([
  ["SeverityText IN ('error')", 'SeverityText', 'IN', ["'error'"]],
  ["SeverityText in ('error', 'it''s', 'a\\'b')", 'SeverityText', 'IN', ["'error'", "'it''s'", "'a\\'b'"]],
  ['  a.b.`c d`  NOT  IN ( 1 , -2.5e3 , true ) ', 'a.b.`c d`', 'NOT IN', ['1', '-2.5e3', 'true']],
  ["ResourceAttributes['k8s.pod.name'] IN ('x AND y')", "ResourceAttributes['k8s.pod.name']", 'IN', ["'x AND y'"]],
  ["toString(JSONExtractString(Body, 'a')) IN ('1')", "toString(JSONExtractString(Body, 'a'))", 'IN', ["'1'"]],
  ['Duration BETWEEN 10 AND 2e9', 'Duration', 'BETWEEN', ['10', '2e9']],
  ["ORDER_ID IN ('1')", 'ORDER_ID', 'IN', ["'1'"]],
])('reads %s', (condition, column, operator, literals) => {
  expect(readPinnedFilter(condition)).toEqual({ column, operator, literals })
})

test.each([
  '',
  'SeverityText',
  "SeverityText = 'error'",
  "SeverityText IN ('error') AND 1",
  "SeverityText IN ('error') -- ",
  "NOT SeverityText IN ('error')",
  "a AND b IN ('x')",
  "a OR b IN ('x')",
  "a IN ('x'), b IN ('y')",
  "(a, b) IN ('x')",
  'a IN ()',
  "a IN ('x'",
  "a IN ('x',)",
  'a IN (b)',
  'a IN (SELECT 1)',
  "a BETWEEN 'x' AND 'y'",
  'a BETWEEN 1 AND 2 AND 3',
  'a NOT BETWEEN 1 AND 2',
  "a IN ('x'); DROP TABLE t",
  `${'f('.repeat(20)}a${')'.repeat(20)} IN (1)`,
])('refuses %s', (condition) => {
  expect(readPinnedFilter(condition)).toBeNull()
})

test('reads a long condition in a short time', () => {
  expect(readPinnedFilter(`a IN ('${'\\'.repeat(8000)}`)).toBeNull()
  expect(readPinnedFilter(`a IN (${Array.from({ length: 4000 }, (_, at) => at).join(',')})`)?.literals).toHaveLength(
    4000,
  )
})
