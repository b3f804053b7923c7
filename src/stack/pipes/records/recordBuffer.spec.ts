/** Rows of a batch: left where they were read, copied, or moved to the bad ones. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { RecordBuffer } from './recordBuffer.ts'

const record = fc.record({
  text: fc.oneof(fc.string(), fc.constant('long '.repeat(900))),
  /** The content in front of it in its source: its key, and numbers. */
  gap: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 200, max: 600 })),
  space: fc.constantFrom('', ' ', '\n \t'),
  isBad: fc.boolean(),
})
const sources = fc.array(
  fc.record({ how: fc.constantFrom('keep', 'copy', 'describe', 'write'), records: fc.array(record) }),
  {
    maxLength: 6,
  },
)

test('each row once, whatever its neighbors are', () => {
  fc.assert(
    fc.property(sources, fc.boolean(), (all, excludes) => {
      const batch = new RecordBuffer()
      const expected = new Map<number, object>()
      const reasons = new Map<number, string>()
      let offset = 0
      for (const [partition, { how, records }] of all.entries()) {
        const texts = records.map(({ text, gap, space }) => ({
          before: '}{"'.repeat(gap).slice(0, gap),
          value: `${space}${JSON.stringify({ text })}${space}`,
        }))
        const source = Buffer.from(texts.map(({ before, value }) => before + value).join('') + '{')
        let at = 0
        for (const [index, { before, value }] of texts.entries()) {
          const from = at + Buffer.byteLength(before)
          at = from + Buffer.byteLength(value)
          const row = batch.rows
          const { text = '', isBad } = records[index] ?? {}
          if (how === 'keep') batch.keepJson(partition, offset, source, from, at)
          if (how === 'copy') batch.addJson(partition, offset, source, from, at)
          if (how === 'describe') batch.addJson(partition, offset, source, from, at, `"_offset":${offset}`)
          if (how === 'write') batch.addLine(partition, offset, Buffer.from(value.trim()).toString('latin1'))
          if (excludes && isBad) reasons.set(row, 'it is bad')
          else expected.set(offset, { text, ...(how === 'describe' && { _offset: offset }) })
          offset++
        }
      }
      batch.exclude(reasons)
      const lines = Buffer.concat(batch.lines())
        .toString()
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as unknown)
      expect(lines).toEqual([...expected.values()])
      expect(batch.rows).toBe(expected.size)
      expect(batch.badCount).toBe(reasons.size)
      const ownLines = Array.from({ length: batch.rows }, (_, row) => batch.line(row))
      expect(ownLines.map((line) => JSON.parse(line.toString()) as unknown)).toEqual(lines)
      expect(batch.bytes).toBe(ownLines.reduce((sum, line) => sum + line.length + 1, 0))
    }),
  )
})

test('values that are not objects are bad, and do not touch their neighbors', () => {
  const batch = new RecordBuffer()
  const source = Buffer.from('k{"id":1}kkk[1]kkk{"id":2}k')
  batch.keepJson(0, 0, source, 1, 9)
  batch.keepJson(0, 1, source, 12, 15)
  batch.keepJson(0, 2, source, 18, 26)
  expect(Buffer.concat(batch.lines()).toString()).toMatch(/^\{"id":1\}\n+\{"id":2\}\n$/)
  expect(batch.bad.map(({ offset, raw }) => [offset, Buffer.from(raw).toString()])).toEqual([[1, '[1]']])
})
