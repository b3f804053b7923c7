/** Explanations that the engine counts: the same figures as by row, whatever the rows are, and the planted cause first. */
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chartExplanation, explanationQuery } from '#contract/stack/explanation.ts'
import type { ComparedRow, Sides } from '#domain/explanation/attributeCounts.ts'
import { attributeOf } from '#domain/query/sqlValues.ts'
import { countAttributes } from '#domain/explanation/countAttributes.ts'
import { rankAttributes } from '#domain/explanation/rankAttributes.ts'
import { plantedCase } from '#domain/explanation/testing/plantedCase.ts'
import { currentTime } from '#node/clock/wallClock.ts'
import { temporaryEngine } from '../../testing/temporaryEngine.ts'
import { defaultSources } from '../defaultSources.ts'
import type { Engine } from '../engine/engine.ts'
import { EngineAborted } from '../engine/engineError.ts'
import { readableDatabases } from '../readableTables.ts'
import { ChartError } from '../series/chartError.ts'
import { tables } from '../tables.ts'
import { explainedColumns } from './explainedColumns.ts'
import { countsStatement, maxAttributes } from './explanationStatements.ts'
import { explainRows, maxRows } from './explainRows.ts'

let engine: Engine
beforeAll(async () => {
  engine = await temporaryEngine()
})
afterAll(() => engine.close())

const minute = 60_000
/** Ten o'clock yesterday; each case has an hour of its own. */
const firstHour = (Math.floor(currentTime() / 86_400_000) - 1) * 86_400_000
let cases = 0
const sources = defaultSources().map((source) => ({ ...source, id: source.kind }))

/** A source of a table of its own, by the name of the table. */
function addSource(table: string): void {
  const from = { databaseName: 'default', tableName: table }
  const source = { ...sources[0]!, id: table, from, timestampValueExpression: 'Timestamp' }
  sources.push(source)
}

interface LogRow {
  /** Milliseconds after the start of the case. */
  at: number
  [column: string]: unknown
}

/** Inserts rows as a case of their own, by the name of their service. */
async function plant(rows: readonly LogRow[]): Promise<{ service: string; from: number }> {
  const [service, from] = [`case ${cases++}`, firstHour + 10 * 60 * minute]
  const logs = rows.map(({ at, ...columns }) => ({
    Timestamp: `${((from + at) / 1000).toFixed(3)}000000`,
    ScopeName: service,
    ...columns,
  }))
  if (logs.length > 0) await engine.insert(tables.logs, logs)
  return { service, from }
}

async function ask(from: number, changes: object, signal = new AbortController().signal) {
  const query = explanationQuery.parse({
    sourceId: 'log',
    startTime: from,
    endTime: from + 60 * minute,
    inside: { startTime: from + 20 * minute, endTime: from + 30 * minute },
    ...changes,
  })
  const readable = { sources, databases: readableDatabases({ engine, services: [], named: [] }) }
  const answer = await explainRows(engine, query, readable, signal)
  expect(chartExplanation.explain.result.parse(answer)).toEqual(answer)
  return answer
}

const whereOf = (service: string) => ({ where: `ScopeName = '${service}'`, whereLanguage: 'sql' })
const isInside = ({ at }: LogRow) => at >= 20 * minute && at < 30 * minute

/** The rows as they would be compared by search. */
function compared(rows: readonly LogRow[], service: string): Sides<ComparedRow[]> {
  const toRow = ({ at, ...columns }: LogRow): ComparedRow => {
    const values = new Map([
      ['ScopeName', service],
      ['SeverityNumber', '0'],
      ['TraceFlags', '0'],
    ])
    for (const [column, value] of Object.entries(columns)) {
      if (typeof value !== 'object' || value === null) values.set(column, String(value))
      else for (const [key, one] of Object.entries(value)) values.set(attributeOf(column, key), String(one))
    }
    return { at, values }
  }
  return { inside: rows.filter(isInside).map(toRow), outside: rows.filter((row) => !isInside(row)).map(toRow) }
}

const byAttribute = <T extends { attribute: string; values: readonly { value: { kind: string } }[] }>(
  counts: readonly T[],
) =>
  counts.toSorted((a, b) => {
    const [one, other] = [a, b].map(({ attribute, values }) => `${attribute} ${values[0]?.value.kind}`)
    return (one ?? '') < (other ?? '') ? -1 : 1
  })

const oddTexts = [
  "o'neil",
  'a\\b',
  '"quoted"',
  '{p0:String}',
  '',
  ' ',
  '\0',
  'Ünï ✓',
  '%s',
  '--',
  'null',
  'NaN',
  'Infinity',
  '1e999',
  '-0',
  '+5',
  '007',
]
const value = fc.oneof(
  fc.constantFrom(...oddTexts),
  fc.integer({ min: -50, max: 50 }).map(String),
  fc.double({ noNaN: true, min: -1e6, max: 1e6 }).map(String),
  fc.constantFrom('a', 'b', 'c'),
  fc.string({ maxLength: 8 }),
)
const keys = ["it's", 'back\\slash', '"', '`', "']", '{x:y}', 'http.method', 'ключ', 'n1', 'n2', ' ', "') OR 1=1 --"]
const row = fc.record({
  at: fc.integer({ min: 0, max: 60 * minute - 1 }),
  SeverityText: fc.constantFrom('info', 'error', ''),
  SeverityNumber: fc.integer({ min: 0, max: 40 }),
  LogAttributes: fc.dictionary(fc.constantFrom(...keys), value, { maxKeys: 6 }),
  ResourceAttributes: fc.dictionary(fc.constantFrom('host', 'n'), fc.integer({ min: 0, max: 400 }).map(String)),
})

test('has the counts that the rows have, whatever is in them', async () => {
  const property = fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 300, size: 'max' }), async (rows) => {
    const { service, from } = await plant(rows)
    const answer = await ask(from, whereOf(service))
    const sides = compared(rows, service)
    const read = { inside: sides.inside.length, outside: sides.outside.length }
    expect(answer.total).toEqual(read)
    if (read.inside === 0 || read.outside === 0) {
      expect(answer.attributes).toEqual([])
      return
    }
    const { counts, clocks } = countAttributes(sides)
    expect(answer.rows).toEqual(read)
    expect(answer.clocks.toSorted()).toEqual(clocks.toSorted())
    expect(byAttribute(answer.attributes)).toEqual(byAttribute(counts))
    expect(answer.leftOut).toBe(0)
  })
  await fc.assert(property, { numRuns: 20 })
})

describe('the planted cause', () => {
  test('is first in 19 of 20 random cases', async () => {
    const found = []
    for (let seed = 1; seed <= 20; seed++) {
      const { cause, inside, outside } = plantedCase(seed)
      // Inside are the minutes 20 to 29.
      const spread = (rows: readonly ComparedRow[], first: number, length: number): LogRow[] =>
        rows.map(({ values }, at) => ({
          at: first + Math.floor((at * length) / rows.length),
          LogAttributes: Object.fromEntries(values),
        }))
      const { service, from } = await plant([
        ...spread(inside, 20 * minute, 10 * minute),
        ...spread(outside, 30 * minute, 30 * minute),
      ])
      const { attributes, rows } = await ask(from, whereOf(service))
      found.push(rankAttributes(attributes, rows)[0]?.attribute === attributeOf('LogAttributes', cause))
    }
    expect(found.filter(Boolean).length).toBeGreaterThanOrEqual(0.95 * found.length)
  })

  test('is found in a sample of many rows', async () => {
    const { service, from } = await plant([])
    await engine.command(
      `INSERT INTO ${tables.logs} (Timestamp, ScopeName, ServiceName, LogAttributes)
       SELECT fromUnixTimestamp64Milli(toInt64(${from} + number * 18)), '${service}', concat('service ', toString(number % 7)),
         map('id', toString(cityHash64(number)), 'sequence', toString(number), 'size', toString(cityHash64(number, 1) % 9000),
           'version', if(number * 18 >= ${20 * minute} AND number * 18 < ${30 * minute} AND number % 10 < 4, '2.1', '2.0'))
       FROM numbers(200000)`,
    )
    const { attributes, rows, total, clocks } = await ask(from, whereOf(service))
    expect(total).toEqual({ inside: 33_333, outside: 166_667 })
    for (const count of [rows.inside, rows.outside]) {
      expect(count).toBeGreaterThan(0.8 * maxRows)
      expect(count).toBeLessThan(2 * maxRows)
    }
    expect(clocks).toEqual(["LogAttributes['sequence']"])
    expect(rankAttributes(attributes, rows).map(({ attribute }) => attribute)).toEqual(["LogAttributes['version']"])
  })
})

describe('a sample of unusual times', () => {
  const serviceOf = (place: string) => `concat('service ', toString(${place} % 40))`

  test('of a burst has every part of the sorting key alike', async () => {
    const { service: scope, from } = await plant([])
    // 40 services with as many rows each, all at one time on either side.
    await engine.command(
      `INSERT INTO ${tables.logs} (Timestamp, ScopeName, ServiceName, LogAttributes)
       SELECT fromUnixTimestamp64Milli(toInt64(${from} + if(number % 2, ${25 * minute}, ${45 * minute}))), '${scope}',
         ${serviceOf('intDiv(number, 2)')}, map('version', if(number % 2 AND number % 10 < 4, '2.1', '2.0'))
       FROM numbers(400000)`,
    )
    // And rows that come one after the other.
    await engine.command(
      `INSERT INTO ${tables.logs} (Timestamp, ScopeName, ServiceName, LogAttributes)
       SELECT fromUnixTimestamp64Milli(toInt64(${from} + number)), '${scope}', ${serviceOf('number')}, map('version', '2.0')
       FROM numbers(20000)`,
    )
    const { attributes, rows, total } = await ask(from, whereOf(scope))
    expect(total).toEqual({ inside: 200_000, outside: 220_000 })
    expect(Math.abs(rows.inside - maxRows)).toBeLessThan(0.1 * maxRows)
    expect(Math.abs(rows.outside - maxRows)).toBeLessThan(0.1 * maxRows)
    expect(rankAttributes(attributes, rows).map(({ attribute }) => attribute)).toEqual(["LogAttributes['version']"])
    const services = attributes.find(({ attribute }) => attribute === 'ServiceName')
    const counted = services?.values.reduce((sum, { inside }) => sum + inside, services.others.inside)
    expect(counted).toBe(rows.inside)
    expect((services?.values.length ?? 0) + (services?.others.values ?? 0)).toBe(40)
  })

  test.each([3600, 36])('in whole seconds, of a chart of %i seconds, is as large as any other', async (seconds) => {
    const table = `whole_seconds_${seconds}`
    await engine.command(
      `CREATE TABLE ${table} (Timestamp DateTime, service LowCardinality(String), version LowCardinality(String))
       ENGINE = MergeTree ORDER BY (service, Timestamp)`,
    )
    const from = firstHour + 10 * 60 * minute
    await engine.command(
      `INSERT INTO ${table} SELECT toDateTime(${from / 1000} + number % ${seconds}) AS at, toString(number % 7),
         if(at >= ${from / 1000} + ${seconds / 3} AND at < ${from / 1000} + ${seconds / 2} AND number % 5 = 0, 'new', 'old') FROM numbers(500000)`,
    )
    addSource(table)
    const endTime = from + seconds * 1000
    const inside = { startTime: from + (seconds / 3) * 1000, endTime: from + (seconds / 2) * 1000 }
    const { attributes, rows } = await ask(from, { sourceId: table, endTime, inside })
    expect(Math.abs(rows.inside - maxRows)).toBeLessThan(0.1 * maxRows)
    expect(Math.abs(rows.outside - maxRows)).toBeLessThan(0.1 * maxRows)
    expect(rankAttributes(attributes, rows).map(({ attribute }) => attribute)).toEqual(['version'])
  })
})

describe('hostile and odd rows', () => {
  const many = (count: number, make: (at: number) => Omit<LogRow, 'at'>): LogRow[] =>
    Array.from({ length: count }, (_, at) => ({ at: Math.floor((at * 60 * minute) / count), ...make(at) }))

  test('of 10,000 attributes are bounded, and those that most rows have are counted', async () => {
    const keys = Array.from({ length: 10_000 }, (_, at) => [`k${at}`, `v${at % 3}`])
    const { service, from } = await plant(
      many(60, (at) => ({ LogAttributes: at % 2 ? Object.fromEntries(keys) : { common: 'x', k1: 'odd' } })),
    )
    const { attributes, leftOut, rows } = await ask(from, whereOf(service))
    expect(rows).toEqual({ inside: 10, outside: 50 })
    expect(new Set(attributes.map(({ attribute }) => attribute)).size).toBe(maxAttributes)
    // ScopeName, SeverityNumber, TraceFlags, and the keys.
    expect(leftOut).toBe(10_004 - maxAttributes)
    expect(attributes.find(({ attribute }) => attribute === "LogAttributes['k1']")?.others).toEqual({
      values: 0,
      inside: 0,
      outside: 0,
    })
  })

  test('are bounded where each row has other attributes', async () => {
    const { service, from } = await plant([])
    await engine.command(
      `INSERT INTO ${tables.logs} (Timestamp, ScopeName, LogAttributes)
       SELECT fromUnixTimestamp64Milli(toInt64(${from} + number * 14400)), '${service}',
         mapFromArrays(arrayMap(key -> concat('k', toString(key)), range(5000)), arrayMap(key -> toString(number), range(5000)))
       FROM numbers(250)`,
    )
    const { rows, total } = await ask(from, whereOf(service))
    expect(total.inside + total.outside).toBe(250)
    expect(rows.outside).toBeLessThanOrEqual(208)
    expect(rows.outside).toBeLessThan(total.outside)
  })

  test('of JSON columns are counted by their keys', async () => {
    const table = 'wide_json'
    await engine.command(`CREATE TABLE ${table} (j JSON, m Map(String, String)) ENGINE = MergeTree ORDER BY tuple()`)
    const object = JSON.stringify(Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`k${at}`, 'v'])))
    await engine.command(`INSERT INTO ${table} SELECT '${object}', map('a', 'b') FROM numbers(10)`)
    const rows = { table, where: '1', inside: '1', at: '0', around: () => '1' }
    const columns = await explainedColumns(engine, { database: '', table }, sources[0]!)
    expect(columns).toHaveLength(2)
    const [counts] = await engine.query<Record<string, unknown>>(
      countsStatement(rows, columns, { from: 0, bucketMs: 1 }),
    )
    expect(Number(counts?.['__pairs'])).toBe(10 * (2 + 200 + 1))
  })

  test('have the first value of a key that they have twice, and no long texts', async () => {
    const { service, from } = await plant(
      many(60, () => ({ LogAttributes: { long: 'x'.repeat(5000), short: 'y'.repeat(1000), zero: '\0' } })),
    )
    await engine.command(
      `INSERT INTO ${tables.logs} (Timestamp, ScopeName, LogAttributes)
       SELECT fromUnixTimestamp64Milli(toInt64(${from + 25 * minute} + number)), '${service}', mapFromArrays(['twice', 'twice'], ['first', 'second'])
       FROM numbers(50)`,
    )
    const { attributes } = await ask(from, whereOf(service))
    const of = (key: string) => attributes.find(({ attribute }) => attribute === attributeOf('LogAttributes', key))
    expect(of('twice')?.values).toEqual([{ value: { kind: 'text', text: 'first' }, inside: 50, outside: 0 }])
    expect(of('long')).toMatchObject({ values: [], others: { values: 1, inside: 10, outside: 50 } })
    expect(of('short')?.values).toHaveLength(1)
    expect(of('zero')?.values).toEqual([{ value: { kind: 'text', text: '\0' }, inside: 10, outside: 50 }])
  })

  test('without rows on one side have no attributes', async () => {
    const { service, from } = await plant(many(30, () => ({ SeverityText: 'info' })))
    const nothing = { attributes: [], clocks: [] }
    const of = (inside: object) => ask(from, { ...whereOf(service), inside })
    expect(await of({ startTime: from + 61 * minute, endTime: from + 62 * minute })).toMatchObject({
      ...nothing,
      total: { inside: 0, outside: 30 },
    })
    expect(await of({ startTime: from, endTime: from + 60 * minute })).toMatchObject({
      ...nothing,
      total: { inside: 30, outside: 0 },
    })
    expect((await ask(from, { where: 'ServiceName:nowhere' })).total).toEqual({ inside: 0, outside: 0 })
  })

  test('of columns of every type are counted as a search writes them', async () => {
    const table = 'odd_types'
    await engine.command(
      `CREATE TABLE ${table} (Timestamp DateTime, f Float64, g Nullable(Float32), n Nullable(Int64), d Decimal(10, 3), b Bool, e Enum8('x' = 1, 'y' = 2),
        u UUID, big UInt64, l Array(String), t Tuple(a String), m Map(String, Nullable(Float64)), \`o'dd \\\`name\` String, word LowCardinality(Nullable(String)))
       ENGINE = MergeTree ORDER BY Timestamp`,
    )
    const from = firstHour + 10 * 60 * minute
    await engine.command(
      `INSERT INTO ${table} SELECT toDateTime(${from / 1000} + number * 60), if(number % 3 = 0, nan, if(number % 3 = 1, -0., 1e21)), if(number % 2, NULL, inf), if(number % 2, NULL, 7),
        1.5, number % 2, if(number % 2, 'x', 'y'), toUUID('00000000-0000-0000-0000-000000000001'), 18446744073709551615, ['a'], tuple('a'),
        map('k', if(number % 2, NULL, 0.1)), 'x', if(number % 2, NULL, 'w') FROM numbers(60)`,
    )
    addSource(table)
    const { attributes } = await ask(from, { sourceId: table })
    const texts = Object.fromEntries(
      attributes.map(({ attribute, values }) => [
        attribute,
        values.map(({ value }) => value.kind === 'text' && value.text),
      ]),
    )
    expect(texts).toEqual({
      f: expect.arrayContaining(['0', '1e+21']),
      n: ['7'],
      d: ['1.5'],
      b: expect.arrayContaining(['true', 'false']),
      e: expect.arrayContaining(['x', 'y']),
      u: ['00000000-0000-0000-0000-000000000001'],
      big: ['18446744073709551615'],
      "m['k']": ['0.1'],
      word: ['w'],
    })
  })
})

describe('a part of a heatmap', () => {
  test('is a range of times and of values; rows without a number are not in it', async () => {
    const { service, from } = await plant(
      Array.from({ length: 120 }, (_, at) => ({
        at: at * 30_000,
        LogAttributes: { ...(at % 4 && { took: String(at % 4 === 3 ? 500 : 5) }), slow: String(at % 4 === 3) },
      })),
    )
    const value = { expression: "toFloat64OrNull(LogAttributes['took'])", from: 100, to: null }
    const answer = await ask(from, { ...whereOf(service), value })
    expect(answer.total).toEqual({ inside: 5, outside: 85 })
    expect(answer.attributes.find(({ attribute }) => attribute === "LogAttributes['slow']")?.values).toEqual([
      { value: { kind: 'text', text: 'true' }, inside: 5, outside: 25 },
      { value: { kind: 'text', text: 'false' }, inside: 0, outside: 60 },
    ])
    const below = await ask(from, { ...whereOf(service), value: { ...value, from: null, to: 100 } })
    expect(below.total).toEqual({ inside: 10, outside: 80 })
  })
})

describe('refused', () => {
  const from = firstHour
  test.each([
    [{ where: "1' OR sleep(3) --", whereLanguage: 'sql' }, /^where: /],
    [{ where: '(SELECT count() FROM system.users) > 0', whereLanguage: 'sql' }, /^where: /],
    [{ value: { expression: 'ServiceName', from: 1, to: 2 } }, /^value\.expression: .*number/],
    [{ value: { expression: 'count()', from: 1, to: 2 } }, /^value\.expression: /],
    [{ value: { expression: "file('/etc/passwd')", from: 1, to: 2 } }, /^value\.expression: /],
    [{ sourceId: 'metric' }, /logs or traces/],
  ])('%j', async (changes, message) => {
    const refused = ask(from, changes).catch((error: unknown) => error)
    expect(await refused).toBeInstanceOf(ChartError)
    expect(String(((await refused) as Error).message)).toMatch(message)
  })

  test('once its client has left', async () => {
    const controller = new AbortController()
    controller.abort()
    await expect(ask(from, {}, controller.signal)).rejects.toBeInstanceOf(EngineAborted)
  })
})
