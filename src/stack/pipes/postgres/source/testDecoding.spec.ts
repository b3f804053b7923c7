import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseChange } from './testDecoding.ts'

/** As PostgreSQL spells names and values. */
const name = (text: string) => (/^[a-z_][a-z0-9_]*$/.test(text) ? text : `"${text.replaceAll('"', '""')}"`)
const value = (text: string | null) => (text === null ? 'null' : `'${text.replaceAll("'", "''")}'`)
const tuple = (columns: ReadonlyMap<string, string | null>) =>
  [...columns].map(([column, text]) => `${name(column)}[character varying]:${value(text)}`).join(' ')

const names = fc.string({ minLength: 1, unit: 'grapheme' })
const tuples = fc
  .array(fc.tuple(names, fc.option(fc.string({ unit: 'binary' }))), { minLength: 1, maxLength: 5 })
  .map((columns) => new Map(columns))

test('reads any name and value unchanged', () => {
  fc.assert(
    fc.property(names, names, tuples, tuples, (schema, table, before, after) => {
      const head = `table ${name(schema)}.${name(table)}: `
      const where = { schema, name: table }
      expect(parseChange(`${head}INSERT: ${tuple(after)}`)).toEqual([
        { table: where, kind: 'INSERT', before: new Map(), after },
      ])
      expect(parseChange(`${head}DELETE: ${tuple(before)}`)).toEqual([
        { table: where, kind: 'DELETE', before, after: new Map() },
      ])
      expect(parseChange(`${head}UPDATE: old-key: ${tuple(before)} new-tuple: ${tuple(after)}`)).toEqual([
        { table: where, kind: 'UPDATE', before, after },
      ])
    }),
  )
})

describe('lines of a server', () => {
  test.each(['BEGIN', 'BEGIN 741', 'COMMIT', 'COMMIT 741 (at 2024-01-01 00:00:00+00)'])(
    '%s changes nothing',
    (line) => {
      expect(parseChange(line)).toEqual([])
    },
  )

  test('with numbers, arrays, bits and omitted values', () => {
    const line =
      'table public.k: UPDATE: a[integer]:-1 ok[boolean]:true l[integer[]]:\'{1,2}\' b[bit(3)]:B\'101\' "C d"["My ]: type"]:null big[text]:unchanged-toast-datum r[real]:1.5'
    expect(parseChange(line)[0]?.after).toEqual(
      new Map<string, string | null | undefined>([
        ['a', '-1'],
        ['ok', 'true'],
        ['l', '{1,2}'],
        ['b', '101'],
        ['C d', null],
        ['big', undefined],
        ['r', '1.5'],
      ]),
    )
  })

  test('that truncate several tables', () => {
    const changes = parseChange('table public.a, "My S"."b, c": TRUNCATE: restart_seqs cascade')
    expect(changes.map(({ table, kind }) => [table.schema, table.name, kind])).toEqual([
      ['public', 'a', 'TRUNCATE'],
      ['My S', 'b, c', 'TRUNCATE'],
    ])
  })

  test('with a row without a key', () => {
    expect(parseChange('table public.a: DELETE: (no-tuple-data)')).toMatchObject([{ kind: 'DELETE' }])
  })

  test.each([
    'message: transactional: 1',
    "table public.a: INSERT: a[text]:'open",
    'table public.a: UPSERT: a[int]:1',
    '',
  ])('%s is reported as unreadable without quoting it', (line) => {
    expect(() => parseChange(line)).toThrow(/^cannot parse a change from the server, at character \d+$/)
  })
})
