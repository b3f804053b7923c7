/** The results of filters and of their edits, over the real engine. */
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isOneOf, negated, withoutRequirement, withRequirement } from '#domain/query/conditions.ts'
import { FilterError, type FilterNode } from '#domain/query/filterSyntax.ts'
import { parseFilter } from '#domain/query/parseFilter.ts'
import { printFilter } from '#domain/query/printFilter.ts'
import { filterText, rowsOfAllKinds, type RowsOfAllKinds } from './testing/rowsOfAllKinds.ts'
import { temporaryEngine } from '#stack/testing/temporaryEngine.ts'
import type { Engine } from '../engine/engine.ts'

let engine: Engine
let rows: RowsOfAllKinds

beforeAll(async () => {
  engine = await temporaryEngine()
  rows = await rowsOfAllKinds(engine)
})
afterAll(() => engine.close())

const inOrder = (ids: readonly string[]) => ids.toSorted((a, b) => Number(a) - Number(b))

test.each([
  ['-Attributes.code:>=500'],
  ['-Attributes.code:[1 TO 600]'],
  ['NOT (Number:>1 OR Note:web)'],
  ['NOT (NOT Word:web)'],
  ['-Number:*'],
  ['-web'],
  ['-Data.a.b:web'],
  ['-Tags:web'],
])('%s finds what its condition does not', async (filter) => {
  const [some = [], rest = []] = await rows.found([filter, `NOT (${filter})`])
  expect(inOrder([...some, ...rest])).toEqual(rows.ids)
  expect(some.length).toBeGreaterThan(0)
  expect(rest.length).toBeGreaterThan(0)
})

test('decimals are compared with all of their digits', async () => {
  const large = '99999999999999999999.123456789012'
  const [equal = [], above = [], atLeast = [], all = []] = await rows.found([
    `Amount:${large}`,
    `Amount:>${large}`,
    `Amount:[${large} TO *]`,
    'Amount:>1e19',
  ])
  expect(equal).toHaveLength(15)
  expect(above).toHaveLength(15)
  expect(inOrder([...equal, ...above])).toEqual(inOrder(atLeast))
  expect(all).toEqual(atLeast)
})

/** A type does not have every kind of condition. */
function isAllowed(text: string): boolean {
  try {
    rows.check(text)
    return true
  } catch (error) {
    if (error instanceof FilterError) return false
    throw error
  }
}

/** Checks what many filters find; each alone would be a round trip. */
async function forFilters(check: (texts: string[]) => Promise<void>): Promise<void> {
  let checked = 0
  await fc.assert(
    fc.asyncProperty(fc.array(filterText, { minLength: 20, maxLength: 20 }), async (texts) => {
      const allowed = texts.filter(isAllowed)
      checked += allowed.length
      await check(allowed)
    }),
    { numRuns: 12 },
  )
  expect(checked).toBeGreaterThan(100)
}

test('any condition and its negation share the rows out', async () => {
  await forFilters(async (texts) => {
    const some = await rows.found(texts)
    const rest = await rows.found(texts.map((text) => `NOT (${text})`))
    for (const [at, text] of texts.entries()) {
      expect(inOrder([...(some[at] ?? []), ...(rest[at] ?? [])]), text).toEqual(rows.ids)
    }
  })
})

test('an added condition narrows any filter, and the filter finds what it did once it is removed', async () => {
  const added = isOneOf('Body', ['x'])
  const [own = []] = await rows.found([printFilter(added)])
  await forFilters(async (texts) => {
    const before = await rows.found(texts)
    const edited = (edit: (filter: FilterNode | null) => FilterNode | null) =>
      rows.found(texts.map((text) => printed(edit(parseFilter(text)))))
    const narrowed = await edited((filter) => withRequirement(filter, added))
    const excluded = await edited((filter) => withRequirement(filter, negated(added)))
    const restored = await edited((filter) =>
      withoutRequirement(parseFilter(printed(withRequirement(filter, added))), added),
    )
    for (const [at, text] of texts.entries()) {
      expect(narrowed[at], text).toEqual(before[at]?.filter((id) => own.includes(id)))
      expect(excluded[at], text).toEqual(before[at]?.filter((id) => !own.includes(id)))
      expect(restored[at], text).toEqual(before[at])
    }
  })
})

const printed = (filter: FilterNode | null): string => (filter ? printFilter(filter) : '')
