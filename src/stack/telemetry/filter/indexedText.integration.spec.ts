/** The results of conditions with indexes and without them, over texts of all kinds. */
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { temporaryEngine } from '#stack/testing/temporaryEngine.ts'
import { Bindings } from '../bindings.ts'
import type { Engine } from '../engine/engine.ts'
import { columnType, layoutOf, type Columns } from '../tableLayout.ts'
import { filterSql } from './filterSql.ts'

const indexes = {
  text: `INDEX by_body lower(Body) TYPE text(tokenizer = 'splitByNonAlpha'),
    INDEX by_note lower(Note) TYPE text(tokenizer = 'splitByNonAlpha'),
    INDEX by_word lower(Word) TYPE text(tokenizer = 'splitByNonAlpha'),
    INDEX by_key mapKeys(Attributes) TYPE text(tokenizer = 'array'),
    INDEX by_value mapValues(Attributes) TYPE text(tokenizer = 'array')`,
  bloom: `INDEX by_body lower(Body) TYPE tokenbf_v1(32768, 3, 0) GRANULARITY 1,
    INDEX by_word lower(Word) TYPE tokenbf_v1(32768, 3, 0) GRANULARITY 1,
    INDEX by_key mapKeys(Attributes) TYPE bloom_filter(0.01) GRANULARITY 1,
    INDEX by_value mapValues(Attributes) TYPE bloom_filter(0.01) GRANULARITY 1`,
}
const kinds = ['text', 'bloom'] as const

let engine: Engine
const columnsOf: Partial<Record<string, Columns>> = {}

const columns = `id UInt32, Body String, Note Nullable(String), Word LowCardinality(String),
  Attributes Map(LowCardinality(String), String)`

beforeAll(async () => {
  engine = await temporaryEngine()
  // A granule for every few rows, so that a wrong condition loses some.
  const settings = 'ENGINE = MergeTree ORDER BY id SETTINGS index_granularity = 2'
  await engine.command(`CREATE TABLE plain (${columns}) ${settings}`)
  for (const kind of kinds) await engine.command(`CREATE TABLE ${kind} (${columns}, ${indexes[kind]}) ${settings}`)
  for (const table of ['plain', ...kinds]) {
    columnsOf[table] = (await layoutOf(engine, { database: '', table })).columns
  }
})
afterAll(() => engine.close())

/** The IDs of the rows that each filter finds. */
async function found(table: string, filters: readonly string[]): Promise<number[][]> {
  const bindings = new Bindings()
  const known = columnsOf[table] ?? new Map()
  const searched = [{ sql: 'Body', type: known.get('Body') ?? columnType('String') }]
  const selects = filters.map((filter, at) => {
    const where = filterSql(filter, { columns: known, searched, bindings }) ?? 'true'
    return `SELECT ${at} AS at, groupArray(id) AS ids FROM (SELECT id FROM ${table} WHERE ${where} ORDER BY id)`
  })
  const rows = await engine.query<{ at: number; ids: number[] }>(
    `SELECT at, ids FROM (${selects.join(' UNION ALL ')}) ORDER BY at SETTINGS use_query_condition_cache = 0`,
    { params: bindings.params },
  )
  return rows.map((row) => row.ids)
}

/** Stores texts as they are, bytes that are no UTF-8 among them. */
async function store(texts: readonly string[]): Promise<void> {
  const rows = texts.map((text, id) => {
    const hex = Buffer.from(text, 'utf8').toString('hex')
    // U+E000 stands for a byte that no UTF-8 has, U+E001 for the first of three that are missing.
    const bytes = `unhex('${hex.replaceAll('ee8080', 'ff').replaceAll('ee8081', 'e2')}')`
    const note = id % 3 === 0 ? 'NULL' : bytes
    const attributes = id % 4 === 0 ? 'map()' : `map('key', ${bytes}, 'other', 'x', 'n', '${id}')`
    return `SELECT ${id} AS id, ${bytes} AS Body, ${note} AS Note, ${bytes} AS Word, ${attributes}::Map(LowCardinality(String), String) AS Attributes`
  })
  for (const table of ['plain', ...kinds]) {
    await engine.command(`TRUNCATE TABLE ${table}`)
    await engine.command(`INSERT INTO ${table} ${rows.join(' UNION ALL ')}`)
  }
}

const part = fc.constantFrom(
  'disk',
  'DISK',
  'dis\u212A',
  'di\u017Fk',
  'timeout',
  'Timeouts',
  'connection',
  'refused',
  'e',
  'x1',
  '12345',
  'İstanbul',
  'ıstanbul',
  'ошибка',
  'ОШИБКА',
  'straße',
  'STRASSE',
  '连接失败',
  'エラー',
  'é',
  'É',
  '“',
  '”',
  '…',
  '😀',
  '\uE000',
  '\uE001',
  ' ',
  ' ',
  ' ',
  '_',
  '%',
  '\\',
  '-',
  '.',
  ':',
  '/',
  "'",
  '"',
  '\n',
  '\0',
  '(',
  ')',
  '*',
  '?',
  '+',
)
const text = fc.array(part, { maxLength: 8 }).map((parts) => parts.join(''))
const pattern = text.map((value) => value.replaceAll(/[\uE000\uE001\0]/g, '').slice(0, 40))

/** Text as a person writes it: a word with wildcards, or a quoted phrase. */
const phrase = (value: string) => `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`
const word = (value: string) => value.replaceAll(/[^\p{L}\p{N}*]/gu, String.raw`\$&`)
const filterOf = (value: string, form: number): string => {
  const written = word(value) || '*'
  const fields = ['Body', 'Note', 'Word', 'Attributes.key', 'Attributes', 'Attributes.none']
  const field = fields[form % fields.length] ?? 'Body'
  const forms = [
    written,
    phrase(value),
    `${field}:${written}`,
    `${field}:${phrase(value)}`,
    `${field}:(${written})`,
    `${field}:(${phrase(value)})`,
    `${field}:(${written}*)`,
    `${field}:(*${written})`,
    `${field}:(*${written}*${word(value.slice(2, 9))}*)`,
    `-${field}:${phrase(value)}`,
    `NOT (${field}:(${written}) OR disk)`,
    `${field}:*`,
    `${field}:${phrase('')}`,
    `Attributes.n:>3 ${field}:(${written})`,
    `-Attributes.n:<=2`,
    `${field}:(${written} OR "refused by")`,
  ]
  return forms[Math.floor(form / fields.length) % forms.length] ?? written
}

describe('conditions find the same with indexes and without', () => {
  test('whatever the texts are', async () => {
    let rowsFound = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(text, { minLength: 12, maxLength: 40 }),
        fc.array(fc.tuple(pattern, fc.nat(95)), { minLength: 20, maxLength: 20 }),
        fc.array(fc.tuple(fc.nat(39), fc.nat(8), fc.nat(12), fc.nat(95)), { minLength: 20, maxLength: 20 }),
        async (texts, patterns, cuts) => {
          await store(texts)
          // Random texts are rarely in each other, so some are cut out of a stored one.
          const cut = cuts.map(([at, from, length, form]) => {
            const stored = (texts[at % texts.length] ?? '').replaceAll(/[\uE000\uE001\0]/g, '')
            return filterOf([...stored].slice(from, from + length).join(''), form)
          })
          const filters = [...patterns.map(([value, form]) => filterOf(value, form)), ...cut]
          const expected = await found('plain', filters)
          rowsFound += expected.flat().length
          for (const kind of kinds) {
            const ids = await found(kind, filters)
            for (const [at, filter] of filters.entries()) expect(ids[at], `${kind}: ${filter}`).toEqual(expected[at])
          }
        },
      ),
      { numRuns: 5 },
    )
    expect(rowsFound).toBeGreaterThan(300)
  })
})

describe('conditions use indexes', () => {
  beforeAll(() => store(Array.from({ length: 400 }, (_, at) => `GET /cart/${at} answered by host${at}`)))

  /** How many of the 200 granules are read. */
  async function read(table: string, filter: string): Promise<number> {
    const bindings = new Bindings()
    const known = columnsOf[table] ?? new Map()
    const searched = [{ sql: 'Body', type: known.get('Body') ?? columnType('String') }]
    const where = filterSql(filter, { columns: known, searched, bindings })
    const rows = await engine.query<{ explain: string }>(
      `EXPLAIN indexes = 1 SELECT count() FROM ${table} WHERE ${where}`,
      { params: bindings.params },
    )
    return Number(/Parts: \d+ \| Granules: (\d+)/.exec(rows.map(({ explain }) => explain).join('\n'))?.[1])
  }

  test.each([
    ['Body:(host123)', 'text'],
    ['Body:ost123', 'text'],
    ['host123', 'text'],
    ['"by host123"', 'text'],
    ['-disk Body:("/123 answered")', 'text'],
    ['Body:(*/123\\ *)', 'bloom'],
    ['Note:(host124)', 'text'],
    ['Attributes.key:"GET /cart/123 answered by host123"', 'text'],
    ['Attributes.key:"GET /cart/123 answered by host123"', 'bloom'],
    ['Attributes.key:host123', 'text'],
    ['Attributes.none:>3', 'text'],
    ['Attributes.none:>3', 'bloom'],
    ['Attributes.none:*', 'bloom'],
    ['Body:(host123 OR host231)', 'text'],
  ])('%s reads few granules with %s indexes', async (filter, kind) => {
    expect(await read('plain', filter)).toBe(200)
    expect(await read(kind, filter)).toBeLessThan(12)
  })

  test('nothing is added where no index answers it', () => {
    const sql = (table: string, filter: string) => {
      const known = columnsOf[table] ?? new Map()
      const searched = [{ sql: 'Body', type: known.get('Body') ?? columnType('String') }]
      return filterSql(filter, { columns: known, searched, bindings: new Bindings() })
    }
    for (const filter of [
      'host123',
      'Body:(host123)',
      'Attributes.key:>3',
      '-Body:host123',
      'NOT (host123 OR Attributes.key:*)',
    ]) {
      expect(sql('plain', filter), filter).not.toMatch(/lower|mapContains/)
      if (/^(-|NOT)/.test(filter)) expect(sql('text', filter), filter).toBe(sql('plain', filter))
    }
  })
})
