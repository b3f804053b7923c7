/** Exported lines of the audit log, of which some are damaged. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AuditEntry } from '#contract/console/audit.ts'
import { exampleAuditFacts } from '../testing/exampleAuditFacts.ts'
import { hashOf, origin, verifyExport } from './auditChain.ts'

function chainOf(length: number): AuditEntry[] {
  const entries: AuditEntry[] = []
  for (let seq = 1; seq <= length; seq++) {
    const facts = { ...exampleAuditFacts, seq, previous: entries.at(-1)?.hash ?? origin }
    entries.push({ ...facts, hash: hashOf(facts) })
  }
  return entries
}

const damages: readonly ((line: string) => string)[] = [
  (line) => line.slice(0, line.length / 2),
  (line) => line.replace('"seq"', '"x"'),
  (line) => line.replace('{', '{"damaged":true,'),
  () => 'null',
  () => '\u0000',
]

test('damaged lines are named, and the others are checked', async () => {
  const some = fc.integer({ min: 1, max: 8 }).chain((length) =>
    fc.record({
      length: fc.constant(length),
      damaged: fc.dictionary(fc.integer({ min: 1, max: length }).map(String), fc.constantFrom(...damages)),
    }),
  )
  await fc.assert(
    fc.asyncProperty(some, async ({ length, damaged }) => {
      const lines = chainOf(length).map((entry) => {
        const line = JSON.stringify(entry)
        return damaged[entry.seq]?.(line) ?? line
      })
      const damagedLines = Object.keys(damaged)
        .map(Number)
        .toSorted((a, b) => a - b)
      const found = await verifyExport(lines)
      expect(found).toMatchObject({ damagedLines, entries: length - damagedLines.length })
      expect(found.fault).toBeUndefined()
    }),
  )
})

test.each([
  ['changed', (lines: string[]) => lines.with(3, String(lines[3]).replace('alerts.update', 'alerts.delete'))],
  ['missing', (lines: string[]) => lines.toSpliced(3, 1)],
])('an entry after a damaged line that is %s still shows', async (what, change) => {
  const lines = chainOf(6).map((entry) => JSON.stringify(entry))
  const found = await verifyExport(['', ...change(lines.with(1, '{'))])
  expect(found).toMatchObject({ damagedLines: [3], fault: { seq: 4, problem: expect.stringContaining(what) } })
})
