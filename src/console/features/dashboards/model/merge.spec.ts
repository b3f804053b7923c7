import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Dashboard } from '#contract/stack/dashboards/dashboards.ts'
import { anyDashboard, anyEdits, touches } from '#domain/dashboards/testing/arbitraries.ts'
import { diff, type FieldChange, orderStep } from '#domain/json/diff.ts'
import { sameJson, valueAt } from '#domain/json/json.ts'
import { type Conflict, placeStep } from '#domain/json/merge.ts'
import { mergeDashboards } from './merge.ts'

const runs = { numRuns: 500 }

test('an unchanged side loses nothing and adds nothing', () => {
  fc.assert(
    fc.property(anyDashboard, anyEdits, (base, edit) => {
      const edited = edit(base)
      for (const merge of [mergeDashboards(base, edited, base), mergeDashboards(base, base, edited)]) {
        expect(merge.conflicts).toEqual([])
        expect(merge.restored).toEqual([])
        expect(diff(edited, merge.merged)).toEqual([])
      }
    }),
    runs,
  )
})

test('the same edit on both sides is no conflict', () => {
  fc.assert(
    fc.property(anyDashboard, anyEdits, (base, edit) => {
      const { merged, conflicts } = mergeDashboards(base, edit(base), edit(base))
      expect(conflicts).toEqual([])
      expect(diff(edit(base), merged)).toEqual([])
    }),
    runs,
  )
})

test('every change of either side is merged or in a conflict', () => {
  fc.assert(
    fc.property(anyDashboard, anyEdits, anyEdits, (base, editMine, editTheirs) => {
      const [mine, theirs] = [editMine(base), editTheirs(base)]
      const { merged, conflicts } = mergeDashboards(base, mine, theirs)
      expectKept(diff(base, mine), merged, conflicts)
      expectKept(diff(base, theirs), merged, conflicts)
    }),
    runs,
  )
})

test('choosing theirs everywhere keeps every change of theirs', () => {
  fc.assert(
    fc.property(anyDashboard, anyEdits, anyEdits, (base, editMine, editTheirs) => {
      const [mine, theirs] = [editMine(base), editTheirs(base)]
      const { conflicts } = mergeDashboards(base, mine, theirs)
      const choices = new Map(conflicts.map(({ key }) => [key, 'theirs' as const]))
      const { merged, restored } = mergeDashboards(base, mine, theirs, choices)
      fc.pre(restored.length === 0)
      expectKept(diff(base, theirs), merged, [])
    }),
    runs,
  )
})

test('tile IDs stay unique', () => {
  fc.assert(
    fc.property(anyDashboard, anyEdits, anyEdits, (base, editMine, editTheirs) => {
      const ids = mergeDashboards(base, editMine(base), editTheirs(base)).merged.tiles.map(({ id }) => id)
      expect(new Set(ids).size).toBe(ids.length)
    }),
    runs,
  )
})

describe('two people', () => {
  const base = dashboardOf([tile('a'), tile('b')])

  test('who edit and remove the same tile get a conflict', () => {
    const mine = dashboardOf([{ ...tile('a'), name: 'mine' }, tile('b')])
    const { conflicts, merged } = mergeDashboards(base, mine, dashboardOf([tile('b')]))
    expect(conflicts.map(({ path, theirs }) => [path, theirs])).toEqual([[['tiles', { id: 'a' }], undefined]])
    expect(merged.tiles).toHaveLength(2)
  })

  test('who move the same tile to different places get one conflict, not a mixture', () => {
    const mine = dashboardOf([{ ...tile('a'), x: 5 }, tile('b')])
    const theirs = dashboardOf([{ ...tile('a'), y: 9 }, tile('b')])
    const { conflicts } = mergeDashboards(base, mine, theirs)
    expect(conflicts.map(({ path }) => path.at(-1))).toEqual([placeStep])
    const chosen = mergeDashboards(base, mine, theirs, new Map([[conflicts[0]!.key, 'theirs']]))
    expect(chosen.merged.tiles[0]).toMatchObject({ x: 0, y: 9 })
  })

  test('who each add a tile keep both', () => {
    const mine = dashboardOf([tile('a'), tile('mine'), tile('b')])
    const theirs = dashboardOf([tile('a'), tile('b'), tile('theirs')])
    const { conflicts, merged } = mergeDashboards(base, mine, theirs)
    expect(conflicts).toEqual([])
    expect(merged.tiles.map(({ id }) => id)).toEqual(['a', 'mine', 'b', 'theirs'])
  })

  test('who each add a list, one of them an empty one, keep the items', () => {
    const { conflicts, merged } = mergeDashboards(base, { ...base, future: [] }, { ...base, future: [{ id: 'a' }] })
    expect(conflicts).toEqual([])
    expect(merged).toMatchObject({ future: [{ id: 'a' }] })
  })

  test('who remove a group and put a tile into it keep the group', () => {
    const containers = [{ id: 'c', title: 'Group' }]
    const grouped = { ...base, containers }
    const mine = dashboardOf([{ ...tile('a'), containerId: 'c' }, tile('b')], containers)
    const { merged, restored } = mergeDashboards(grouped, mine, { ...base, containers: [] })
    expect(restored).toEqual(['Group'])
    expect(merged.containers).toEqual(containers)
  })
})

function expectKept(changes: FieldChange[], merged: Dashboard, conflicts: Conflict[]): void {
  for (const change of changes) {
    if (change.path.at(-1) === orderStep) continue
    if (conflicts.some(({ path }) => touches(path, change.path))) continue
    const value = valueAt(merged, change.path)
    // A list that one side adds empty takes the items that the other side adds to it.
    const isNewList = change.before === undefined && sameJson(change.after, []) && Array.isArray(value)
    expect(isNewList || sameJson(value, change.after), JSON.stringify(change)).toBe(true)
  }
}

function tile(id: string) {
  return { id, name: id, x: 0, y: 0, w: 6, h: 4 }
}

function dashboardOf(tiles: Dashboard['tiles'], containers?: Dashboard['containers']): Dashboard {
  return { id: 'd', name: 'D', tiles, tags: [], filters: [], ...(containers && { containers }) }
}
