/** Statements keep their own tokens, whatever is put into them. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { fillSql, maxFilledSql, VariableError } from './fillSql.ts'
import { fillVariables, type FilterVariable } from './filterVariables.ts'
import { sqlTokens } from './sqlTokens.ts'

const hostile = fc.oneof(
  fc.constantFrom(
    "'",
    "\\'",
    "' OR 1=1 --",
    '*/',
    '/*',
    '$b',
    '$__filter(b)',
    '${b:csv}',
    '\\',
    '`',
    '"',
    ';',
    '\0',
    '))',
  ),
  fc.string({ unit: 'binary', maxLength: 12 }),
)
const valuesOf = fc.array(hostile, { minLength: 1, maxLength: 3 })
const piece = fc.constantFrom(
  'a',
  ' AND ',
  '$a',
  ' $a ',
  '($a)',
  'x IN ($b)',
  '${a}',
  "'x'",
  "'it''s \\' $1 \\\\'",
  '$__filter(x, $a)',
  "$__filter(m['k)'], b)",
  '$__conditionalAll(y IN ($b), a)',
  '$__filter(b)',
  ' -- $a ${b:csv}\n',
  '/* $b */',
  '`n`',
  '"n"',
  '1',
  '.',
  '$c',
  '$a$b',
  "'${n:csv}'",
  "'${n:regex}'",
  '${m:csv}',
)
const template = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''))

/** Kinds and texts of the tokens; lists of texts, whatever is in them, are one. */
function structureOf(sql: string): string {
  return sqlTokens(sql)
    .filter(({ kind }) => kind !== 'space')
    .map(({ kind, text }) => (kind === 'text' ? 'TEXT' : kind === 'number' ? 'NUMBER' : `${kind}:${text}`))
    .join(' ')
    .replaceAll(/(?:TEXT|NUMBER)(?: sign:, (?:TEXT|NUMBER))*/g, 'LIST')
}

const filledWith = (text: string, a: readonly string[], b: readonly string[]): string => {
  const variables: FilterVariable[] = [
    { name: 'a', expression: '', values: a },
    { name: 'b', expression: "Attributes['b']", values: b },
    { name: 'n', expression: '', values: a.map((value) => value.replaceAll(/[^\p{L}\p{N} _.:/@-]/gu, '')) },
    { name: 'm', expression: '', values: a.map((value) => String(value.length)) },
  ]
  return fillVariables(text, variables, 'sql')
}

test('values of any content leave the tokens around them as they are', () => {
  let filled = 0
  fc.assert(
    fc.property(template, valuesOf, valuesOf, (text, a, b) => {
      const plain = outcome(() => filledWith(text, ['p'], ['q']))
      const found = outcome(() => filledWith(text, a, b))
      // Whether it can be filled depends on the statement alone.
      expect(found === undefined).toBe(plain === undefined)
      if (found === undefined || plain === undefined) return
      filled += 1
      expect(structureOf(found)).toBe(structureOf(plain))
    }),
    { numRuns: 2_000 },
  )
  expect(filled).toBeGreaterThan(1_000)
})

function outcome(fill: () => string): string | undefined {
  try {
    return fill()
  } catch (error) {
    if (error instanceof VariableError) return undefined
    throw error
  }
}

test('values are read back as they are, and nothing in them is replaced', () => {
  fc.assert(
    fc.property(hostile, hostile, (a, b) => {
      const variables = [
        { name: 'a', expression: '', values: [a] },
        { name: 'b', expression: '', values: [b] },
      ]
      const texts = sqlTokens(fillVariables('f($a, $b)', variables, 'sql')).filter(({ kind }) => kind === 'text')
      const read = texts.map(({ text }) => text.slice(1, -1).replaceAll(/\\([\s\S])/g, '$1'))
      expect(read).toEqual([a, b])
    }),
  )
})

const service: FilterVariable = { name: 's', expression: 'ServiceName', values: ["a'b"] }

test.each([
  ["x = '$s'", /\$s has quotes of its own/],
  ["x = '${s}'", /has quotes of its own/],
  ['SELECT `$s`', /has quotes of its own/],
  ["'$__filter(x, $s)'", /\$__filter cannot be in quotes/],
  ["match(x, '${s:regex}')", /“a'b” has other characters/],
  ["match(x, '${s:csv}')", /has other characters/],
  ['x IN (${s:csv})', /outside of quotes takes numbers/],
  ['match(x, ${s:regex})', /must be in quotes/],
  ['$__filter(a /* ) */, $s)', /no filter defines a \/\*/],
  ['$__filter(a /* x */, $s)', /not one expression: a \/\*/],
  ['$__filter(a -- x\n, $s)', /not one expression/],
  ['$__filter(a] OR (b, $s)', /no closing bracket|not one expression|no filter/],
  ['$__filter(a; b, $s)', /not one expression/],
  [`${'$__conditionalAll('.repeat(9)}1${', s)'.repeat(9)}`, /nested more than 8/],
  ['$s '.repeat(20_000), /more than 100,000 characters/],
])('%s is refused', (text, message) => {
  expect(() => fillVariables(text, [service], 'sql')).toThrow(message)
})

test.each([
  ['toString(a) OR 1=1) OR (b', /not one expression/],
  ['a -- b', /not one expression/],
])('a filter with the expression %s is refused', (expression, message) => {
  expect(() => fillVariables('$__filter(s)', [{ ...service, expression }], 'sql')).toThrow(message)
})

test('comments and unknown names stay, and neighbors stay apart', () => {
  const plain = { ...service, values: ['x'] }
  const fill = (text: string) => fillVariables(text, [plain], 'sql')
  expect(fill('a -- $s\n AND b /* $__filter(s) */')).toBe('a -- $s\n AND b /* $__filter(s) */')
  expect(fill("match(Body, '^$5|a$') AND $other")).toBe("match(Body, '^$5|a$') AND $other")
  expect(fill("'a'$s$s'b'")).toBe("'a' 'x'  'x' 'b'")
  expect(fill('a$s')).toBe('a$s')
})

test('numbers may stand without quotes, and a dot in a pattern is a dot', () => {
  const codes = { name: 'c', expression: '', values: ['200', '4.5'] }
  expect(fillVariables('x IN (${c:csv})', [codes], 'sql')).toBe('x IN ( 200, 4.5 )')
  expect(fillVariables("match(x, '${c:regex}')", [codes], 'sql')).toBe("match(x, '(200|4[.]5)')")
  expect(() => fillVariables('x -${c:csv}', [{ ...codes, values: ['-1'] }], 'sql')).toThrow(/takes numbers/)
})

test('a long statement with long lists is refused before it is built', () => {
  const many = { name: 'a', expression: '', values: Array.from({ length: 500 }, (_, at) => 'x'.repeat(100) + at) }
  const begun = process.memoryUsage().heapUsed
  expect(() => fillVariables('$a '.repeat(30_000), [many], 'sql')).toThrow(/choose fewer values/)
  expect(() => fillVariables(`'${'${a:csv}'.repeat(11_000)}'`, [many], 'sql')).toThrow(/choose fewer values/)
  expect(process.memoryUsage().heapUsed - begun).toBeLessThan(200_000_000)
  expect(fillSql('x', {})).toBe('x')
  expect(fillSql(' '.repeat(maxFilledSql), {})).toHaveLength(maxFilledSql)
})
