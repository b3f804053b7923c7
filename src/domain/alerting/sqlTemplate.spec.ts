/** Statements of tiles with the filters of their dashboards. Anybody may have sent these. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { SqlFilters } from '#contract/stack/sql.ts'
import { sqlTokens } from '../query/sqlTokens.ts'
import { ExecutionError } from './executionError.ts'
import { fillTemplate, usedFilters, usesInterval } from './sqlTemplate.ts'

const none: SqlFilters = { conditions: [], variables: [] }
const scope = { start: 60_000, end: 120_000, seconds: 60, phase: 0, table: () => '`t`' }
const fill = (template: string, filters?: SqlFilters) => fillTemplate(template, { ...scope, filters })
const conditions = (...all: string[]): SqlFilters => ({ ...none, conditions: all })
const env = { name: 'env', expression: 'Env', values: ['prod'] }

test.each<[string, SqlFilters, unknown]>([
  ['$__filters', none, '(1 = 1)'],
  ['$__filters', conditions("a = 'x'"), "((a = 'x'))"],
  ['$__filters', conditions('a = 1 OR b = 2', 'c'), '((a = 1 OR b = 2) AND (c))'],
  ['x IN ($env)', { ...none, variables: [env] }, "x IN ('prod')"],
  ['$__filter(lower(Env), $env)', { ...none, variables: [env] }, "(lower(Env) IN ('prod'))"],
  ['$__timeInterval($__fromTime)', none, expect.stringContaining('toDateTime(toDateTime(fromUnixTimestamp64Milli')],
  ["'$__interval_s s' AND $__interval_s", none, "'60 s' AND 60"],
  ['{intervalSeconds:Int64}', none, 'toInt64(60)'],
  ["'{intervalSeconds:Int64}'", none, "'{intervalSeconds:Int64}'"],
  ['SELECT 1 -- $__unknown\n', none, 'SELECT 1 -- $__unknown\n'],
  // Nothing is replaced in what was put in.
  ['$__filters', conditions("a = '$env $__fromTime {x:String}'"), "((a = '$env $__fromTime {x:String}'))"],
])('%s is filled', (template, filters, filled) => {
  expect(fill(template, filters)).toEqual(filled)
})

test.each([
  '1) OR (1',
  'a = 1 -- ',
  'a /* ',
  'a; SELECT 1',
  "a = 'x",
  "a = 'x\\'",
  'a IN (SELECT 1)',
  'exists(select 1)',
  '',
  ' ',
  'a = {x:String}',
  'a = $env',
  'a = $__fromTime',
  '$$a$$',
  'a # x',
  'a\u2019',
  '(a]',
])('the condition %j is refused', (condition) => {
  expect(() => fill('SELECT 1 WHERE $__filters AND x', conditions(condition))).toThrow(/not one condition/)
})

test('whatever a condition is, it is refused, or what is around it stays', () => {
  const hostile = fc.oneof(
    fc.constantFrom(
      '(',
      ')',
      "'",
      '"',
      '`',
      '\\',
      '--',
      '/*',
      '*/',
      ';',
      ']',
      '{',
      '$env',
      '#',
      '\n',
      ' case ',
      ' end ',
    ),
    fc.string({ unit: 'binary', maxLength: 3 }),
  )
  const { written } = fc.letrec<{ written: string }>((tie) => ({
    written: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      {
        weight: 6,
        arbitrary: fc.constantFrom('a', '1', "'it''s'", "'\\''", '`n`', '"m"', 'm[1].2', ' case a when 1 then 2 end '),
      },
      { weight: 2, arbitrary: fc.tuple(tie('written'), tie('written')).map(([one, other]) => `${one} OR ${other}`) },
      { weight: 2, arbitrary: tie('written').map((inner) => `(${inner})`) },
      { weight: 1, arbitrary: fc.tuple(tie('written'), hostile, tie('written')).map((parts) => parts.join('')) },
    ),
  }))
  let accepted = 0
  fc.assert(
    fc.property(written, written, (one, other) => {
      let filled: string
      try {
        filled = fill('SELECT b WHERE $__filters AND c', conditions(one, other))
      } catch (error) {
        expect(error).toBeInstanceOf(ExecutionError)
        return
      }
      accepted += 1
      const expected = ['SELECT b WHERE ((', one.trim(), ') AND (', other.trim(), ')) AND c']
      expect(sqlTokens(filled)).toEqual(expected.flatMap(sqlTokens))
    }),
    { numRuns: 5_000 },
  )
  expect(accepted).toBeGreaterThan(1_000)
})

test.each<[string, SqlFilters | undefined, RegExp]>([
  ['SELECT $__unknown', none, /\$__unknown of the SQL is not known/],
  ['SELECT {other:String}', none, /parameter other/],
  ["SELECT '$__filters'", none, /\$__filters of the SQL cannot be in quotes/],
  ["SELECT '$__timeFilter(a)'", none, /\$__timeFilter of the SQL cannot be in quotes/],
  ["SELECT '$env'", { ...none, variables: [env] }, /\$env has quotes of its own/],
  ['SELECT $__filter(x, $env)', none, /no filter defines env/],
  ['SELECT $__filter(x, $env)', undefined, /which is not known here/],
  ['$__filters '.repeat(10_000), conditions('a'.repeat(9_000)), /more than 100,000 characters/],
  [`${'$__timeFilter('.repeat(12)}a${')'.repeat(12)}`, none, /nested more than 8/],
  ['$__timeFilter(a) $__timeFilter(', none, /no closing bracket/],
])('%s is refused', (template, filters, message) => {
  expect(() => fill(template, filters)).toThrow(message)
})

test('only filters that a statement has room for are sent', () => {
  const filters = { conditions: ['a'], variables: [env, { ...env, name: 'other' }] }
  expect(usedFilters('SELECT 1 -- $__filters $env', filters)).toEqual({ takesConditions: false, filters: undefined })
  expect(usedFilters('SELECT $__filters', filters)).toEqual({
    takesConditions: true,
    filters: { conditions: ['a'], variables: [] },
  })
  expect(usedFilters('SELECT $__timeFilter(f($env))', filters)).toEqual({
    takesConditions: false,
    filters: { conditions: [], variables: [env] },
  })
  expect(usedFilters("SELECT '${other:csv}'", filters).filters?.variables).toEqual([filters.variables[1]])
  expect(usedFilters('SELECT $__conditionalAll(x IN ($other), env) $__filters', filters)).toEqual({
    takesConditions: true,
    filters,
  })
})

test('a statement uses the interval by macros and by parameters', () => {
  expect(usesInterval('SELECT $__timeInterval(a)')).toBe(true)
  expect(usesInterval('SELECT {intervalSeconds: Int64}')).toBe(true)
  expect(usesInterval('SELECT 1')).toBe(false)
})
