/** Rewritten requests keep their meaning: expressions in the real engine, conditions in the stack's parser. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ChartQuery } from '#contract/stack/charts.ts'
import { portableQuery } from '#console/charting/chartRequest.ts'
import { withFreeTextIn, writtenCondition } from '#console/charting/freeText.ts'
import { withoutDots } from '#console/charting/portableSql.ts'
import { sqlTokens } from '#domain/query/sqlTokens.ts'
import { parseFilter } from '#domain/query/parseFilter.ts'
import { FilterError, type FilterNode } from '#domain/query/filterSyntax.ts'
import { knownRows, hour, sources, start } from './testing/knownRows.ts'

const { query, answer } = knownRows()
const maps = ['SpanAttributes', 'ResourceAttributes']

describe('expression without dots', () => {
  const number = fc.oneof(
    fc.constantFrom('1000000.0', '1e6', '.5', '1.', '0.0', '00.25', '1.5e3', '12.50E-2', '3', '0x1F', '1_000.25'),
    fc.double({ min: 1e-6, max: 1e12, noNaN: true }).map(String),
  )
  const piece = fc.constantFrom(
    'a',
    '.',
    "''",
    "\\'",
    '\\\\',
    '\\.',
    '\\n',
    '"',
    '`',
    '--',
    '/*',
    ' ',
    'é',
    '%',
    '\\x2E',
  )
  const text = fc.array(piece, { maxLength: 6 }).map((pieces) => `'${pieces.join('')}'`)
  const column = fc.constantFrom(
    "SpanAttributes['http.response.status_code']",
    "SpanAttributes['it\\'s.new']",
    'toString(Duration)',
    'SpanName',
    'toString(Events.Name)',
    'toString(`Events.Name`)',
    'toString("Links.TraceId")',
    "toString(tuple('a', 1.5).2)",
    "toString(('a', (1, 'b.c')).2.2)",
    'toString(arrayMap(x -> x / 2.0, [1.5, 2]))',
  )
  const expression = fc.letrec<{ all: string }>((tie) => ({
    all: fc.oneof(
      { maxDepth: 3 },
      text,
      column,
      number.map((one) => `toString(${one})`),
      number.map((one) => `toTypeName(${one})`),
      fc.tuple(tie('all'), tie('all')).map(([a, b]) => `concat(${a}, ${b})`),
      fc.tuple(tie('all'), tie('all')).map(([a, b]) => `if(${a} = ${b}, ${a}, ${b})`),
      tie('all').map((one) => `/* v1.0 */ lower(${one}) -- done.\n`),
    ),
  })).all

  test('keeps its value and type', async () => {
    // Many in one statement: each alone would be a round trip.
    const some = fc.array(expression, { minLength: 30, maxLength: 30 })
    await fc.assert(
      fc.asyncProperty(some, async (typed) => {
        const columns = typed.map((one, at) => {
          const sent = withoutDots(one, maps)
          return `(${one}\n) AS typed${at}, (${sent}) AS sent${at}, toTypeName(typed${at}) = toTypeName(sent${at}) AS same${at}`
        })
        const rows = await query<Record<string, unknown>>(`SELECT ${columns.join(', ')} FROM otel_traces`)
        expect(rows).toHaveLength(3)
        for (const row of rows) {
          typed.forEach((one, at) => expect([row[`sent${at}`], row[`same${at}`]], one).toEqual([row[`typed${at}`], 1]))
        }
      }),
      { numRuns: 10 },
    )
  })

  test('has no dots except in tuple positions', () => {
    const dotless = expression.filter((one) => !one.includes('.2'))
    fc.assert(
      fc.property(dotless, (typed) => {
        expect(withoutDots(typed, maps)).not.toContain('.')
      }),
    )
  })

  test('is parsed to its end for any input', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...`'"\\\`.,()[]-/* 1ae\n`) }), (typed) => {
        const read = sqlTokens(typed).map(({ text }) => text)
        expect(read.join('')).toBe(typed)
        expect(typeof withoutDots(typed, maps)).toBe('string')
      }),
      { numRuns: 3000 },
    )
  })

  test.each([
    ['Duration / 1000000.0', 'Duration / 1000000e0'],
    ['x * 0.05', 'x * 5e-2'],
    ["toFloat64OrZero(SpanAttributes['http.status'])", String.raw`toFloat64OrZero(SpanAttributes['http\x2Estatus'])`],
    ["SpanAttributes['http.status']", String.raw`arrayElement(SpanAttributes, 'http\x2Estatus')`],
    ['SpanAttributes.http.status', String.raw`arrayElement(SpanAttributes, 'http\x2Estatus')`],
    ['length(Events.Name)', 'length(`Events\\x2EName`)'],
    ["match(Body, '\\.com')", String.raw`match(Body, '\\\x2Ecom')`],
    ['Duration', 'Duration'],
  ])('sends %s as %s', (typed, sent) => {
    expect(withoutDots(typed, maps)).toBe(sent)
  })

  test.each([
    'Duration / 1000.0',
    "toFloat64OrZero(SpanAttributes['http.response.status_code'])",
    'length(Events.Name)',
  ])('returns the same figures as the stack: %s', async (field) => {
    const series = [{ sourceId: 'trace', aggFn: 'sum' as const, where: '', groupBy: ['ServiceName'], field }]
    const typed: ChartQuery = { startTime: start, endTime: start + hour, granularity: '1d', series }
    expect(await answer(portableQuery(typed, sources), 'own')).toEqual(await answer(typed, 'own'))
  })
})

describe('free text in a field', () => {
  const terms = [
    'order',
    'ord*',
    '*er*',
    '"was placed"',
    '"a \\" b"',
    'SeverityText:info',
    'SeverityText:"a b"',
    'ServiceName:(a OR "b c" (d))',
    'Duration:>=5',
    'Duration:[1 TO 5}',
    'Duration:>"1 2"',
    'http://localhost:80/a',
    'localhost:8080',
    'a\\:b',
    'a\\ b',
    '[x]',
    '500',
    'Attributes.http.method:GET',
  ]
  const filter = fc.letrec<{ all: string }>((tie) => ({
    all: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      fc.constantFrom(...terms),
      tie('all').map((condition) => `-(${condition})`),
      tie('all').map((condition) => `NOT (${condition})`),
      fc.constantFrom(...terms).map((term) => `-${term}`),
      fc
        .tuple(tie('all'), fc.constantFrom(' ', ' AND ', ' OR ', ' && ', ' || '), tie('all'))
        .map((all) => all.join('')),
    ),
  })).all

  /** The tree with its free text in the field, and without positions. */
  const normalized = (node: FilterNode, field: string): unknown => {
    if (node.kind === 'not') return { not: normalized(node.node, field) }
    if (node.kind !== 'term') return { [node.kind]: node.nodes.map((filterNode) => normalized(filterNode, field)) }
    const { matcher } = node
    return node.field === null
      ? { field, grouped: true, matcher }
      : { field: node.field, grouped: node.grouped, matcher }
  }

  test('leaves everything else unchanged', () => {
    fc.assert(
      fc.property(filter, (typed) => {
        const sent = withFreeTextIn(['Body'], typed)
        expect(normalized(parseFilter(sent)!, 'Body'), sent).toEqual(normalized(parseFilter(typed)!, 'Body'))
      }),
      { numRuns: 1000 },
    )
  })

  test('leaves unreadable conditions unchanged', () => {
    const readable = (text: string) => {
      try {
        parseFilter(text)
        return true
      } catch (error) {
        if (error instanceof FilterError) return false
        throw error
      }
    }
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'"\\()[]{}:<>-! aT*O'), maxLength: 12 }), (typed) => {
        if (!readable(typed)) expect(readable(withFreeTextIn(['Body'], typed)), typed).toBe(false)
      }),
      { numRuns: 3000 },
    )
  })

  test.each([
    ['order', 'Body:(order)'],
    ['-order "a b"', 'NOT Body:(order) AND Body:("a b")'],
    ['(order OR cart) SeverityText:error', '(Body:(order) OR Body:(cart)) AND SeverityText:error'],
    ['order 12:30:45 std::exception', String.raw`Body:(order) AND Body:(12\:30\:45) AND Body:(std\:\:exception)`],
    ['-Duration:>=5 SeverityText:error', '-Duration:>=5 SeverityText:error'],
    ['Body:*order*', 'Body:*order*'],
    ['', ''],
    ['"open', '"open'],
  ])('sends %s as %s', (typed, sent) => {
    expect(withFreeTextIn(['Body'], typed)).toBe(sent)
  })

  test('searches several fields for each text', () => {
    const sent = withFreeTextIn(['Body', 'Title'], '-order "a b" SeverityText:error')
    expect(sent).toBe('NOT (Body:(order) OR Title:(order)) AND (Body:("a b") OR Title:("a b")) AND SeverityText:error')
  })

  test.each([
    ['order "a b" SeverityText:error', 'order "a b" SeverityText:error'],
    ["can't connect /cart/items", "can't connect /cart/items"],
    ['127.0.0.1:9092', String.raw`127.0.0.1\:9092`],
    ['order -12:30:45', String.raw`order AND NOT 12\:30\:45`],
    [
      '(std::exception OR arn:aws:s3) LogAttributes.a:b',
      String.raw`(std\:\:exception OR arn\:aws\:s3) AND LogAttributes.a:b`,
    ],
    ['"open', '"open'],
  ])('searches for %s with %s', (typed, sent) => {
    expect(writtenCondition(typed, 'lucene')).toBe(sent)
  })

  test('what is sent means the same', () => {
    fc.assert(
      fc.property(filter, (typed) => {
        const sent = writtenCondition(typed, 'lucene')
        expect(normalized(parseFilter(sent)!, 'Body'), sent).toEqual(normalized(parseFilter(typed)!, 'Body'))
      }),
      { numRuns: 1000 },
    )
  })
})
