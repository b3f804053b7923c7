import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { collapsible, outlineOf } from './outline.ts'
import { readTrace, type TraceSpan } from './trace.ts'

const span = (id: number, parent: number): TraceSpan => ({
  id: String(id),
  parentId: parent < 0 ? '' : String(parent),
  name: '',
  service: '',
  start: id,
  duration: 1,
  failed: false,
})

/** A tree: the parent of each span is one before it, or none. */
const trees = fc
  .array(fc.nat(), { maxLength: 30 })
  .map((picks) => readTrace(picks.map((pick, at) => span(at, (pick % (at + 1)) - 1))).nodes)

test('shows exactly the spans without a collapsed ancestor', () => {
  fc.assert(
    fc.property(trees, fc.array(fc.nat(30)), (nodes, picks) => {
      const collapsed = new Set(picks.map(String))
      const parentOf = new Map(nodes.map((node) => [node.span.id, node.span.parentId]))
      const ancestors = (id: string): string[] => {
        const parent = parentOf.get(id)
        return parent === undefined || parent === '' ? [] : [parent, ...ancestors(parent)]
      }
      const rows = outlineOf(nodes, collapsed)
      expect(rows.map(({ node }) => node.span.id)).toEqual(
        nodes.map((node) => node.span.id).filter((id) => !ancestors(id).some((ancestor) => collapsed.has(ancestor))),
      )
      for (const { node, below, parent } of rows) {
        expect(below).toBe(nodes.filter((other) => ancestors(other.span.id).includes(node.span.id)).length)
        expect(rows[parent]?.node.span.id ?? '').toBe(node.span.parentId)
      }
    }),
  )
})

test('everything collapsed: the roots and their children', () => {
  const { nodes } = readTrace([span(0, -1), span(1, 0), span(2, 1), span(3, 2), span(4, 0)])
  expect(outlineOf(nodes, collapsible(nodes)).map(({ node }) => node.span.id)).toEqual(['0', '1', '4'])
})
