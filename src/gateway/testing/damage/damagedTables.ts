/** For specs: a sound and a damaged row of each table, and what the store makes of them. */
import type { Database } from '../../database/database.ts'
import type { StoredTable } from '../../database/storedRows.ts'
import { damagedAccounts } from './damagedAccounts.ts'
import { damagedApprovals } from './damagedApprovals.ts'
import { damagedHistory } from './damagedHistory.ts'
import { damagedRuns } from './damagedRuns.ts'
import { both, type DamagedTable, eachOf } from './damagedTable.ts'
import { z } from 'zod'
import { currentTime } from '#node/clock/wallClock.ts'
import { SharedList } from '../../database/sharedList.ts'
import { SharedSamples } from '../../sampling/sharedSamples.ts'

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

/** For specs: damaged rows of lists that consoles share. */
function damagedLists(database: Database) {
  const samples = new SharedSamples(database)
  const start = currentTime()
  const list = (table: 'connections' | 'record_matches'): DamagedTable => ({
    plant: () =>
      eachOf((id) =>
        database.write({
          sql: `INSERT INTO ${table} (id, position, record) VALUES (?, ?, ?)`,
          args: [id, both.indexOf(id), JSON.stringify({ id })],
        }),
      ),
    damage: `record = '{' WHERE id = 'damaged'`,
    read: async () => (await SharedList.open({ database, table, schema: z.object({ id: z.string() }) })).all(),
    expected: [{ id: 'sound' }],
  })

  return {
    connections: list('connections'),
    record_matches: list('record_matches'),
    samples: {
      plant: () =>
        eachOf((id) => {
          const at = start + both.indexOf(id)
          const scrape = { at, pace: both.indexOf(id), pipes: new Map(), services: new Map() }
          return samples.add({ connectionId: 'c', revision: 'r' }, scrape)
        }),
      damage: 'bytes = substr(bytes, 1, 3) WHERE pace = 1',
      read: async () => (await samples.after({ connectionId: 'c', revision: 'r' }, 0)).map(({ pace }) => pace),
      expected: [0],
    },
  } satisfies Record<string, DamagedTable>
}
