/** The stack's report of its damaged rows. */
import type { DamageSummary } from '#contract/wire/damage.ts'
import { damagedRows, forgetDeleted } from '#node/database/damagedRows.ts'
import type { Store } from './store.ts'

/** The columns that identify a row, where that is not the column `id`. */
const keys: Readonly<Record<string, readonly string[]>> = {
  alert_cursors: ['alert_id'],
  alert_evaluations: ['alert_id', 'ended'],
  alert_outbox: ['idempotency_key'],
  alert_summaries: ['alert_id'],
}

type Rows = Pick<Store, 'rows'>

/** Forgets damaged rows that were deleted meanwhile. Does nothing if the database cannot be reached, which is reported elsewhere. */
export async function forgetDeletedRecords({ rows }: Rows): Promise<void> {
  await forgetDeleted({ damaged: damagedRows, rows, keyOf: (table) => keys[table] ?? ['id'] }).catch(() => {})
}

/** Undefined if there are none. */
export async function damagedRecords(store: Rows): Promise<DamageSummary | undefined> {
  await forgetDeletedRecords(store)
  return damagedRows.summary()
}
