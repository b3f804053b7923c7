import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseJson, stringifyJson } from '#contract/wire/json.ts'
import { anyDashboard, anyEdits } from '#domain/dashboards/testing/arbitraries.ts'
import { diff, orderStep } from '#domain/json/diff.ts'
import { diffDashboards } from './diff.ts'
import { sameJson, valueAt } from '#domain/json/json.ts'

test('a value does not differ from its copy', () => {
  fc.assert(
    fc.property(anyDashboard, (dashboard) => {
      expect(diff(dashboard, copyOf(dashboard))).toEqual([])
    }),
  )
})

test('a diff is empty exactly if nothing differs, and has the values of both sides', () => {
  fc.assert(
    fc.property(anyDashboard, anyEdits, (before, edit) => {
      const after = edit(before)
      const changes = diff(before, after)
      expect(changes.length === 0).toBe(sameJson(before, after))
      for (const change of changes.filter(({ path }) => path.at(-1) !== orderStep)) {
        expect(sameJson(valueAt(before, change.path), change.before)).toBe(true)
        expect(sameJson(valueAt(after, change.path), change.after)).toBe(true)
        expect(sameJson(change.before, change.after)).toBe(false)
      }
    }),
  )
})

test('one edited field of one tile is one change', () => {
  fc.assert(
    fc.property(anyDashboard, fc.nat(), (before, pick) => {
      fc.pre(before.tiles.length > 0)
      const index = pick % before.tiles.length
      const after = {
        ...before,
        tiles: before.tiles.map((tile, at) => (at === index ? { ...tile, name: `${tile.name}!` } : tile)),
      }
      expect(diff(before, after).map(({ path }) => path)).toEqual([['tiles', { id: before.tiles[index]?.id }, 'name']])
    }),
  )
})

test('compares numbers as they are written, not as JavaScript numbers', () => {
  const changes = diff(parseJson('{"a":9007199254740992,"b":1.0}'), parseJson('{"a":9007199254740993,"b":1}'))
  expect(changes.map(({ path }) => path)).toEqual([['a']])
})

test('reports tiles as added, removed and changed', () => {
  const base = { id: 'd', name: 'D', tags: [], filters: [], tiles: [tile('a'), tile('b')] }
  const next = { ...base, name: 'E', tiles: [{ ...tile('a'), name: 'renamed' }, tile('c')] }
  const found = diffDashboards(base, next)
  expect(found.settings.map(({ path }) => path)).toEqual([['name']])
  expect(found.tiles.map(({ id, kind }) => [id, kind])).toEqual([
    ['a', 'changed'],
    ['b', 'removed'],
    ['c', 'added'],
  ])
})

const tile = (id: string) => ({ id, name: id, x: 0, y: 0, w: 6, h: 4 })
const copyOf = (value: unknown): unknown => parseJson(stringifyJson(value))
