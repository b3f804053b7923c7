/**
 * The chain of the audit log, as it is stored or was exported as JSON lines: the hash of an entry covers the entry
 * before it, so that a change or a gap anywhere shows. A chain that somebody replaces from some entry on has another
 * head: compare it with one that was exported.
 */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { auditFacts, type AuditEntry, type AuditFacts, type AuditVerification } from '#contract/console/audit.ts'
import { currentIsoTime } from '#node/clock/wallClock.ts'

/** The hash that precedes the first entry. */
export const origin = '0'.repeat(64)

const fields = Object.keys(auditFacts.shape)

/** SHA-256 of the facts as JSON, with their keys in the order of the contract, as 64 hexadecimal digits. */
export function hashOf(facts: AuditFacts): string {
  const ordered = Object.entries(facts)
    .filter(([key]) => fields.includes(key))
    .toSorted(([a], [b]) => fields.indexOf(a) - fields.indexOf(b))
  return createHash('sha256')
    .update(JSON.stringify(Object.fromEntries(ordered)))
    .digest('hex')
}

/** Checks entries one after the other, the oldest first. */
export class ChainCheck {
  #entries = 0
  #head: string | null = null
  /** The number of the last entry, also of one that cannot be read. */
  #last = 0
  #isAfterUnreadable = false
  #fault: AuditVerification['fault']

  add(entry: AuditEntry): void {
    if (this.#fault) return
    const { hash, damaged, ...facts } = entry
    const expected = this.#last + 1
    if (entry.seq !== expected) this.#fault = { seq: expected, problem: 'The entry is missing.' }
    else if (damaged) this.#fault = { seq: entry.seq, problem: 'The entry is damaged.' }
    else if (!this.#isAfterUnreadable && entry.previous !== (this.#head ?? origin)) {
      this.#fault = { seq: entry.seq, problem: 'The entry does not follow from the one before it.' }
    } else if (hashOf(facts) !== hash) this.#fault = { seq: entry.seq, problem: 'The entry was changed.' }
    else {
      this.#entries += 1
      this.#last = entry.seq
      this.#head = hash
      this.#isAfterUnreadable = false
    }
  }

  /** Skips an entry that cannot be read. The next one is not compared with it. */
  skip(): void {
    this.#last += 1
    this.#isAfterUnreadable = true
  }

  get isBroken(): boolean {
    return this.#fault !== undefined
  }

  result(): AuditVerification {
    const entries = this.#entries
    const head = this.#head
    const fault = this.#fault
    return { entries, head, verifiedAt: currentIsoTime(), ...(fault && { fault }) }
  }
}

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
