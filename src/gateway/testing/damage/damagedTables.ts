/** For specs: a sound and a damaged row of each table, and what the store makes of them. */
import type { Database } from '../../database/database.ts'
import type { StoredTable } from '../../database/storedTables.ts'
import { damagedAccounts } from './damagedAccounts.ts'
import { damagedApprovals } from './damagedApprovals.ts'
import { damagedHistory } from './damagedHistory.ts'
import { damagedLists } from './damagedLists.ts'
import { damagedRuns } from './damagedRuns.ts'
import type { DamagedTable } from './damagedTable.ts'

/** All tables that are read with `StoredRows`. */
export function damagedTables(database: Database): Record<StoredTable, DamagedTable> {
  return {
    ...damagedAccounts(database),
    ...damagedApprovals(database),
    ...damagedHistory(database),
    ...damagedLists(database),
    ...damagedRuns(database),
  }
}
