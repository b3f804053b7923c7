/** For specs: damaged rows of lists that consoles share. */
import { z } from 'zod'
import { currentTime } from '#node/clock/wallClock.ts'
import type { Database } from '../../database/database.ts'
import { SharedList } from '../../database/sharedList.ts'
import { SharedSamples } from '../../sampling/sharedSamples.ts'
import { both, eachOf, type DamagedTable } from './damagedTable.ts'

export function damagedLists(database: Database) {
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
