/**
 * Reads of loops that look for work each second: while nothing was written, a file has the same answer, and is not asked again.
 * Without it, a stack that nobody uses spends most of its time on reading its own records.
 */
import type { Row } from '#node/database/statements.ts'
import type { Store } from './store.ts'

/** Milliseconds until a statement is run again in any case: a command may have written to the file. */
const rememberedFor = 10_000
/** Larger answers are not kept: they belong to work, not to a look for some. */
const maxRows = 100
const maxStatements = 50

interface Remembered {
  rows: Promise<Row[]>
  at: number
}

/** A store that remembers reads outside of transactions until this process writes. On a server, to which others write, the store itself. */
export function rememberReads(store: Store): Store {
  if (store.isShared) return store
  const known = new Map<string, Remembered>()
  let count = store.writeCount()

  const rows: Store['rows'] = (sql, args = []) => {
    const asOf = store.writeCount()
    if (asOf !== count) known.clear()
    count = asOf
    const key = JSON.stringify([sql, args])
    const entry = known.get(key)
    if (entry && performance.now() - entry.at < rememberedFor) return entry.rows
    const read = store.rows(sql, args)
    if (known.size >= maxStatements) known.clear()
    known.set(key, { rows: read, at: performance.now() })
    const forget = () => {
      if (known.get(key)?.rows === read) known.delete(key)
    }
    void read.then((found) => {
      // A write may have come in between.
      if (found.length > maxRows || store.writeCount() !== asOf) forget()
    }, forget)
    return read
  }
  return { ...store, rows }
}
