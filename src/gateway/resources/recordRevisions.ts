/** Revisions of records. Deployments have none, so the gateway derives one from the content of a record. */
import { createHmac, hkdfSync } from 'node:crypto'
import type { RecordRule } from '#contract/wire/kernel.ts'
import { canonicalJson } from '#node/canonicalJson.ts'
import type { VaultKey } from '#node/secrets/vault.ts'

/** Bytes of a revision, enough to make collisions impossible in practice. */
const length = 16

export class Revisions {
  readonly #key: Buffer

  /** Keyed, because a plain digest could reveal a short secret in a record. The same after a restart. */
  constructor({ bytes }: VaultKey) {
    this.#key = Buffer.from(hkdfSync('sha256', bytes, '', 'record revisions', 32))
  }

  /**
   * The revision of a record as the deployment returned it, including unknown fields and the spelling of numbers. What
   * operations set has its own, after a dot: a save does not depend on it, and an operation on nothing else.
   */
  of({ volatile, operated }: RecordRule, record: unknown): string {
    const saved = this.#digest(canonicalJson(record, volatile))
    return operated ? `${saved}.${this.#digest(canonicalJson(fieldsOf(record, operated)))}` : saved
  }

  #digest(text: string): string {
    return createHmac('sha256', this.#key).update(text).digest().subarray(0, length).toString('base64url')
  }
}

/** Whether two revisions are the same, as far as a save or an operation is concerned. */
export function isSameRevision(a: string, b: string, part: 'saved' | 'operated'): boolean {
  const at = part === 'saved' ? 0 : 1
  return a.split('.')[at] === b.split('.')[at]
}

function fieldsOf(record: unknown, names: readonly string[]): unknown {
  if (record === null || typeof record !== 'object') return record
  return Object.fromEntries(Object.entries(record).filter(([name]) => names.includes(name)))
}
