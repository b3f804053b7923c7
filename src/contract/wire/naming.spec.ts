import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { LosslessNumber } from './json.ts'
import { fromWire, namingProfiles, toWire } from './naming.ts'

const { clickhouse, neutral } = namingProfiles

/** JSON whose keys are likely to be near the names that are respelled, and none of the other spelling. */
const body = fc
  .jsonValue({ maxDepth: 4 })
  .chain((rest) =>
    fc
      .dictionary(
        fc.oneof(fc.constantFrom('dbVersion', 'db_max_threads', 'dbVersions', 'xdb_', 'db', 'name'), fc.string()),
        fc.oneof(fc.constant(rest), fc.integer(), fc.string()),
      )
      .filter((value) => !JSON.stringify(value).includes('clickhouse')),
  )

test('translating names to the wire and back changes nothing', () => {
  fc.assert(
    fc.property(body, (value) => {
      expect(fromWire(toWire(value, clickhouse), clickhouse)).toEqual(value)
    }),
  )
})

test('changes only names, at any depth', () => {
  const value = { dbVersion: '25.8', settings: { db_max_threads: 1, other: [{ db_x: null }] }, dbVersions: 2 }
  expect(toWire(value, clickhouse)).toEqual({
    clickhouseVersion: '25.8',
    settings: { clickhouse_max_threads: 1, other: [{ clickhouse_x: null }] },
    dbVersions: 2,
  })
})

test('neutral names need no translation', () => {
  const value = { dbVersion: 1 }
  expect(toWire(value, neutral)).toBe(value)
})

test('keeps a number that is kept as text', () => {
  const number = new LosslessNumber('18446744073709551615')
  expect(toWire({ db_x: number }, clickhouse)).toEqual({ clickhouse_x: number })
})
