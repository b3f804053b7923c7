import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { currentTime } from '#node/clock/wallClock.ts'
import { Bindings } from '../bindings.ts'
import { layoutOf, type Columns } from '../tableLayout.ts'
import type { Engine } from '../engine/engine.ts'
import type { SpanRow } from '../tableRows.ts'
import { tables } from '../tables.ts'
import { temporaryEngine } from '#stack/testing/temporaryEngine.ts'
import { filterSql } from './filterSql.ts'
import { FilterError } from '#domain/query/filterSyntax.ts'

let engine: Engine
let columns: Columns
const now = Math.floor(currentTime() / 1000)

beforeAll(async () => {
  engine = await temporaryEngine()
  ;({ columns } = await layoutOf(engine, { database: '', table: tables.traces }))
  const span = (SpanName: string, rest: Partial<SpanRow>): SpanRow => ({
    Timestamp: `${now}.000000000`,
    SpanName,
    Duration: 9,
    ...rest,
  })
  await engine.insert(tables.traces, [
    span('first', {
      'Events.Timestamp': [`${now}.000000000`, `${now}.000000000`],
      'Events.Name': ['exception', 'retry'],
      'Events.Attributes': [{ 'exception.type': 'Timeout' }, {}],
      StatusMessage: '{"code":"E17"}',
      SpanAttributes: { version: '1.10', ratio: '10', 'app.kubernetes.io/name': 'web' },
    }),
    span('second', {
      Duration: '9007199254740993',
      SpanAttributes: { version: '1.9', ratio: '9', 'user $1 @a:b': '7', "list['x']": 'y' },
    }),
  ])
})
afterAll(() => engine.close())

async function found(filter: string): Promise<string[]> {
  const bindings = new Bindings()
  const body = { sql: 'SpanName', type: { kind: 'text' as const } }
  const where = filterSql(filter, { columns, searched: [body], bindings }) ?? 'true'
  const rows = await engine.query<{ SpanName: string }>(
    `SELECT SpanName FROM otel_traces WHERE ${where} ORDER BY SpanName`,
    { params: bindings.params },
  )
  return rows.map((row) => row.SpanName)
}

describe('conditions by column type', () => {
  test.each([
    ['Events.Name:exc', ['first']],
    ['Events.Name:"retry"', ['first']],
    ['Events.Name:"retr"', []],
    ['-Events.Name:retry', ['second']],
    ['Events.Name:*', ['first']],
    ['Events.Attributes.exception.type:timeout', ['first']],
    ['StatusMessage.code:"E17"', ['first']],
    ['Duration:9', ['first']],
    ['Duration:9007199254740993', ['second']],
    ['Duration:9007199254740992', []],
    ['Duration:>1e3', ['second']],
    ['Duration:[* TO 9]', ['first']],
    ['Duration:(9 OR >10)', ['first', 'second']],
    ['SpanAttributes.ratio:>9', ['first']],
    ['SpanAttributes.ratio:>=9.0', ['first', 'second']],
    ['-SpanAttributes.ratio:>9', ['second']],
    // Not numbers: compared as text.
    ['SpanAttributes.version:<"1.10a"', ['first']],
    [`Timestamp:>=${new Date(now * 1000).toISOString()}`, ['first', 'second']],
    ['Timestamp:<2020-01-01T00:00:00Z', []],
    ['Timestamp:[2020-01-01 TO 2020-01-02]', []],
    ['first OR arn:aws:s3 OR 12:30:45 OR std::exception', ['first']],
    [String.raw`SpanAttributes.app.kubernetes.io/name:web`, ['first']],
    [String.raw`SpanAttributes.user\ \$1\ @a\:b:7`, ['second']],
    [String.raw`SpanAttributes.list['x']:y`, ['second']],
  ])('%s', async (filter, expected) => {
    expect(await found(filter)).toEqual(expected)
  })

  test.each([
    ['Events.Name:>5', /several values/],
    ['Duration:slow', /number/],
    ['Timestamp:>yesterday', /time such as/],
    ['>5 nope:1', /"nope"/],
    ['SpanNam:x', /did you mean SpanName/],
    ['duration:5', /did you mean Duration/],
    ['Error: timeout', /field "Error" does not exist/],
    ['Duration: 5', /"Duration:" has no value/],
    ['servicename:api:8080', /did you mean ServiceName/],
  ])('rejects %s', async (filter, message) => {
    await expect(found(filter)).rejects.toThrow(message)
    await expect(found(filter)).rejects.toBeInstanceOf(FilterError)
  })
})

test('five hundred conditions are answered', async () => {
  const filter = Array.from({ length: 500 }, (_, at) => `SpanName:"${at}"`).join(' OR ')
  expect(await found(`${filter.replace('"499"', '"first"')}`)).toEqual(['first'])
})

describe('any filter', () => {
  const field = fc.constantFrom(
    'SpanName',
    'Duration',
    'Timestamp',
    'SpanAttributes.x',
    'Events.Name',
    'StatusMessage.a.b',
  )
  // Marked, to distinguish it from the SQL around it.
  const literal = fc.string({ unit: fc.constantFrom(...`mark'"\\\`();-- \t*{p0:String}%_`), minLength: 3 })
  const mark = 'ZQZ'
  const quoted = literal.map((text) => `"${(mark + text).replaceAll(/["\\]/g, String.raw`\$&`)}"`)
  const value = fc.oneof(
    quoted,
    quoted.map((text) => `>${text}`),
    quoted.map((text) => `[${text} TO *]`),
    quoted.map((text) => `(${text} OR x)`),
    literal.map((text) => (mark + text).replaceAll(/[^\w*]/g, String.raw`\$&`)),
  )

  test('is bound: the SQL contains no text of it', () => {
    fc.assert(
      fc.property(field, value, fc.boolean(), (field, value, bare) => {
        const bindings = new Bindings()
        const body = { sql: 'SpanName', type: { kind: 'text' as const } }
        try {
          const sql = filterSql(bare ? value : `${field}:${value}`, { columns, searched: [body], bindings })
          expect(sql).not.toContain(mark)
          expect(sql).toMatch(/^[\w\s`.,()[\]{}:!=<>'-]*$/)
        } catch (error) {
          if (!(error instanceof FilterError)) throw error
        }
      }),
      { numRuns: 2000 },
    )
  })

  test('is valid for the engine', async () => {
    await fc.assert(
      fc.asyncProperty(field, value, async (field, value) => {
        await found(`${field}:${value}`).catch((error: unknown) => {
          if (!(error instanceof FilterError)) throw error
        })
      }),
      { numRuns: 200 },
    )
  })
})
