import { expect, test } from 'vitest'
import type { Source } from '#contract/stack/sources.ts'
import { parseFilter } from '#domain/query/parseFilter.ts'
import { withPattern, type PatternFilter } from './patternFilter.ts'

const source: Source = { id: 'logs', name: 'Logs', kind: 'log', implicitColumnExpression: 'Body' }
const orders: PatternFilter = { expression: 'Body', pieces: ['order', 'placed'], mode: 'in' }
const without: PatternFilter = { ...orders, mode: 'out' }

test('a pattern is a condition with wildcards on the whole message', () => {
  expect(withPattern('', orders, 'lucene', source)).toBe('Body:(order*placed)')
  expect(withPattern('SeverityText:"INFO"', without, 'lucene', source)).toBe(
    'SeverityText:"INFO" AND NOT Body:(order*placed)',
  )
  expect(parseFilter('Body:(order*placed)')).toMatchObject({
    field: 'Body',
    grouped: true,
    matcher: { kind: 'word', pieces: ['order', 'placed'] },
  })
})

test('a message without values is found as it is', () => {
  expect(withPattern('', { ...orders, pieces: ['started'] }, 'lucene', source)).toBe('Body:"started"')
})

test.each(['lucene', 'sql'] as const)('added twice it is there once, and it replaces its opposite: %s', (language) => {
  const add = (where: string | null, filter: PatternFilter) => withPattern(where ?? '', filter, language, source)
  const one = add('', orders)
  expect(add(one, orders)).toBe(one)
  expect(add(add('', without), orders)).toBe(one)
  expect(one).not.toBe(add('', without))
})

test('in SQL the messages are compared in any case', () => {
  expect(withPattern('', orders, 'sql', source)).toContain("Body ILIKE 'order%placed'")
  expect(withPattern('Duration > 5', without, 'sql', source)).toMatch(/^Duration > 5 AND NOT \(.*ILIKE 'order%placed'/)
})

test('what the language cannot say is no condition', () => {
  expect(withPattern('', { ...orders, expression: 'lower(Body)' }, 'lucene', source)).toBeNull()
  expect(withPattern('"open', orders, 'lucene', source)).toBeNull()
})
