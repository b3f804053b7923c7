import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { lists, maps, text, uint64 } from '../../telemetry/native/columns.ts'
import { nativeBlock, type NativeBlock } from '../../telemetry/native/nativeBlock.ts'
import { tables } from '../../telemetry/tables.ts'
import { Batch, timeWindow } from './batch.ts'

const columns = () => ({ Body: text(), Attributes: maps(), Counts: lists(uint64()), Links: lists(maps()) })
type Columns = ReturnType<typeof columns>

interface Row {
  body: string
  attributes: [key: string, value: string][]
  counts: number[]
}

function write({ Body, Attributes, Counts, Links }: Columns, rows: readonly Row[]): void {
  for (const { body, attributes, counts } of rows) {
    Body.data.string(body)
    for (const map of [Attributes, Links.items]) {
      for (const [key, value] of attributes) {
        map.keys.string(key)
        map.values.string(value)
      }
      map.endRow(attributes.length)
    }
    Links.endRow(1)
    for (const count of counts) Counts.items.data.uint64(count, 0)
    Counts.endRow(counts.length)
  }
}

/** With the bytes as text, because comparing buffers byte by byte takes seconds. */
const comparable = (block: NativeBlock | undefined) => block && { ...block, data: block.data.toString('latin1') }

const words = fc.oneof(fc.string(), fc.string({ minLength: 200, maxLength: 2000 }))
const row: fc.Arbitrary<Row> = fc.record({
  body: words,
  attributes: fc.array(fc.tuple(fc.string(), words), { maxLength: 4 }),
  counts: fc.array(fc.nat(), { maxLength: 4 }),
})
const someRows = fc.array(row, { minLength: 1, maxLength: 6 })

test('a block has the rows of its batch alone, whatever batches were before, and is not changed by the next', () => {
  const property = fc.property(fc.array(someRows, { maxLength: 5 }), (batches) => {
    const taken = batches.map((rows) => {
      const checked = new Batch(timeWindow(0, 30))
      write(checked.rowsOf(tables.logs, columns).columns, rows)
      checked.discard()
      const batch = new Batch(timeWindow(0, 30))
      const collected = batch.rowsOf(tables.logs, columns)
      write(collected.columns, rows)
      collected.count = rows.length
      return batch.take().get(tables.logs)
    })
    const expected = batches.map((rows) => {
      const fresh = columns()
      write(fresh, rows)
      return nativeBlock(fresh, rows.length)
    })
    expect(taken.map(comparable)).toEqual(expected.map(comparable))
  })
  fc.assert(property, { numRuns: 50 })
})

test('two batches at the same time share nothing', () => {
  const before = new Batch(timeWindow(0, 30))
  before.rowsOf(tables.traces, columns)
  before.take()
  const [one, other] = [new Batch(timeWindow(0, 30)), new Batch(timeWindow(0, 30))].map((batch) => {
    const rows = batch.rowsOf(tables.traces, columns)
    rows.count = 1
    return { batch, rows }
  })
  write(one!.rows.columns, [{ body: 'one', attributes: [], counts: [1] }])
  write(other!.rows.columns, [{ body: 'other', attributes: [['a', 'b']], counts: [] }])
  const [first, second] = [one!, other!].map(({ batch }) => batch.take().get(tables.traces)?.data.toString('latin1'))
  expect(first).toContain('one')
  expect(first).not.toContain('other')
  expect(second).toContain('other')
  expect(second).not.toContain('one')
})
