/** The chain of an audit log that was exported as JSON lines. */
import { auditFacts, type AuditEntry, type AuditVerification } from '#contract/console/audit.ts'
import { z } from 'zod'
import { ChainCheck } from './auditChain.ts'

/** Lines that are damaged are no fault of the others: these are checked. */
export interface ExportVerification extends AuditVerification {
  /** The numbers of the lines that cannot be read. The first line has number 1. */
  damagedLines: number[]
}

const exported = auditFacts.extend({ hash: z.string() })

/** Checks the lines one after the other, the oldest entry first. Empty lines are left out. */
export async function verifyExport(lines: AsyncIterable<string> | Iterable<string>): Promise<ExportVerification> {
  const check = new ChainCheck()
  const damagedLines: number[] = []
  let line = 0
  for await (const text of lines) {
    line += 1
    if (text === '') continue
    const entry = entryIn(text)
    if (entry) {
      check.add(entry)
      continue
    }
    damagedLines.push(line)
    check.skip()
  }
  return { ...check.result(), damagedLines }
}

/** As it was hashed: what checks it must not change it. Undefined for a damaged line, also if it was damaged when it was exported. */
function entryIn(text: string): AuditEntry | undefined {
  try {
    const entry: unknown = JSON.parse(text)
    if (Object(entry).damaged === true || !exported.safeParse(entry).success) return undefined
    return entry as AuditEntry // checked above
  } catch {
    return undefined
  }
}
