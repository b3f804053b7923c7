import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Engine } from '../engine/engine.ts'
import { tables } from '../tables.ts'
import { temporaryEngine } from '#stack/testing/temporaryEngine.ts'
import { checkExpression, checkOverColumns } from './expression.ts'
import { checkLexically, ExpressionError } from '#domain/query/sqlLexical.ts'

let engine: Engine
const table = { database: '', table: tables.traces }

beforeAll(async () => {
  engine = await temporaryEngine()
})
afterAll(() => engine.close())

describe('expressions over a row', () => {
  test.each([
    ['Duration / 1e6', 'Float64'],
    ["SpanAttributes['http.method'] = 'GET' AND StatusCode != 'Error'", 'UInt8'],
    ["SpanName IN ('a', 'b')", 'LowCardinality(UInt8)'],
    ["SpanName NOT IN ['a']", 'UInt8'],
    ['countIf(Duration > 5) / count()', 'Float64'],
    ['count(*)', 'UInt64'],
    ['countIf(*, Duration > 5)', 'UInt64'],
    ["count(*) FILTER (WHERE SpanName = 'x')", 'UInt64'],
    ["printf('%05.2f%%', Duration / 2)", 'String'],
    ['COUNT(DISTINCT TraceId)', 'UInt64'],
    ['quantileIf(0.9)(Duration, SpanName = $$x$$)', null],
    ["quantileIf(0.9)(Duration, SpanName = 'x')", 'Float64'],
    ["CASE WHEN Duration > 5 THEN 'slow' ELSE 'fast' END", 'String'],
    ["arrayExists(x -> x = 'a', `Events.Name`)", 'UInt8'],
    ['arrayMap(lower, `Events.Name`)', 'Array(String)'],
    ['Timestamp > now() - INTERVAL 1 HOUR', 'UInt8'],
    ["SpanName = 'it''s \\' fine -- /* ; */'", 'LowCardinality(UInt8)'],
    ['Duration::String', 'String'],
  ])('%s', async (text, type) => {
    const checked = checkExpression(engine, text, table, { aggregates: true })
    if (type === null) await expect(checked).rejects.toBeInstanceOf(ExpressionError)
    else expect((await checked).type).toContain(type)
  })
})

describe('what reaches further is refused', () => {
  test.each([
    ["countIf(*, startsWith(file('/etc/passwd'), 'root'))", /function file/],
    ["count(*) FILTER (WHERE startsWith(file('/etc/passwd'), 'root'))", /function file/],
    ["count(* EXCEPT (SpanName) APPLY(x -> file('/etc/passwd')))", /Asterisk|ColumnsExceptTransformer/],
    ["countIf(* REPLACE (file('/etc/passwd') AS SpanName), 1)", /Asterisk|ColumnsReplaceTransformer/],
    ["countSubstrings(*, file('/etc/passwd'))", /Asterisk/],
    ["countEqual(*, file('/etc/passwd'))", /Asterisk/],
    ['countDistinct(*)', /Asterisk/],
    ['count(otel_traces.*)', /Asterisk/],
  ])('%s, where rows are aggregated', async (text, message) => {
    const refused = await checkExpression(engine, text, table, { aggregates: true }).catch(String)
    expect(refused).toMatch(message)
  })

  test.each([
    ['', /empty/],
    ['Duration) FROM system.tables --', /has no opening bracket/],
    ['Duration; DROP TABLE otel_logs', /";"/],
    ['(SELECT 1)', /SELECT/],
    ['Duration IN (SELECT 1)', /SELECT/],
    ['SpanName IN system.tables', /IN needs a list/],
    ['arrayMap(x -> x IN system.tables, [1])', /IN needs a list/],
    ['SpanName IN numbers(3)', /IN needs a list/],
    ["sum(Duration) OVER (ORDER BY file('x'))", /OVER/],
    ["file('/etc/passwd')", /function file/],
    ["FILE('/etc/passwd')", /FILE/],
    ["arrayMap(file, ['/etc/passwd'])", /function file/],
    ["printf('%1$2000000000d', 1)", /constant format/],
    ["printf('%1$.2000000000f', 1.0)", /constant format/],
    ["printf('%0000000000000000000000000002000000000d', 1)", /constant format/],
    ["arrayExists((sleepEachRow), ['a'])", /function sleepEachRow/],
    ["url('http://127.0.0.1')", /function url/],
    ["dictGet('a', 'b', 1)", /dictGet/],
    ["joinGet('a', 'b', 1)", /joinGet/],
    ["getSetting('max_threads')", /getSetting/],
    ['hostName()', /hostName/],
    ['sleep(3)', /sleep/],
    ["aiGenerate('x')", /aiGenerate/],
    ['Duration AS x', /aliases/],
    ['*', /Asterisk/],
    ["COLUMNS('.*')", /ColumnsRegexpMatcher/],
    ['{p0:String}', /"\{"/],
    ['Duration -- 1', /comments/],
    ['Duration /* 1 */', /comments/],
    ['Duration # 1', /"#"/],
    ["'a", /not closed/],
    ['lower(Body', /"\(" at 6 is not closed/],
    ['(1 + (2)', /"\(" at 1 is not closed/],
    ['`a\\`b`', /quoted name/],
    ['‘a’', /is not allowed in an expression/],
    ['Duration +', /ends too early/],
    ['Duration Duration', /from character 10/],
    ['nope + 1', /nope/],
    ["toUInt8('x')", /"x": a text cannot be converted/],
    ["Duration INTO OUTFILE '/tmp/x'", /cannot be read/],
    ['Duration FORMAT CSV', /cannot be read/],
  ])('%s', async (text, message) => {
    const error: unknown = await checkExpression(engine, text, table).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(ExpressionError)
    expect(String(error)).toMatch(message)
    expect(String(error)).not.toMatch(/EXPLAIN|DB::|system\.one|scope|_CAST|__\w+/)
  })
})

describe('constants that grow without bounds', () => {
  test.each([
    'range(5000000)',
    'length(range(0, 5000000))',
    'range(1000 * 5000)',
    'arrayMap(x -> range(x), range(10000))',
    "repeat(repeat('a', 10000), 10000)",
    "REPEAT('a', 100000000)",
    'space(1e9)',
    "leftPad('a', 100000000)",
    'timeSlots(toDateTime(0), toUInt32(4000000000), 1)',
    "printf('%2000000000d', 1)",
    "printf('%s and %-.2000000000f', 'a', 1.0)",
    "printf('%%%2000000000d', 1)",
    "printf('%*d', 2000000000, 1)",
    "printf(concat('%2000', '000000d'), 1)",
    "arrayMap(printf, ['%2000000000d'], [1])",
  ])('%s is refused before it is computed', async (text) => {
    await expect(checkExpression(engine, text, table)).rejects.toThrow(/up to 10000|too long|not allowed/)
  })

  test.each([
    'range(24)',
    "printf('%5d of %.2f %% 2000000000', 1, 2.5)",
    'range(length(`Events.Name`))',
    "leftPad(toString(Duration), 20, '0')",
    "repeat('ab', 3)",
  ])('%s is allowed', async (text) => expect((await checkExpression(engine, text, table)).sql).toBe(`(${text})`))
})

describe('a value of one row', () => {
  test.each([
    ['arrayJoin([1, 2])', /several rows of one/],
    ['arrayJoin(range(1000000000))', /several rows of one/],
    ['unnest([1, 2])', /several rows of one/],
    ['UNNEST([1, 2])', /several rows of one/],
    ['length(toString(arrayJoin(`Events.Name`)))', /several rows of one/],
    ['arrayMap(x -> arrayJoin(`Events.Name`), [1])', /several rows of one/],
    ['arrayJoinIf([1], 1)', /not allowed/],
    ['count()', /aggregates rows/],
    ['COUNT(*)', /aggregates rows/],
    ['sum(Duration) > 5', /aggregates rows/],
    ['quantileIf(0.9)(Duration, 1)', /aggregates rows/],
    ['groupArray(Duration)', /aggregates rows/],
  ])('%s', async (text, message) => {
    await expect(checkExpression(engine, text, table)).rejects.toThrow(message)
  })

  test('leaves the rows unchanged where aggregates are allowed', async () => {
    for (const text of ['sum(arrayJoin([1, 2]))', 'arrayJoin(groupArray(Duration))']) {
      await expect(checkExpression(engine, text, table, { aggregates: true })).rejects.toThrow(/several rows of one/)
    }
  })
})

describe('a key of a table', () => {
  const columns = [
    { name: 'id', type: 'UInt64' },
    { name: 'the `time`', type: 'DateTime' },
  ]
  const key = (text: string) => checkOverColumns(engine, text, columns, { deterministic: true })

  test.each(['id', '(id, id % 5)', 'id, intDiv(id, 10)', 'toYYYYMM(toDateTime(id))', 'tuple()', 'id IN (1, 2)'])(
    '%s',
    async (text) => expect((await key(text)).sql).toBe(`(${text})`),
  )

  test.each([
    ['sleep(3)', /sleep is not allowed/],
    ['id + sleepEachRow(1)', /sleepEachRow is not allowed/],
    ['now()', /not deterministic/],
    ['NOW()', /not deterministic/],
    ['curdate()', /not deterministic/],
    ['generateUUIDv4()', /not deterministic/],
    ['rand()', /rand is not allowed/],
    ['count()', /aggregates rows/],
    ['arrayJoin([id])', /several rows of one/],
    ["file('/etc/passwd')", /file is not allowed/],
    ['length(arrayMap(generateUUIDv4, [id]))', /not deterministic/],
    ['(SELECT 1)', /SELECT/],
    ['nope', /"nope": the column does not exist/],
    ['id) SETTINGS (x', /has no opening bracket/],
  ])('not %s', async (text, message) => {
    await expect(key(text)).rejects.toThrow(message)
    await expect(key(text)).rejects.toBeInstanceOf(ExpressionError)
  })
})

test('any text is an expression or throws an ExpressionError', async () => {
  const part = fc.constantFrom(
    ...`'"\\\`()[]{}.,:;+-*/%=<>!?|&#@$ \n`,
    'Duration',
    'SpanName',
    'lower',
    'count',
    'SELECT',
    'IN',
    'AS',
    'x ->',
    'INTERVAL',
    '1',
    "'a'",
    'NULL',
    '::',
    'file',
  )
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: part, minLength: 1, maxLength: 8 }), async (text) => {
      await checkExpression(engine, text, table).catch((error: unknown) => {
        if (!(error instanceof ExpressionError)) throw error
      })
    }),
    { numRuns: 400 },
  )
})

test('an accepted expression cannot close the parentheses around it', () => {
  // A text that passes the first check leaves no quote, parenthesis or comment open: the text after it is still parsed.
  const part = fc.constantFrom(...`'"\\\`()[]-*/ a,`)
  fc.assert(
    fc.property(fc.string({ unit: part, maxLength: 12 }), (text) => {
      try {
        checkLexically(text)
      } catch {
        return
      }
      expect(() => checkLexically(`(${text}) , 'after'`)).not.toThrow()
      expect(() => checkLexically(`(${text}) ; 'after'`)).toThrow(/";"/)
    }),
    { numRuns: 5000 },
  )
})
